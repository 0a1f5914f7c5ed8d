import { assertEquals } from "@std/assert";
import { until } from "../support/until.ts";
import { createUpstreamHosts } from "../../src/flow/upstream_host.ts";
import { createGuardedGet, type Reply, throughHosts } from "../../src/sources/http.ts";

/** A fetch that rejects when it is aborted, before the headers or, with `head`, in the body. */
function hangingFetch(head: boolean) {
  return (_url: string, { signal }: RequestInit) => {
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
    const body = new ReadableStream({ pull: () => aborted });
    return head ? Promise.resolve(new Response(body)) : aborted;
  };
}

/** Requests a hanging upstream. */
async function faultOf(head: boolean, bounds: { headMs: number; deadlineMs: number }) {
  const { signal: stop } = new AbortController();
  const get = createGuardedGet({ fetch: hangingFetch(head), allowInsecure: true, stop });
  const reply = await get("http://upstream.example/", { accept: "*/*", maxBytes: 9, ...bounds });
  return reply.kind === "failed" ? reply.fault : reply.status;
}

Deno.test("createGuardedGet() times out when the headers take longer than headMs, or the body longer than deadlineMs", async () => {
  assertEquals(await faultOf(false, { headMs: 5, deadlineMs: 60_000 }), "timeout");
  assertEquals(await faultOf(true, { headMs: 1, deadlineMs: 20 }), "timeout");
});

Deno.test("throughHosts() sends a request once at its host's pace, also where the answer is a 429, and none once the service ends", async () => {
  const ending = new AbortController();
  const { now } = Date;
  const hosts = createUpstreamHosts({ report() {}, now, monotonic: now, ending: ending.signal });
  const sent: PromiseWithResolvers<Reply>[] = [];
  const ask = throughHosts(() => {
    const answer = Promise.withResolvers<Reply>();
    sent.push(answer);
    return answer.promise;
  }, hosts.ofKind("gateway", { paceOf: () => ({ concurrency: 1, burst: 1, everyMs: 0 }) }));
  const asking = Array.from({ length: 3 }, () => ask("https://gateway.example/", {}));
  const url = "https://gateway.example/";
  const limited = { kind: "reply", status: 429, headers: new Headers(), body: "", url } as const;
  await until("the first is sent", () => sent.length === 1);
  sent[0]!.resolve(limited);
  assertEquals([await asking[0], hosts.problems().length], [limited, 1]);
  await until("the second is sent", () => sent.length === 2);
  ending.abort();
  assertEquals(await asking[2], { kind: "failed", fault: "stopped" });
  sent[1]!.resolve({ ...limited, status: 200 });
  await asking[1];
  assertEquals([sent.length, hosts.problems()], [2, []]);
});
