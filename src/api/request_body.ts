/** Reads request bodies, limited in size, in time and in how many are read at once. */

import type { Sender } from "./app_env.ts";
import { createPlaces, type PlaceLimits } from "./places.ts";

/** The text of a body, or why it was not read. */
export type BodyReading =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "refused"; readonly reason: BodyFault };

/** Why a body was not read; `busy`: too many are being read, of all clients, of its site or of its client. */
export type BodyFault = "tooLarge" | "late" | "busy" | "broken";

/** Reads the body of a request. Never rejects. */
type ReadBody = (request: Request, sender: Sender) => Promise<BodyReading>;

/** The limits of a process. A body that is being read takes about 200 KB (Deno 2.9.6), however little has arrived. */
export interface BodyLimits extends PlaceLimits {
  readonly maxBytes: number;
  /** For the whole body, in ms. */
  readonly deadlineMs: number;
}

/** The limits of each path that takes bodies. */
export const BODY_LIMITS: BodyLimits = {
  // Enough for any call, many times over.
  maxBytes: 65_536,
  deadlineMs: 5_000,
  atOnce: 256,
  // A body that arrives whole is read in a millisecond, so a client may well send this many at the same time.
  perClient: 32,
};

/** How long a client should wait if too many bodies are being read. */
export const BUSY_SECONDS = 1;

/** Creates the reader. */
export function createBodyReader(
  { maxBytes, deadlineMs, ...limits }: BodyLimits = BODY_LIMITS,
): ReadBody {
  const places = createPlaces(limits);

  return async (request, sender) => {
    if (Number(request.headers.get("content-length")) > maxBytes) return refused("tooLarge");
    if (request.body === null) return { kind: "text", text: "" };
    const giveBack = places.take(sender, () => end("busy"));
    if (giveBack === undefined) return refused("busy");
    const reader = request.body.getReader();
    let fault: BodyFault | undefined;

    /** Ends the pending read. The connection stays open until the client closes it: Deno cannot close it. */
    function end(why: BodyFault): void {
      fault ??= why;
      reader.cancel().catch(() => {});
    }

    const timer = setTimeout(() => end("late"), deadlineMs);
    const decoder = new TextDecoder();
    let size = 0;
    let text = "";
    try {
      while (fault === undefined) {
        const { done, value } = await reader.read();
        if (done) break;
        size += value.byteLength;
        if (size > maxBytes) end("tooLarge");
        text += decoder.decode(value, { stream: true });
      }
      return fault === undefined ? { kind: "text", text: text + decoder.decode() } : refused(fault);
    } catch {
      return refused(fault ?? "broken");
    } finally {
      clearTimeout(timer);
      giveBack();
    }
  };
}

function refused(reason: BodyFault): BodyReading {
  return { kind: "refused", reason };
}
