/**
 * Bodies that wait in the process only as long as their client reads.
 *
 * Deno (2.9.6) copies a whole body and holds it until the client has read it or closes the connection; of a stream it takes
 * as much as the socket takes, and at most 150 KB more (measured). A client that then takes nothing is given up: the rest
 * of its answer is dropped, and its connection is cut when it reads again. Deno closes no connection before, so a proxy's
 * time-outs bound how many stay open.
 */
import { createTimeLimits } from "../flow/deadline.ts";
import type { Sender } from "./app_env.ts";
import { ApiError } from "./errors.ts";
import { createPlaces, type PlaceLimits } from "./places.ts";

/** A client that takes no byte for so long, while some wait for it, is given up, in ms. */
const UNREAD_MS = 30_000;
/** Of a long text, in bytes. */
const CHUNK_BYTES = 16_384;

/** Answers that are being sent at once, of all clients and of one: a stream that waits takes up to 200 KB (measured). */
const PLACES: PlaceLimits = { atOnce: 2_000, perClient: 1_000 };

/** Makes a body of chunks, each made when it is pulled. Throws an `ApiError` where its sender gets no place. */
export type PulledBody = (
  chunks: Generator<Uint8Array, void> | AsyncGenerator<Uint8Array, void>,
  sender: Sender,
) => ReadableStream<Uint8Array>;

/** The bounds of answers; tests shorten them. */
export interface PulledBodyOptions {
  /** How long a client may leave the rest unread; 30 s if absent. */
  readonly ms?: number;
  readonly limits?: PlaceLimits;
  /** Aborted when the process ends: no client is given up after that. */
  readonly ending: AbortSignal;
}

/** Creates what makes bodies. */
export function createPulledBody(
  { ms = UNREAD_MS, limits = PLACES, ending }: PulledBodyOptions,
): PulledBody {
  const unread = createTimeLimits(ms, { monotonic: () => performance.now() });
  // Deno (2.9.6) cancels no body in a tenth of the cases in which a client leaves, so the timer would outlive a service.
  ending.addEventListener("abort", unread.endAll);
  const places = createPlaces(limits);

  return (chunks, sender) => {
    let stop = (_why: string) => {};
    const giveBack = places.take(sender, () => stop("Other clients need its place"));
    if (giveBack === undefined) throw BUSY;
    const giveUp = () => stop(`The client has read nothing for ${ms} ms`);
    const awaitReader = () => !ending.aborted && unread.start(giveUp);
    // Deno may pull nothing where the client has left before the answer began.
    awaitReader();
    return new ReadableStream({
      start(controller) {
        stop = (why) => {
          unread.end(giveUp);
          giveBack();
          controller.error(new Error(why));
          void chunks.return();
        };
      },
      async pull(controller) {
        unread.end(giveUp);
        try {
          const { done, value } = await chunks.next();
          if (done) {
            giveBack();
            return controller.close();
          }
          controller.enqueue(value);
        } catch (error) {
          giveBack();
          throw error;
        }
        awaitReader();
      },
      async cancel() {
        unread.end(giveUp);
        giveBack();
        await chunks.return();
      },
    }, { highWaterMark: 0 });
  };
}

const BUSY = new ApiError("service_unavailable", "too many answers are being sent", "Busy", {
  "retry-after": "1",
});

/** The chunks of a long text. */
export function* chunksOf(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}
