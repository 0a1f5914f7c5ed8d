import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type * as z from "zod/mini";
import { namesIn } from "../../static/names_in_text.js";
import { isErrorCode } from "../api/errors.ts";
import {
  errorOfIssue,
  type JsonSchema,
  jsonSchema,
  misspelt,
  slipAmong,
} from "../api/operation.ts";

/** Adapts a schema to the MCP server: rendered once, with issues that say what to send instead. */
export function mcpSchema<Schema extends z.ZodMiniObject>(
  schema: Schema,
  io: "input" | "output",
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const rendered = { ...brief(jsonSchema(schema, io)) as JsonSchema };
  return {
    "~standard": {
      version: 1,
      vendor: "domain-availability",
      validate(value) {
        const slip = slipAmong(Object.keys(Object(value)), Object.keys(schema.shape));
        if (slip !== undefined) return { issues: [{ message: misspelt(slip).message }] };
        const reading = schema.safeParse(withWantedTypes(value, schema));
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

/** The arguments with lists where a model sent one as text, in JSON or the names of a text, and with numbers as text. */
export function withWantedTypes(value: unknown, { shape }: z.ZodMiniObject): unknown {
  if (typeof value !== "object" || value === null) return value;
  return mapped(value, (member, name) => {
    const type = shape[name] && typeOf(shape[name]);
    if (type === "array" && typeof member === "string") return namesIn(member);
    // A parameter reads text.
    return type === "pipe" && typeof member === "number" ? `${member}` : member;
  });
}

/** The type of a member, if it is sent. */
function typeOf(schema: z.core.$ZodType): string {
  const { def } = schema._zod;
  return "innerType" in def ? typeOf(def.innerType as z.core.$ZodType) : def.type;
}

/**
 * Drops what helps no model that chooses a tool, since every session pays for the list: patterns, formats and examples, as the
 * readers of arguments say what to send instead; the members of objects inside an answer, which explain themselves; and that
 * nothing else may be there.
 */
function brief(part: unknown, isInside = false): unknown {
  if (Array.isArray(part)) return part.map((one) => brief(one, isInside));
  if (typeof part !== "object" || part === null) return part;
  const {
    pattern: _,
    not: __,
    format: ___,
    title: ____,
    additionalProperties: _____,
    examples: ______,
    ...rest
  } = part as JsonSchema;
  const { properties, required, ...words } = rest;
  if (properties === undefined) return mapped(words, (one) => brief(one, isInside));
  if (isInside) return words;
  const members = mapped(properties, (one) => brief(one, true));
  return { ...words, properties: members, ...(required && { required }) };
}

function mapped(
  object: object,
  change: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  const members = Object.entries(object);
  return Object.fromEntries(members.map(([name, value]) => [name, change(value, name)]));
}
