/** One declaration of an operation: its path, its schemas, and what it does. */
import type * as z from "zod/mini";
import type { Spent, Waiter } from "../flow/flight.ts";
import type { Services } from "../wiring/services.ts";
import { ApiError, type ErrorCode, isErrorCode } from "./errors.ts";

/** The methods of operations and documents, as Allow has them. */
export const METHODS = "GET, HEAD, OPTIONS";

/** What an operation is about: a chapter of the documents. */
export type Chapter = "domains" | "ens" | "service";

/**
 * An operation of the API. The issues of `query` carry error codes as their messages. Schemas are made when they are
 * first needed: a start should not pay for those of other operations, nor for answers that are printed only.
 */
export interface Operation<
  Query extends z.ZodMiniObject = z.ZodMiniObject,
  Answer extends z.ZodMiniType = z.ZodMiniType,
  Event extends z.ZodMiniType = z.ZodMiniType,
  Summary extends z.ZodMiniType = z.ZodMiniType,
  Path extends string = string,
> {
  readonly name: string;
  readonly path: Path;
  readonly chapter: Chapter;
  readonly summary: string;
  /** What an answer means and what it cannot know, for whoever reads the documents. */
  readonly description: string;
  readonly query: () => Query;
  readonly answer: () => Answer;
  /** The refusals that it can answer, besides those that any request can meet. */
  readonly errors: readonly ErrorCode[];
  /** What only the asker still waits for is given up when it leaves. */
  run(
    query: z.output<Query>,
    services: Services,
    waiter?: Waiter,
  ): z.input<Answer> | Promise<z.input<Answer>>;
  /** The Server-Timing of an answer, by what its last look-up spent; no name may be in it. */
  serverTiming?(answer: z.input<Answer>, spent: Spent | undefined): string;
  /** How the answer can be told piece by piece, where it has pieces. */
  readonly stream?: Stream<Query, Event, Summary>;
}

/** The same answer in pieces: an event for each, the moment it is known, and a summary after the last. */
export interface Stream<
  Query extends z.ZodMiniObject,
  Event extends z.ZodMiniType,
  Summary extends z.ZodMiniType,
> {
  readonly event: () => Event;
  readonly summary: () => Summary;
  /** Refusals are thrown before there are pieces. Events are yielded, the summary is returned. */
  run(
    query: z.output<Query>,
    services: Services,
    waiter?: Waiter,
  ): Promise<AsyncGenerator<z.input<Event>, z.input<Summary>>>;
}

/** Declares an operation, so that `run` is checked against its schemas. */
export function operation<
  Query extends z.ZodMiniObject,
  Answer extends z.ZodMiniType,
  Event extends z.ZodMiniType,
  Summary extends z.ZodMiniType,
  const Path extends string,
>(
  declared: Operation<Query, Answer, Event, Summary, Path>,
): Operation<Query, Answer, Event, Summary, Path> {
  return declared;
}

/** Reads the query of a request to an operation. Throws the `ApiError` of the first parameter at fault. */
export type ReadQuery<Query extends z.ZodMiniObject> = (
  queries: Readonly<Record<string, string[]>>,
) => z.output<Query>;

/**
 * Creates the reader of an operation's queries. A repeated parameter reaches the schema as a list, which no parameter
 * takes.
 */
export function createReadQuery<Query extends z.ZodMiniObject>(
  { query }: Pick<Operation<Query>, "query">,
): ReadQuery<Query> {
  let schema: Query | undefined;
  return (queries) => {
    schema ??= query();
    const input: Record<string, unknown> = {};
    for (const name of Object.keys(schema.shape)) {
      const values = queries[name];
      if (values !== undefined) input[name] = values.length === 1 ? values[0] : values;
    }
    const reading = schema.safeParse(input);
    if (reading.success) return reading.data;
    const [issue] = reading.error.issues;
    if (issue === undefined || !isErrorCode(issue.message)) throw reading.error;
    const isRepeated = Array.isArray(input[String(issue.path[0])]);
    if (isRepeated) throw new ApiError(issue.message, `send ${String(issue.path[0])} once`);
    throw new ApiError(issue.message, issue.code === "custom" ? issue.params?.advice : undefined);
  };
}
