import { assert, assertEquals } from "@std/assert";
import { bytesOf, createRemoteClient } from "../../src/cli/remote_client.ts";
import { pause } from "../../src/flow/deadline.ts";
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

function clientOf(
  answer: (names: number, signal: AbortSignal) => Promise<Response>,
  stop = new AbortController().signal,
) {
  return createRemoteClient({
    url: new URL("http://service.lab"),
    key: undefined,
    fetch: (_url, { body, signal }) => answer(Number(body ?? 1), signal!),
    wait: (ms) => pause(ms),
    stop,
    now: Date.now,
  });
}

/** What a client's requests for these numbers of names end with, and when, in a time that begins at 0. */
async function send(names: readonly number[], answer: Parameters<typeof clientOf>[0]) {
  using time = new FakeTime(0);
  const client = clientOf(answer);
  const sending = names.map((body) => client.send({ path: "check", body }));
  await time.runAll();
  const sent = await Promise.all(sending);
  const answers = sent.map((sent) => sent instanceof Error ? sent.message : "answer");
  return { answers, ms: Date.now() };
}

Deno.test("createRemoteClient() reports a service that does not answer within a minute", async () => {
  const silent = (_: number, signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(new Error())));
  const { answers } = await send([1], silent);
  assertEquals(answers, ["service.lab did not answer within 60 s"]);
});

Deno.test("createRemoteClient() sends a list that takes the limit longer than ten minutes, first come first", async () => {
  const requests = Array.from({ length: 40 }, (_, place) => 20 + place % 2);
  const admitted: { at: number; names: number }[] = [];
  let refusals = 0;
  const { answers } = await send(requests, async (names) => {
    // Requests that wait for the same moment are sent before the first of them is refused.
    await pause(1);
    const inWindow = admitted.filter(({ at }) => at > Date.now() - 60_000);
    if (inWindow.reduce((sum, { names }) => sum + names, names) <= 60) {
      admitted.push({ at: Date.now(), names });
      return new Response("{}");
    }
    refusals++;
    const leftMs = inWindow[0]!.at + 60_000 - Date.now();
    const headers = { "retry-after": `${Math.ceil(leftMs / 1_000)}` };
    return new Response("{}", { status: 429, headers });
  });
  assertEquals(answers, requests.map(() => "answer"));
  assertEquals(admitted.map(({ names }) => names), requests);
  // Each is refused when all are sent at once, and then only the first of the line.
  assert(refusals <= 2 * requests.length, `${refusals}`);
});

Deno.test("createRemoteClient() asks a service that has answered again while it restarts, for a minute", async () => {
  const proxys = { status: 502 };
  for (const busy of [undefined, proxys, { status: 503, headers: { "retry-after": "1" } }]) {
    for (const [downMs, last] of [[3_000, "answer"], [Infinity, "failed"]] as const) {
      let asked = 0;
      const { answers, ms } = await send([1, 1, 1], () => {
        if (asked++ === 0 || Date.now() >= downMs) return Promise.resolve(new Response("{}"));
        if (busy !== undefined) return Promise.resolve(new Response("{}", busy));
        return Promise.reject(new TypeError("refused"));
      });
      const kinds = answers.map((answer) => answer === "answer" ? answer : "failed");
      assertEquals([kinds, ms < 63_000], [["answer", last, last], true]);
    }
  }
});

Deno.test("remoteClient.send() sends requests side by side while none is refused, and its signal ends a body, too", async () => {
  using time = new FakeTime(0);
  const stop = new AbortController();
  const answers = [1, 2, 3].map(() => Promise.withResolvers<Response>());
  const signals: AbortSignal[] = [];
  const next = (_: number, signal: AbortSignal) => answers[signals.push(signal) - 1]!.promise;
  const client = clientOf(next, stop.signal);
  const sending = answers.map(() => client.send({ path: "details" }));
  await time.tickAsync(0);
  assertEquals(signals.length, 3);
  for (const { resolve } of answers) resolve(new Response("a body"));
  await Promise.all(sending);
  stop.abort();
  assertEquals(signals.map(({ aborted }) => aborted), [true, true, true]);
});
