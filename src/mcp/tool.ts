/** The declaration of a tool for agents, and the adapter of its schemas to the protocol's package. */
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type * as z from "zod/mini";
import { nameIn, namesIn } from "../../static/names_in_text.js";
import { isErrorCode } from "../api/errors.ts";
import {
  errorOfIssue,
  type JsonSchema,
  jsonSchema,
  type Operation,
  slipAmong,
} from "../api/operation.ts";
import { toAsciiName } from "../rules/name.ts";
import { isObject, parseJson } from "../rules/readers/http_message.ts";

/** A tool: an operation, or one composed of them, with words for models; the issues of `query` may carry error codes. */
export interface Tool<
  Query extends z.ZodMiniObject = z.ZodMiniObject,
  Answer extends z.ZodMiniObject = z.ZodMiniObject,
> extends Pick<Operation<Query, Answer>, "name" | "query" | "answer" | "cost" | "run"> {
  readonly title: string;
  /** For the model that chooses a tool: verb first, when to use it, what it cannot detect; at most 500 characters. */
  readonly description: string;
  /** The answer in a few lines, for clients that pass only text to the model. */
  text(answer: z.input<Answer>): string;
}

/** Declares a tool, so that `run` and `text` are checked against its schemas. */
export function tool<Query extends z.ZodMiniObject, Answer extends z.ZodMiniObject>(
  declared: Tool<Query, Answer>,
): Tool<Query, Answer> {
  return declared;
}

/** Adapts a schema to the MCP server: rendered once, with issues that say what to send instead. */
export function mcpSchema<Schema extends z.ZodMiniObject>(
  schema: Schema,
  io: "input" | "output",
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const rendered = { ...briefSchema(schema, io) };
  return {
    "~standard": {
      version: 1,
      vendor: "domain-availability",
      validate(value) {
        const slip = isObject(value) ? slipAmong(Object.keys(value), schema) : undefined;
        if (slip !== undefined) return { issues: [{ message: slip.error.message }] };
        const reading = schema.safeParse(withWantedTypes(value, rendered));
        if (reading.success) return { value: reading.data };
        return {
          issues: reading.error.issues.map((issue) => ({
            path: issue.path,
            message: isErrorCode(issue.message)
              ? errorOfIssue(issue, issue.message).message
              : issue.message,
          })),
        };
      },
      jsonSchema: { input: () => rendered, output: () => rendered },
    },
  };
}

/**
 * The arguments with lists where a model sent one as text, in JSON or with signs between its items; with numbers as text, and the
 * name that a text stands for. Null means absent: schemas in OpenAI's strict mode make each optional member nullable.
 */
function withWantedTypes(value: unknown, { properties = {} }: JsonSchema): unknown {
  if (typeof value !== "object" || value === null) return value;
  const wanted = (name: string, member: unknown) => {
    const { type } = Object(Object.hasOwn(properties, name) && properties[name]);
    if (type === "string" && typeof member === "number") return `${member}`;
    if (typeof member !== "string") return member;
    return type === "array" ? itemsOf(member) : NAMES.get(name)?.(nameIn(member)) ?? member;
  };
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, wanted(name, member)]),
  );
}

/** The parameters that are names; ENS has no A-labels. */
const NAMES = new Map([["domain", toAsciiName], ["name", String]]);

/** The most items that a list takes. */
export const MOST_ITEMS = 250;
/** A part of punctuation alone is no name: it is left out at a hundredth of the time that reading it takes. */
const IN_NAMES = /(?![=<>|~`])[\p{L}\p{N}\p{S}\p{Extended_Pictographic}]/u;

/**
 * The items of a list in a text: each is a name or has an error, as none is in a row with others. One more than a list takes, which
 * is refused then, before all of it is read.
 */
function itemsOf(text: string): string[] {
  if (parseJson(text) !== undefined) return namesIn(text);
  const parts = text.split(/[,;|\t\r\n、，；]+/).values().filter((part) => IN_NAMES.test(part));
  return parts.flatMap(namesIn).take(MOST_ITEMS + 1).toArray();
}

/** A message with tools in place of the API's paths. */
export function forAgents(message: string): string {
  return message.replace("/v1/ens/check", "check_ens_name")
    .replace("/tlds?coverage=all", "list_tlds with coverage=all")
    .replace(" (POST /check)", "");
}

/**
 * Renders a schema without what helps no model that chooses a tool, since every session pays for the list: patterns,
 * formats and examples, as the readers of arguments say what to send instead; the members of objects inside an answer,
 * which explain themselves; and that nothing else may be there.
 */
function briefSchema(schema: z.ZodMiniType, io: "input" | "output"): JsonSchema {
  return jsonSchema(schema, io, (part, path) => {
    for (const keyword of UNNEEDED) delete part[keyword];
    // Clients that build types of a schema leave out what it does not allow.
    if (part.additionalProperties === false) delete part.additionalProperties;
    if (path.length === 0) return;
    delete part.properties;
    delete part.required;
  });
}

const UNNEEDED = ["pattern", "not", "format", "title", "examples"] as const;
