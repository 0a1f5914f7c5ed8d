/** Reads request bodies, limited in size, in time and in how many are read at once. */

/** The text of a body, or why it was not read. */
export type BodyReading =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "refused"; readonly reason: BodyFault };

/** Why a body was not read; `busy`: too many are being read, of all clients or of this one. */
export type BodyFault = "tooLarge" | "late" | "busy" | "broken";

/** Reads the body of a request of the client `subject`. Never rejects. */
export type ReadBody = (request: Request, subject: string) => Promise<BodyReading>;

/** The limits of a process. A body that is being read takes about 200 KB (Deno 2.9.6), however little has arrived. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** For the whole body, in ms. */
  readonly deadlineMs: number;
  /** Bodies at once, of all clients. */
  readonly atOnce: number;
  /** Bodies at once of one client, so that it cannot take all slots. */
  readonly perSubject: number;
}

/** The limits of each path that takes bodies. */
export const BODY_LIMITS: BodyLimits = {
  // Enough for any call, many times over.
  maxBytes: 65_536,
  deadlineMs: 5_000,
  atOnce: 256,
  // A body that arrives whole is read in a millisecond, so a client may well send this many at the same time.
  perSubject: 32,
};

/** How long a client should wait if too many bodies are being read. */
export const BUSY_SECONDS = 1;

/** Creates the reader. */
export function createBodyReader(
  { maxBytes, deadlineMs, atOnce, perSubject }: BodyLimits = BODY_LIMITS,
): ReadBody {
  const reading = new Map<string, number>();
  let total = 0;

  return async (request, subject) => {
    if (Number(request.headers.get("content-length")) > maxBytes) return refused("tooLarge");
    if (request.body === null) return { kind: "text", text: "" };
    const own = reading.get(subject) ?? 0;
    if (total >= atOnce || own >= perSubject) return refused("busy");
    reading.set(subject, own + 1);
    total++;
    try {
      return await readWithin(request.body.getReader(), { maxBytes, deadlineMs });
    } finally {
      total--;
      const left = (reading.get(subject) ?? 1) - 1;
      if (left === 0) reading.delete(subject);
      else reading.set(subject, left);
    }
  };
}

async function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { maxBytes, deadlineMs }: Pick<BodyLimits, "maxBytes" | "deadlineMs">,
): Promise<BodyReading> {
  const decoder = new TextDecoder();
  let size = 0;
  let text = "";
  let isLate = false;
  // Ends the pending read. The connection stays open until the client closes it: Deno cannot close it.
  const cancel = () => void reader.cancel().catch(() => {});
  const timer = setTimeout(() => {
    isLate = true;
    cancel();
  }, deadlineMs);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (isLate) return refused("late");
      if (done) return { kind: "text", text: text + decoder.decode() };
      size += value.byteLength;
      if (size > maxBytes) {
        cancel();
        return refused("tooLarge");
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return refused(isLate ? "late" : "broken");
  } finally {
    clearTimeout(timer);
  }
}

function refused(reason: BodyFault): BodyReading {
  return { kind: "refused", reason };
}
