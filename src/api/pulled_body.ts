/**
 * Bodies that wait in the process only as long as their client reads.
 *
 * Deno (2.9.6) copies a whole body and holds it until the client has read it or closes the connection; of a stream it takes
 * as much as the socket takes, and at most 150 KB more (measured). A client that then takes nothing is given up: the rest
 * of its answer is dropped, and its connection is cut when it reads again. Deno closes no connection before, so a proxy's
 * time-outs bound how many stay open.
 */
import { createTimeLimits } from "../flow/deadline.ts";

/** A client that takes no byte for so long, while some wait for it, is given up, in ms. */
const UNREAD_MS = 30_000;
/** Of a long text, in bytes. */
const CHUNK_BYTES = 16_384;

/** Makes a body of chunks, each made when it is pulled. */
export type PulledBody = (
  chunks: Generator<Uint8Array, void> | AsyncGenerator<Uint8Array, void>,
) => ReadableStream<Uint8Array>;

/** Creates what makes bodies. */
export function createPulledBody(
  { ms = UNREAD_MS, ending }: {
    /** How long a client may leave the rest unread; 30 s if absent. */
    ms?: number | undefined;
    /** Aborted when the process ends: no client is given up after that. */
    ending: AbortSignal;
  },
): PulledBody {
  const unread = createTimeLimits(ms, { monotonic: () => performance.now() });
  // Deno (2.9.6) cancels no body in a tenth of the cases in which a client leaves, so the timer would outlive a service.
  ending.addEventListener("abort", unread.endAll);

  return (chunks) => {
    let giveUp = () => {};
    return new ReadableStream({
      start(controller) {
        giveUp = () => {
          controller.error(new Error(`The client has read nothing for ${ms} ms`));
          void chunks.return();
        };
      },
      async pull(controller) {
        unread.end(giveUp);
        const { done, value } = await chunks.next();
        if (done) return controller.close();
        controller.enqueue(value);
        if (!ending.aborted) unread.start(giveUp);
      },
      async cancel() {
        unread.end(giveUp);
        await chunks.return();
      },
    }, { highWaterMark: 0 });
  };
}

/** The chunks of a long text. */
export function* chunksOf(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}
