import { assertEquals } from "@std/assert";
import { createGuardedGet } from "../../src/sources/http.ts";

/** A fetch that rejects when it is aborted, before the headers or, with `head`, in the body. */
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

/** Requests a hanging upstream. */
async function faultOf(
  { head = false, headMs, deadlineMs }: {
    head?: boolean;
    headMs?: number;
    deadlineMs: number;
  },
) {
  const get = createGuardedGet({
    fetch: hangingFetch(head),
    allowInsecure: true,
    stop: new AbortController().signal,
  });
  const bounds = { deadlineMs, maxBytes: 9, ...(headMs !== undefined && { headMs }) };
  const reply = await get("http://upstream.example/", { accept: "*/*", ...bounds });
  return reply.kind === "failed" ? reply.fault : reply.status;
}

Deno.test("createGuardedGet() times out when the headers take longer than headMs", async () => {
  assertEquals(await faultOf({ headMs: 5, deadlineMs: 60_000 }), "timeout");
});

Deno.test("createGuardedGet() times out when the body takes longer than deadlineMs", async () => {
  assertEquals(await faultOf({ head: true, headMs: 1, deadlineMs: 20 }), "timeout");
});
