/**
 * Streamed answers: the format that a client accepts, and the events on their way to it.
 *
 * An event waits as the value that it is made from, and becomes text when its client reads. Rows come in the order in which
 * they settle. Server-sent events also have `pending`: the host reports a question that it queues, and the check passes it
 * to all waiters of the look-up.
 */
import type { Pending } from "../flow/cache/flight.ts";
import { withDeadline } from "../flow/deadline.ts";
import { parseAccept } from "hono/utils/accept";

type Print = (value: unknown) => string;

/** How the events of an answer are written. */
interface StreamFormat extends Readonly<Record<"row" | "summary", Print>> {
  readonly mediaType: string;
  /** What clients ignore: proxies and clients end a connection that is silent for long. */
  readonly filler: string;
  /** A question to a registry that is under way; absent where the format has no such event. */
  readonly pending?: (pending: Pending) => string;
}

/** The results of a valid request: its rows, and what is known once all of them are. */
export interface Results {
  /** Starts the look-ups. */
  start(): readonly Promise<unknown>[];
  summary(): unknown;
}

const line: Print = (value) => `${JSON.stringify(value)}\n`;
const message = (name: string): Print => (value) => `event: ${name}\ndata: ${line(value)}\n`;

/**
 * The id of the last event. An EventSource that its page does not close connects again and sends it: 204 ends that (HTML, 9.2.3), where
 * otherwise each time would count as a request.
 */
export const LAST_EVENT = "end";

const FORMATS: readonly StreamFormat[] = [
  { mediaType: "application/x-ndjson", filler: " ", row: line, summary: line },
  {
    mediaType: "text/event-stream",
    filler: ":\n\n",
    row: message("result"),
    summary: (value) => `event: summary\ndata: ${line(value)}id: ${LAST_EVENT}\n\n`,
    pending({ domain, tld, host, expectedAt, likely }) {
      const expectedMs = Math.max(0, Math.ceil(expectedAt - performance.now()));
      return message("pending")({ domain, tld, host, expectedMs, likely });
    },
  },
];

// Linear: alternatives of fixed texts.
const NAMES_A_STREAM = new RegExp(FORMATS.map(({ mediaType }) => mediaType).join("|"), "i");

/**
 * The stream that an Accept header names and prefers over JSON (RFC 9110 §12.5.1); undefined means one JSON document, also for
 * wildcards, equal qualities and malformed headers.
 */
export function streamFormatOf(accept = ""): StreamFormat | undefined {
  if (!NAMES_A_STREAM.test(accept)) return undefined;
  const ranges = new Map(parseAccept(accept).map(({ type, q }) => [type.toLowerCase(), q]));
  const [json, any] = ["application/json", "application/*"].map((type) => ranges.get(type));
  let best = json ?? any ?? ranges.get("*/*") ?? 0;
  let chosen: StreamFormat | undefined;
  for (const format of FORMATS) {
    const quality = ranges.get(format.mediaType) ?? 0;
    if (quality > best) [best, chosen] = [quality, format];
  }
  return chosen;
}

/** Events that are ready together are sent together, up to about so many characters. */
const CHUNK_CHARACTERS = 16_384;

/** After so many ms without an event a filler is sent. */
const SILENCE_MS = 15_000;

/** Creates the events of one answer. */
export function createAnswerStream(
  format: StreamFormat,
  { silenceMs = SILENCE_MS }: { silenceMs?: number } = {},
) {
  const { pending } = format;
  const ready: (() => string)[] = [];
  let arrival = Promise.withResolvers<void>();
  const left = new AbortController();

  function put(print: () => string): void {
    ready.push(print);
    arrival.resolve();
  }

  return {
    /** Aborted once its client has left, or has lost the rest. */
    left,
    onPending: pending && ((question: Pending) => put(() => pending(question))),
    /** The bytes of results, whose look-ups begin with the first. A row that fails is reported, and ends them with its error. */
    async *chunksOf(
      { start, summary }: Results,
      onError: (error: unknown) => void,
    ): AsyncGenerator<Uint8Array, void> {
      const rows = start();
      /** Rows that have not come. */
      let awaited = rows.length;
      const putRow = (row: unknown) => {
        awaited--;
        put(() => format.row(row));
      };
      // The status has been sent, so aborting the stream is the only way to report an error.
      const fail = (error: unknown) =>
        put(() => {
          onError(error);
          throw error;
        });
      for (const row of rows) row.then(putRow, fail);
      const encoder = new TextEncoder();
      for (let isOver = false; !isOver;) {
        if (ready.length === 0 && awaited > 0) {
          const arriving = arrival.promise.then(() => true);
          if (!await withDeadline(arriving, silenceMs, false)) {
            yield encoder.encode(format.filler);
            continue;
          }
        }
        arrival = Promise.withResolvers();
        let text = "";
        while (ready.length > 0 && text.length < CHUNK_CHARACTERS) text += ready.shift()!();
        isOver = awaited === 0 && ready.length === 0;
        if (isOver) text += format.summary(summary());
        yield encoder.encode(text);
      }
    },
  };
}
