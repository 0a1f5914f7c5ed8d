import { assertEquals } from "@std/assert";
import { createRemoteClient } from "../../src/cli/remote_client.ts";
import { FakeTime } from "../support/fake_time.ts";

const ABORTED = "aborted";

/** The chunks of a response of two that arrive, when the service and the reader take this long for each. */
async function arrivals({ serviceMs, readerMs }: { serviceMs: number; readerMs: number }) {
  using time = new FakeTime(0);
  const client = createRemoteClient({
    url: new URL("http://service.lab"),
    key: undefined,
    fetch: (_url, { signal }) => Promise.resolve(new Response(signal && bodyOf(signal))),
    pauses: { wait: () => Promise.resolve() },
    stop: new AbortController().signal,
    now: Date.now,
  });

  function bodyOf(signal: AbortSignal): ReadableStream<Uint8Array> {
    const chunks = ["1", "2"];
    return new ReadableStream({
      start: (controller) => signal.addEventListener("abort", () => controller.error()),
      pull(controller) {
        time.tick(serviceMs);
        if (signal.aborted) return;
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(chunk));
      },
    }, { highWaterMark: 0 });
  }

  async function* read({ body }: Response): AsyncGenerator<string> {
    try {
      for await (const chunk of body ?? []) yield new TextDecoder().decode(chunk);
    } catch {
      yield ABORTED;
    }
  }

  const arrived: string[] = [];
  const sent = client.send({ path: "", accept: "" }, { read, failed: (message) => [message] });
  for await (const chunk of sent) {
    arrived.push(chunk);
    time.tick(readerMs);
  }
  return arrived;
}

Deno.test("createRemoteClient() does not count the reader's pauses as silence of the service", async () => {
  assertEquals(await arrivals({ serviceMs: 10_000, readerMs: 600_000 }), ["1", "2"]);
});

Deno.test("createRemoteClient() reads as long as the service sends something, and aborts after a minute of silence", async () => {
  assertEquals(await arrivals({ serviceMs: 40_000, readerMs: 600_000 }), ["1", "2"]);
  assertEquals(await arrivals({ serviceMs: 60_000, readerMs: 0 }), [ABORTED]);
});
