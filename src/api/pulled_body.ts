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

/** A body of chunks, each made when it is pulled. */
export function pulledBody(
  chunks: Generator<Uint8Array, void> | AsyncGenerator<Uint8Array, void>,
  unreadMs: number = UNREAD_MS,
): ReadableStream<Uint8Array> {
  let unread: ReturnType<typeof setTimeout> | undefined;
  return new ReadableStream({
    async pull(controller) {
      clearTimeout(unread);
      const { done, value } = await chunks.next();
      if (done) return controller.close();
      controller.enqueue(value);
      unread = setTimeout(() => {
        controller.error(new Error(`The client has read nothing for ${unreadMs} ms`));
        void chunks.return();
      }, unreadMs);
    },
    async cancel() {
      clearTimeout(unread);
      await chunks.return();
    },
  }, { highWaterMark: 0 });
}

/** The chunks of a long text. */
export function* chunksOf(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}
