/** Answers told piece by piece: in which form a caller takes them, and the bytes. */
import { parseAccept } from "hono/utils/accept";

/** How the pieces of an answer are written one after the other. */
export interface StreamFormat {
  readonly mediaType: string;
  event(value: unknown): string;
  summary(value: unknown): string;
}

/** What tells the pieces: events are yielded, the summary is returned. */
export type Pieces = AsyncGenerator<unknown, unknown>;

const JSON_TYPE = "application/json";
const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const message = (name: string) => (value: unknown) => `event: ${name}\ndata: ${line(value)}\n`;

const FORMATS: readonly StreamFormat[] = [
  { mediaType: "application/x-ndjson", event: line, summary: line },
  { mediaType: "text/event-stream", event: message("result"), summary: message("summary") },
];
/** The media types in which an operation with pieces answers, besides JSON. */
export const STREAM_TYPES: readonly string[] = FORMATS.map(({ mediaType }) => mediaType);

const NAMES_A_STREAM = new RegExp(STREAM_TYPES.join("|"), "i");

/**
 * The form that an Accept header asks for; undefined is one JSON document, which wildcards, equal qualities and whatever
 * is not understood get too. Nobody is sent a stream whose header does not name it.
 */
export function streamFormatOf(accept: string | null): StreamFormat | undefined {
  if (accept === null || !NAMES_A_STREAM.test(accept)) return undefined;
  const ranges = new Map(parseAccept(accept).map(({ type, q }) => [type.toLowerCase(), q]));
  let best = qualityOf(JSON_TYPE, ranges);
  let chosen: StreamFormat | undefined;
  for (const format of FORMATS) {
    const quality = qualityOf(format.mediaType, ranges);
    if (quality > best) [best, chosen] = [quality, format];
  }
  return chosen;
}

/** The quality of a type is that of the most specific range that holds it (RFC 9110 §12.5.1). */
function qualityOf(mediaType: string, ranges: ReadonlyMap<string, number>): number {
  const [main] = mediaType.split("/");
  return ranges.get(mediaType) ?? ranges.get(`${main}/*`) ?? ranges.get("*/*") ?? 0;
}

/** The bytes of the pieces, each sent when it is there. Nothing is asked for before somebody reads. */
export function streamBody(
  pieces: Pieces,
  { format, onError }: { format: StreamFormat; onError: (error: unknown) => void },
): ReadableStream<Uint8Array> {
  return ReadableStream.from(encode(pieces, format, onError));
}

async function* encode(
  pieces: Pieces,
  { event, summary }: StreamFormat,
  onError: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  try {
    let piece = await pieces.next();
    for (; !piece.done; piece = await pieces.next()) yield encoder.encode(event(piece.value));
    yield encoder.encode(summary(piece.value));
  } catch (error) {
    // The status is long sent: that the stream breaks off is how its reader learns of it.
    onError(error);
    throw error;
  } finally {
    await pieces.return(undefined);
  }
}
