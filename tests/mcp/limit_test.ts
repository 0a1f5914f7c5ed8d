import { assertEquals } from "@std/assert";
import { LIST, postMcp, toolCall } from "../support/mcp.ts";
import { atFixedTime, onLab } from "../support/on_lab.ts";
import type { Json, RunningService } from "../support/service.ts";

async function post({ url }: RunningService, message: Json) {
  const answer = await postMcp(`${url}/mcp/`, message);
  return { ...answer, remaining: Number(answer.headers.get("x-ratelimit-remaining")) };
}

const LIMITED =
  "Too many requests. Please retry after 60 seconds. The next request is admitted in 40 s.";

function check(...names: string[]): Json {
  return toolCall("check_domain", { names, tlds: ["com"] });
}

/** The result of a call that is over the limit. */
function rejection(text: string): Json {
  const result = { resultType: "complete", content: [{ type: "text", text }], isError: true };
  return { jsonrpc: "2.0", id: 1, result };
}

const MANY = Array.from({ length: 51 }, (_, n) => `n${n}`);

Deno.test("a message costs one request, and check_domain one per name", () =>
  onLab(async (service) => {
    const costs: [Json, remaining: number][] = [
      [LIST, 19],
      [check("a", "b", "c"), 16],
      [check("a"), 15],
      [toolCall("list_tlds", {}), 14],
      // These check nothing, so they cost one.
      [check(...Array<string>(251).fill("a")), 13],
      [toolCall("nope", { names: ["a", "b"] }), 12],
      [[LIST, LIST], 11],
      [toolCall("check_domain", { names: MANY, tlds: ["com", "dev", "io", "net", "org"] }), 10],
      [toolCall("check_domain", { names: ["a", "b"], tlds: ["com", "startup"] }), 9],
      [toolCall("check_domain", { names: ["a", "b"], tld: "com" }), 8],
      // An invalid name is a row like another.
      [check("not a name", "b"), 6],
    ];
    for (const [message, left] of costs) {
      assertEquals((await post(service, message)).remaining, left);
    }
  }, { env: { RATE_LIMIT: "20" } }));

Deno.test("a rejected call is not counted, and its error says how many requests are left", () =>
  atFixedTime(async (service) => {
    const isRejected = async (...names: string[]) =>
      (await post(service, check(...names))).body.result.isError;
    assertEquals((await post(service, check("a", "b", "c"))).remaining, 2);
    service.clock.aheadMs += 20_000;
    const { status, headers, body, remaining } = await post(service, check("a", "b", "c"));
    assertEquals([status, remaining, headers.get("retry-after")], [200, 2, "40"]);
    assertEquals(headers.get("content-type"), "application/json; charset=utf-8");
    const says =
      "Too many requests: this one costs 3, one for each name: 2 are left; send fewer names, or retry after 60 seconds: these are admitted in 40 s";
    assertEquals(body, rejection(says));
    assertEquals(await isRejected("a", "b"), undefined);
    // Two more are free once those of now are, not once those of before.
    const two = await post(service, check("a", "b", "c", "d"));
    assertEquals(two.headers.get("retry-after"), "60");
    const none = await post(service, check("a"));
    assertEquals([none.status, none.headers.get("retry-after")], [200, "40"]);
    assertEquals(none.body, rejection(LIMITED));
    const list = await post(service, LIST);
    assertEquals([list.status, list.headers.get("retry-after")], [429, "40"]);
    assertEquals(list.body, { error: "rate_limit_exceeded", message: LIMITED });
    assertEquals((await post(service, "{")).status, 429);
    service.clock.aheadMs += 40_000;
    assertEquals(await isRejected("a", "b", "c"), undefined);
  }, { env: { RATE_LIMIT: "5" } }));
