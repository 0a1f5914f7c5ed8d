/** Streamed answers: the format that a client accepts, and the bytes. */
import type { Pending } from "../flow/flight.ts";
import type { Mailbox } from "../flow/mailbox.ts";
import { preferredType } from "./accept.ts";

/** How the results of an answer are written one after the other. */
export interface StreamFormat {
  readonly mediaType: string;
  event(value: unknown): string;
  summary(value: unknown): string;
  /** A question to a registry that is under way; absent where the format has rows and a summary only. */
  pending?(value: Pending): string;
}

/** The results of an answer: events are yielded, the summary is returned. */
export type Results = AsyncGenerator<unknown, unknown>;

const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const message = (name: string) => (value: unknown) => `event: ${name}\ndata: ${line(value)}\n`;

const FORMATS: readonly StreamFormat[] = [
  { mediaType: "application/x-ndjson", event: line, summary: line },
  {
    mediaType: "text/event-stream",
    event: message("result"),
    summary: message("summary"),
    pending: message("pending"),
  },
];
/** The media types of streams. */
export const STREAM_TYPES: readonly string[] = FORMATS.map(({ mediaType }) => mediaType);

const NAMES_A_STREAM = new RegExp(STREAM_TYPES.join("|"), "i");

/**
 * The stream that an Accept header prefers; undefined means one JSON document. Wildcards, equal qualities and malformed
 * headers get JSON: a stream must be named.
 */
export function streamFormatOf(accept: string | null): StreamFormat | undefined {
  if (accept === null || !NAMES_A_STREAM.test(accept)) return undefined;
  const type = preferredType(accept, STREAM_TYPES);
  return FORMATS.find(({ mediaType }) => mediaType === type);
}

/** The bytes of the results, each sent once it is known. Nothing is looked up before the first read. */
export function streamBody(
  results: Results,
  { format, pendings, onError }: {
    format: StreamFormat;
    /** Where the look-ups report pending questions; absent unless the format has them. */
    pendings?: Mailbox<Pending> | undefined;
    onError: (error: unknown) => void;
  },
): ReadableStream<Uint8Array> {
  const texts = pendings === undefined
    ? textsOf(results, format)
    : textsWithPendings(results, format, pendings);
  return ReadableStream.from(encode(texts, results, onError));
}

async function* textsOf(results: Results, { event, summary }: StreamFormat) {
  let result = await results.next();
  for (; !result.done; result = await results.next()) yield event(result.value);
  yield summary(result.value);
}

/** A pending question is sent before the row that answers it. */
async function* textsWithPendings(
  results: Results,
  { event, summary, pending = () => "" }: StreamFormat,
  pendings: Mailbox<Pending>,
) {
  let next = results.next();
  for (;;) {
    const result = await Promise.race([next, pendings.arrival()]);
    for (const one of pendings.take()) yield pending(one);
    if (result === undefined) continue;
    if (result.done) {
      yield summary(result.value);
      return;
    }
    yield event(result.value);
    next = results.next();
  }
}

async function* encode(
  texts: AsyncGenerator<string, void>,
  results: Results,
  onError: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  try {
    for await (const text of texts) yield encoder.encode(text);
  } catch (error) {
    // The status has been sent, so aborting the stream is the only way to report the error.
    onError(error);
    throw error;
  } finally {
    await results.return(undefined);
  }
}
