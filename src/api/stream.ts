/**
 * Streamed answers: the format that a client accepts, and the bytes.
 *
 * Rows are yielded in the order in which they settle. Server-sent events also have `pending`: the gate reports a question
 * that it queues, the check passes it to all waiters of the look-up, and a mailbox carries it past the rows.
 */
import type { Pending } from "../flow/cache/flight.ts";
import { createMailbox, type Mailbox } from "../flow/mailbox.ts";
import { preferredType } from "./accept.ts";
import { pulledBody, type UnreadLimit } from "./pulled_body.ts";

/** How the results of an answer are written one after the other. */
export interface StreamFormat {
  readonly mediaType: string;
  event(value: unknown): string;
  summary(value: unknown): string;
  /** The events beside rows and summary; absent where the format has none. */
  readonly sideEvents?: SideEventFormat;
}

interface SideEventFormat {
  /** A question to a registry that is under way. */
  pending(value: Pending): string;
  /** A row that replaces the one of the same domain. */
  correction(value: object): string;
}

/** What look-ups report beside their results. */
export interface SideEvents {
  readonly pendings: Mailbox<Pending>;
  /** The corrections that may still come, by domain. */
  readonly corrections: Map<string, Promise<object | undefined>>;
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
    sideEvents: { pending: message("pending"), correction: message("correction") },
  },
];
/** The media types of streams. */
export const STREAM_TYPES: readonly string[] = FORMATS.map(({ mediaType }) => mediaType);

// Linear: alternatives of fixed texts.
const NAMES_A_STREAM = new RegExp(STREAM_TYPES.join("|"), "i");

/**
 * The stream that an Accept header prefers; undefined means one JSON document. Wildcards, equal qualities and malformed
 * headers get JSON: a stream must be named.
 */
export function streamFormatOf(accept: string | undefined): StreamFormat | undefined {
  if (accept === undefined || !NAMES_A_STREAM.test(accept)) return undefined;
  const type = preferredType(accept, STREAM_TYPES);
  return FORMATS.find(({ mediaType }) => mediaType === type);
}

/** The bytes of the results, each sent once it is known. Nothing is looked up before the first read. */
export function streamBody(
  results: Results,
  { format, sideEvents, onError, unread }: {
    format: StreamFormat;
    /** Absent unless the format has events beside rows and summary. */
    sideEvents?: SideEvents | undefined;
    onError: (error: unknown) => void;
    unread: UnreadLimit;
  },
): ReadableStream<Uint8Array> {
  const texts = format.sideEvents === undefined || sideEvents === undefined
    ? textsOf(results, format)
    : textsWithSideEvents(results, format, { format: format.sideEvents, ...sideEvents });
  return pulledBody(encode(texts, results, onError), unread);
}

async function* textsOf(results: Results, { event, summary }: StreamFormat) {
  let result = await results.next();
  for (; !result.done; result = await results.next()) yield event(result.value);
  yield summary(result.value);
}

/**
 * A pending question is sent before the row that answers it, a correction after the row that it replaces. The summary
 * waits for corrections that may still come: clients stop reading at it.
 */
async function* textsWithSideEvents(
  results: Results,
  { event, summary }: StreamFormat,
  { format, pendings, corrections }: SideEvents & { format: SideEventFormat },
) {
  const corrected = createMailbox<object | undefined>();
  let outstanding = 0;

  function awaitCorrection(row: unknown): void {
    const { domain, input } = row as { domain?: string; input?: string };
    const correction = corrections.get(domain ?? "");
    if (correction === undefined) return;
    outstanding++;
    // A failure is logged where it happens.
    correction.catch(() => undefined).then((row) =>
      corrected.put(row && { ...(input !== undefined && { input }), ...row })
    );
  }

  function* takeCorrections() {
    for (const row of corrected.take()) {
      outstanding--;
      if (row !== undefined) yield format.correction(row);
    }
  }

  let next = results.next();
  for (;;) {
    const result = await Promise.race([next, pendings.arrival(), corrected.arrival()]);
    for (const one of pendings.take()) yield format.pending(one);
    yield* takeCorrections();
    if (result === undefined) continue;
    if (result.done) {
      while (outstanding > 0) {
        await corrected.arrival();
        yield* takeCorrections();
      }
      yield summary(result.value);
      return;
    }
    yield event(result.value);
    awaitCorrection(result.value);
    next = results.next();
  }
}

async function* encode(
  texts: AsyncGenerator<string, void>,
  results: Results,
  onError: (error: unknown) => void,
): AsyncGenerator<Uint8Array, void> {
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
