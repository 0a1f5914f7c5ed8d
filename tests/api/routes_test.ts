import { assertEquals } from "@std/assert";
import { createCall, createRouter, OTHER_ROUTE } from "../../src/api/routes.ts";
import { changedApp } from "../support/changed_app.ts";
import { mcpPost, toolCall } from "../support/mcp.ts";
import { withService } from "../support/with_service.ts";

const LIMIT = { limit: "9", remaining: "9", reset: "0", policy: "", state: "" };
const ok = () => new Response();

Deno.test("createRouter() finds the row by path and the call by method, and answers OPTIONS and other methods itself", async () => {
  const [get, post] = [createCall(ok), { read: () => Promise.reject(), reject: ok }];
  const find = createRouter({
    "/both": { GET: get, POST: post },
    "/file/:name{\\w+}": { GET: get },
  });
  const match = (path: string, method = "GET") =>
    find(new Request(`http://localhost${path}`, { method }));
  assertEquals(match("/both?x=1").call, get);
  assertEquals(match("/both", "HEAD").call, get);
  assertEquals(match("/both", "POST").call, post);
  for (const [method, status] of [["OPTIONS", 204], ["PUT", 405]] as const) {
    const { call } = match("/both", method);
    const { answer } = "read" in call ? createCall(ok) : call;
    const request = new Request("http://localhost/both", { method });
    const response = await answer({ requestId: "x", limit: LIMIT, client: "ip" }, request, "/both");
    assertEquals([response.status, response.headers.get("allow")], [
      status,
      "GET, HEAD, POST, OPTIONS",
    ]);
  }
  assertEquals(match("/file/a").route, "/file/:name");
  for (const path of ["/file/a.b", "/file/", "/BOTH", "/both/", "//both"]) {
    assertEquals(match(path).route, OTHER_ROUTE, path);
  }
});

Deno.test("a request is counted once when answering it fails", () =>
  withService(async ({ services }) => {
    const { ask } = changedApp(services, {
      printMetrics: () => {
        throw new Error("secret");
      },
      checkDomain: () => Promise.reject(new Error("secret")),
    });
    const remaining = async (path: string, init?: RequestInit) => {
      const response = await ask(path, init);
      await response.body?.cancel();
      return [response.status, Number(response.headers.get("x-ratelimit-remaining"))];
    };
    assertEquals(await remaining("/metrics"), [500, 19]);
    assertEquals(await remaining("/check?name=taken&tld=com"), [500, 18]);
    const checking = mcpPost(toolCall("check_domain", { names: ["a", "b"], tlds: ["com"] }));
    assertEquals(await remaining("/mcp/", checking), [200, 16]);
    assertEquals(await remaining("/nope"), [404, 15]);
  }, { RATE_LIMIT: "20" }));
