/** The declaration of an operation: its path, its schemas, and what it does. */
import * as z from "zod/mini";
import type { Waiter } from "../flow/cache/flight.ts";
import type { Services } from "../wiring/services.ts";
import { nearMissOf } from "../rules/name.ts";
import { ApiError, type ErrorCode, isErrorCode } from "./errors.ts";
import type { Results } from "./stream.ts";

/** The section of the documents that an operation is in. */
export type Chapter = "domains" | "ens" | "service";

/**
 * An operation by GET, or by POST if it has a body. The issues of `query` carry error codes as their messages. Schemas are
 * functions, so that a start does not pay for them.
 */
export interface Operation<
  Query extends z.ZodMiniObject = z.ZodMiniObject,
  Answer extends z.ZodMiniType = z.ZodMiniType,
  Path extends string = string,
  Body extends z.ZodMiniObject = z.ZodMiniObject,
> {
  readonly name: string;
  readonly path: Path;
  readonly chapter: Chapter;
  readonly summary: string;
  /** For the documents: what an answer means and what it cannot know. */
  readonly description: string;
  readonly query: () => Query;
  /** The members of its body in JSON, which are passed on beside the parameters. */
  readonly body?: () => Body;
  readonly answer: () => Answer;
  /** The errors that it answers, without those of every request. */
  readonly errors: readonly ErrorCode[];
  /** The headers of an answer that is a text, in which `{base}` stands for the service's base URL. */
  readonly textHeaders?: { readonly "content-type": string; readonly "cache-control"?: string };
  /** Whether its requests are never counted, so that it is never rejected by the rate limit. */
  readonly isUncounted?: true;
  /** How many requests of the client's limit it uses; one if absent. Throws an `ApiError` if it cannot be answered. */
  cost?(
    input: z.output<Query> & z.output<Body>,
    services: Services,
  ): Promise<number> | number;
  /** Look-ups that only `waiter` waits for are cancelled when its client disconnects. */
  run(
    input: z.output<Query> & z.output<Body>,
    services: Services,
    waiter?: Waiter,
  ): Promise<z.input<Answer>> | z.input<Answer>;
  /** The Server-Timing of an answer; it must not contain a checked name. */
  serverTiming?(answer: z.input<Answer>): string;
  /** Prepares the answer as a stream, if it can be one: each result once it is known, then a summary. */
  stream?(
    input: z.output<Query> & z.output<Body>,
    services: Services,
    waiter?: Waiter,
  ): Promise<Results>;
}

/** Declares an operation, so that `run` is checked against its schemas. */
export function operation<
  Query extends z.ZodMiniObject,
  Answer extends z.ZodMiniType,
  const Path extends string,
  Body extends z.ZodMiniObject,
>(declared: Operation<Query, Answer, Path, Body>): Operation<Query, Answer, Path, Body> {
  return declared;
}

/** The schema of a text, with what the documents say of it. */
export const text = (description: string) => z.string().check(z.describe(description));

/** The schema of a number, with what the documents say of it. */
export const number = (description: string) => z.number().check(z.describe(description));

/**
 * Creates the reader of an operation's queries, which throws the `ApiError` of the first invalid parameter. A repeated
 * parameter becomes a list, which no schema accepts.
 */
export function createReadQuery<Query extends z.ZodMiniObject>(
  { query, body }: Pick<Operation<Query>, "query" | "body">,
): (queries: Readonly<Record<string, string[]>>) => z.output<Query> {
  let schema: Query | undefined;
  let elsewhere: Elsewhere | undefined;
  return (queries) => {
    schema ??= query();
    elsewhere ??= { schema: body?.(), place: "body" };
    const input: Record<string, unknown> = {};
    for (const name of Object.keys(schema.shape)) {
      const values = queries[name];
      if (values !== undefined) input[name] = values.length === 1 ? values[0] : values;
    }
    const reading = schema.safeParse(input);
    const slip = slipAmong(Object.keys(queries), schema, elsewhere);
    // Names are case-sensitive: a required one that only differs in case is missing.
    if (slip !== undefined && (reading.success || slip.sent.toLowerCase() !== slip.meant)) {
      throw slip.error;
    }
    if (reading.success) return reading.data;
    const [issue] = reading.error.issues;
    if (issue === undefined || !isErrorCode(issue.message)) throw reading.error;
    const isRepeated = Array.isArray(input[String(issue.path[0])]);
    if (isRepeated) throw new ApiError(issue.message, `send ${String(issue.path[0])} once`);
    throw errorOfIssue(issue, issue.message);
  };
}

/** The error of an issue whose message is its code. Parameters with a list of values are optional. */
export function errorOfIssue(issue: z.core.$ZodIssue, code: ErrorCode): ApiError {
  const name = String(issue.path[0]);
  if (code === "missing_parameter") {
    return new ApiError(code, undefined, `Missing parameter: ${name}`);
  }
  const advice = issue.code === "invalid_value"
    ? `send ${issue.values.join(" or ")}, or leave ${name} out`
    : issue.code === "custom"
    ? issue.params?.advice
    : undefined;
  return new ApiError(code, advice);
}

/** The names that another place of a request takes. */
export interface Elsewhere {
  readonly schema: z.ZodMiniObject | undefined;
  readonly place: "query" | "body";
}

/** No client sends more by a slip: each is compared with all known names, before the limit is known to admit the request. */
const MOST_COMPARED = 50;

/**
 * The first name of a parameter, or of a member of a body, that misses a known one by one slip, by a list's brackets or by its
 * place: ignored like other unknown ones, it would change what is answered.
 */
export function slipAmong(
  names: readonly string[],
  { shape }: z.ZodMiniObject,
  other?: Elsewhere,
) {
  const [known, others] = [Object.keys(shape), Object.keys(other?.schema?.shape ?? {})];
  for (const sent of names.slice(0, MOST_COMPARED)) {
    if (known.includes(sent)) continue;
    const bare = sent.replace(/\[\d*\]$/, "");
    const find = (list: readonly string[]) => list.includes(bare) ? bare : nearMissOf(bare, list);
    const [own, moved] = [find(known), find(others)];
    const meant = own ?? moved;
    if (meant === undefined) continue;
    const advice = own === undefined ? `in the ${other?.place}` : `instead of ${sent}`;
    return { sent, meant, error: new ApiError("invalid_parameter", `send ${meant} ${advice}`) };
  }
}

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * Renders a schema as JSON Schema. Left out are the pattern that zod adds to a format, which is 300 characters for each
 * date, and `readOnly`, which means something only in TypeScript; `change` changes each part at its path.
 */
export function jsonSchema(
  schema: z.ZodMiniType,
  io: "input" | "output",
  change: (part: JsonSchema, path: readonly (string | number)[]) => void = () => {},
): JsonSchema {
  const { $schema: _, "~standard": __, ...rendered } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema, path }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      delete jsonSchema.readOnly;
      change(jsonSchema, path);
    },
  });
  return rendered;
}
