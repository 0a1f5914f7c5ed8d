/**
 * Bodies that wait in the process only as long as their client reads.
 *
 * Deno (2.9.6) copies a whole body and holds it until the client has read it or closes the connection; of a stream it takes
 * as much as the socket takes, and at most 150 KB more (measured). A client that then takes nothing is given up: the rest
 * of its answer is dropped, and its connection is cut when it reads again. Deno closes no connection before, so a proxy's
 * time-outs bound how many stay open.
 */

/** A client that takes no byte for so long, while some wait for it, is given up, in ms. */
const UNREAD_MS = 30_000;
/** Of a long text, in bytes. */
const CHUNK_BYTES = 16_384;

/** When a client is given up. */
export interface UnreadLimit {
  /** How long it may leave the rest unread; 30 s if absent. */
  readonly ms?: number | undefined;
  /** Aborted when the process ends: no client is given up after that. */
  readonly ending: AbortSignal;
}

/** A body of chunks, each made when it is pulled. */
export function pulledBody(
  chunks: Generator<Uint8Array, void> | AsyncGenerator<Uint8Array, void>,
  { ms = UNREAD_MS, ending }: UnreadLimit,
): ReadableStream<Uint8Array> {
  let unread: ReturnType<typeof setTimeout> | undefined;

  function forget(): void {
    clearTimeout(unread);
    ending.removeEventListener("abort", forget);
  }

  return new ReadableStream({
    async pull(controller) {
      forget();
      const { done, value } = await chunks.next();
      if (done) return controller.close();
      controller.enqueue(value);
      unread = setTimeout(() => {
        forget();
        controller.error(new Error(`The client has read nothing for ${ms} ms`));
        void chunks.return();
      }, ms);
      // Deno (2.9.6) cancels no body in a tenth of the cases in which a client leaves, so the timer would outlive a service.
      ending.addEventListener("abort", forget);
    },
    async cancel() {
      forget();
      await chunks.return();
    },
  }, { highWaterMark: 0 });
}

/** The chunks of a long text. */
export function* chunksOf(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}
