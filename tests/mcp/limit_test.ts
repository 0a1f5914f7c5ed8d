import { assertEquals, assertMatch } from "@std/assert";
import { startLab } from "../lab/lab.ts";
import { changedApp } from "../support/changed_app.ts";
import { mcpPost, postMcp, toolCall } from "../support/mcp.ts";
import { type Json, type RunningService, startService } from "../support/service.ts";
import { withService } from "../support/with_service.ts";

type Post = (
  message: Json,
) => Promise<{ status: number; remaining: number; headers: Headers; body: Json }>;

async function withLimit(
  limit: number,
  run: (post: Post, service: RunningService, pass: (ms: number) => void) => Promise<void>,
): Promise<void> {
  let now = Date.now();
  await using lab = await startLab();
  await using service = await startService(lab, {
    env: { RATE_LIMIT: `${limit}` },
    now: () => now,
  });
  const post: Post = async (message) => {
    const answer = await postMcp(`${service.url}/mcp/`, message);
    return { ...answer, remaining: Number(answer.headers.get("x-ratelimit-remaining")) };
  };
  await run(post, service, (ms) => void (now += ms));
}

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

function check(...names: string[]): Json {
  return toolCall("check_domain", { names, tlds: ["com"] });
}

Deno.test("a message costs one request, and check_domain one per name", () =>
  withLimit(20, async (post, { get }) => {
    assertEquals((await post(LIST)).remaining, 19);
    assertEquals((await post(check("a", "b", "c"))).remaining, 16);
    assertEquals((await post(check("a"))).remaining, 15);
    assertEquals((await post(toolCall("list_tlds", {}))).remaining, 14);
    // These check nothing, so they cost one.
    assertEquals((await post(check(...Array<string>(51).fill("a")))).remaining, 13);
    assertEquals((await post(toolCall("nope", { names: ["a", "b"] }))).remaining, 12);
    assertEquals((await post([LIST, LIST])).remaining, 11);
    assertEquals((await post(toolCall("constructor", { names: ["a", "b"] }))).remaining, 10);
    // An invalid name is a row like another.
    assertEquals((await post(check("not a name", "b"))).remaining, 8);
    const { headers } = await get("/tlds");
    assertEquals(headers.get("x-ratelimit-remaining"), "7");
  }));

Deno.test("a rejected call is not counted, and its error says how many requests are left", () =>
  withLimit(5, async (post, _service, pass) => {
    assertEquals((await post(check("a", "b", "c"))).remaining, 2);
    pass(20_000);
    const { status, headers, body, remaining } = await post(check("a", "b", "c"));
    assertEquals([status, remaining, headers.get("retry-after")], [429, 2, "40"]);
    assertEquals(body, {
      jsonrpc: "2.0",
      error: {
        code: -32_000,
        message: "This call costs 3 requests, and 2 are left: send fewer names, or retry in 40 s",
        data: { error: "rate_limit_exceeded", cost: 3, retryAfter: 40 },
      },
      id: 1,
    });
    assertEquals((await post(check("a", "b"))).status, 200);
    const refused = await post(LIST);
    assertEquals([refused.status, refused.body.error.message], [
      429,
      "Too many requests: retry in 40 s",
    ]);
    pass(40_000);
    assertEquals((await post(check("a", "b", "c"))).status, 200);
  }));

Deno.test("a rejected call is admitted when retried after Retry-After", () =>
  withLimit(5, async (post, _service, pass) => {
    const five = check("a", "b", "c", "d", "e");
    await post(check("a"));
    pass(20_000);
    const refused = await post(five);
    assertEquals([refused.status, refused.headers.get("retry-after")], [429, "40"]);
    pass(40_000);
    const { status, remaining } = await post(five);
    assertEquals([status, remaining], [200, 0]);
  }));

Deno.test("a call that costs more than the whole limit is rejected without Retry-After", () =>
  withLimit(2, async (post) => {
    const { status, headers, body } = await post(check("a", "b", "c"));
    assertEquals([status, headers.get("retry-after")], [429, null]);
    assertMatch(body.error.message, /^Send at most 2 names per call: /);
    assertEquals(body.error.data, { error: "rate_limit_exceeded", cost: 3 });
    assertEquals((await post(check("a", "b"))).status, 200);
  }));

Deno.test("simultaneous calls of several names never exceed the limit together", () =>
  withLimit(20, async (post) => {
    const calls = Array.from({ length: 12 }, () => post(check("a", "b", "c")));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    assertEquals(statuses.filter((status) => status === 200).length, 6);
    const singles = await Promise.all(Array.from({ length: 4 }, () => post(LIST)));
    assertEquals(singles.filter(({ status }) => status === 200).length, 2);
  }));

Deno.test("a request is counted once when reading its body fails", () =>
  withService(async ({ services }) => {
    const { app, logged } = changedApp(services, {});
    const remainingAfter = async (request: Request) => {
      const response = await app.request(request);
      await response.body?.cancel();
      return [response.status, Number(response.headers.get("x-ratelimit-remaining"))];
    };
    const create = () => new Request("http://localhost/mcp/", mcpPost(LIST));
    assertEquals(await remainingAfter(create()), [200, 19]);
    const failing = create();
    // The endpoint reads this header before the body.
    const headers = new Headers(failing.headers);
    headers.get = (name) => {
      if (name === "origin") throw new Error("secret");
      return Headers.prototype.get.call(headers, name);
    };
    Object.defineProperty(failing, "headers", { value: headers });
    assertEquals(await remainingAfter(failing), [500, 18]);
    assertEquals(logged.length, 1);
    assertEquals(await remainingAfter(create()), [200, 17]);
  }, { RATE_LIMIT: "20" }));
