/** A check of a name under every TLD, told as it goes. */
export interface TimedStream {
  /** Until the first row was there. */
  firstMs: number;
  /** Until the summary was there. */
  lastMs: number;
}

/** Checks a name as NDJSON on a connection that is open already. */
export async function timedStream({ url }: { url: string }, label: string): Promise<TimedStream> {
  using socket = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(url).port) });
  socket.setNoDelay(true);
  const head = `GET /check?name=${label} HTTP/1.1\r\nhost: localhost\r\n`;
  const accept = "accept: application/x-ndjson\r\nconnection: close\r\n\r\n";
  const startedAt = performance.now();
  await socket.write(new TextEncoder().encode(head + accept));
  let text = "";
  let firstMs = NaN;
  for await (const chunk of socket.readable.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (Number.isNaN(firstMs) && text.includes('"domain":')) {
      firstMs = performance.now() - startedAt;
    }
  }
  if (!text.includes('"count":')) throw new Error(`Cannot measure: no summary in ${text}`);
  return { firstMs, lastMs: performance.now() - startedAt };
}
