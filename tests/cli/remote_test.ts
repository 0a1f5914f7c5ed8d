import { assertEquals } from "@std/assert";
import { createRemote } from "../../src/cli/remote.ts";
import { FakeTime } from "../support/fake_time.ts";

const BROKEN_OFF = "broken off";

/** What arrives of a service's two pieces where it takes so long for each, and we to take it. */
async function arrivals({ serviceMs, readerMs }: { serviceMs: number; readerMs: number }) {
  using time = new FakeTime(0);
  const exchange = createRemote({
    url: new URL("http://service.lab"),
    key: undefined,
    fetch: (_url, { signal }) => Promise.resolve(new Response(signal && bodyOf(signal))),
    pauses: { wait: () => Promise.resolve() },
    stop: new AbortController().signal,
    now: Date.now,
  });

  function bodyOf(signal: AbortSignal): ReadableStream<Uint8Array> {
    const pieces = ["1", "2"];
    return new ReadableStream({
      start: (controller) => signal.addEventListener("abort", () => controller.error()),
      pull(controller) {
        time.tick(serviceMs);
        if (signal.aborted) return;
        const piece = pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(piece));
      },
    }, { highWaterMark: 0 });
  }

  async function* read({ body }: Response): AsyncGenerator<string> {
    try {
      for await (const piece of body ?? []) yield new TextDecoder().decode(piece);
    } catch {
      yield BROKEN_OFF;
    }
  }

  const arrived: string[] = [];
  for await (const piece of exchange("", { accept: "", read, failed: (why) => [why] })) {
    arrived.push(piece);
    time.tick(readerMs);
  }
  return arrived;
}

Deno.test("createRemote() lets whoever reads an answer pause for as long as they like", async () => {
  assertEquals(await arrivals({ serviceMs: 10_000, readerMs: 600_000 }), ["1", "2"]);
});

Deno.test("createRemote() waits for a service no more than a minute in all, however often it sends something", async () => {
  assertEquals(await arrivals({ serviceMs: 40_000, readerMs: 600_000 }), ["1", BROKEN_OFF]);
});
