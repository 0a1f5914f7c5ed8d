/** The body of a service's answer: JSON or lines of it, of any shape, but not of any length. */
import { lines } from "../flow/lines.ts";

/** A row has 300 characters, and IANA knows of 1,500 TLDs. */
const MOST_BYTES = 4 * 1_024 * 1_024;

/** Reads a JSON body, of whatever shape. Throws where it is none, or too long. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await Array.fromAsync(lines(capped(response.body), { most: MOST_BYTES }));
  return JSON.parse(text.join("\n"));
}

/** Yields the body. Throws where it is too long. */
export async function* capped(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MOST_BYTES) throw new RangeError("Cannot read the answer: it is too long");
    yield chunk;
  }
}

/** Whether a value has members that can be looked at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
