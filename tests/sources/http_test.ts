import { assertEquals } from "@std/assert";
import { createGuardedGet } from "../../src/sources/http.ts";

/** A fetch that rejects once it is aborted, before its answer's head or, with `head`, in its body. */
function hangingFetch(head: boolean) {
  return (_url: string, { signal }: RequestInit) => {
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
    const body = new ReadableStream({
      pull: (controller) => aborted.catch((error) => controller.error(error)),
    });
    return head ? Promise.resolve(new Response(body)) : aborted;
  };
}

/** Asks an upstream that hangs, by a clock on which each look at it takes `lookMs`. */
async function faultOf(
  { head = false, headMs, deadlineMs, lookMs = 0 }: {
    head?: boolean;
    headMs?: number;
    deadlineMs: number;
    lookMs?: number;
  },
) {
  let time = 0;
  const get = createGuardedGet({
    fetch: hangingFetch(head),
    allowInsecure: true,
    stop: new AbortController().signal,
    monotonic: () => time += lookMs,
  });
  const bounds = { deadlineMs, maxBytes: 9, ...(headMs !== undefined && { headMs }) };
  const reply = await get("http://upstream.example/", { accept: "*/*", ...bounds });
  return reply.kind === "failed" ? reply.fault : reply.status;
}

Deno.test("createGuardedGet() gives up an upstream that sends no head within headMs", async () => {
  assertEquals(await faultOf({ headMs: 5, deadlineMs: 60_000 }), "timeout");
});

Deno.test("createGuardedGet() gives up a body that is not whole within deadlineMs, whatever headMs is", async () => {
  assertEquals(await faultOf({ head: true, headMs: 1, deadlineMs: 20 }), "timeout");
});

Deno.test("createGuardedGet() calls it a stall when its deadline rings more than half a second late", async () => {
  assertEquals(await faultOf({ deadlineMs: 5, lookMs: 506 }), "stall");
  assertEquals(await faultOf({ deadlineMs: 5, lookMs: 505 }), "timeout");
});
