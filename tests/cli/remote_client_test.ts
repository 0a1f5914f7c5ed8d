import { assertEquals } from "@std/assert";
import { bytesOf, createRemoteClient } from "../../src/cli/remote_client.ts";
import { FakeTime } from "../support/fake_time.ts";

/** The chunks of a response of two that arrive, when the service and the reader take this long for each. */
async function arrivals({ serviceMs, readerMs }: { serviceMs: number; readerMs: number }) {
  using time = new FakeTime(0);
  const chunks = ["1", "2"];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, serviceMs));
      const chunk = chunks.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(chunk));
    },
  }, { highWaterMark: 0 });
  const arrived: string[] = [];
  const reading = (async () => {
    for await (const chunk of bytesOf(new Response(body))) {
      arrived.push(new TextDecoder().decode(chunk));
      await new Promise((resolve) => setTimeout(resolve, readerMs));
    }
  })().catch(() => void arrived.push("aborted"));
  await time.runAll();
  await reading;
  return arrived;
}

Deno.test("bytesOf() reads as long as the service sends something within a minute, however long its reader takes", async () => {
  assertEquals(await arrivals({ serviceMs: 40_000, readerMs: 600_000 }), ["1", "2"]);
  assertEquals(await arrivals({ serviceMs: 61_000, readerMs: 0 }), ["aborted"]);
});

Deno.test("createRemoteClient() reports a service that does not answer within a minute", async () => {
  using time = new FakeTime(0);
  const client = createRemoteClient({
    url: new URL("http://service.lab"),
    key: undefined,
    fetch: (_url, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error()))),
    pauses: { wait: () => Promise.resolve() },
    stop: new AbortController().signal,
    now: Date.now,
  });
  const sent = client.send({ path: "tlds" });
  await time.runAll();
  const message = "service.lab did not answer within 60 s";
  assertEquals(await sent, { kind: "failed", message });
});
