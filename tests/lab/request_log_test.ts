import { assert, assertEquals } from "@std/assert";
import { createRequestLog } from "./request_log.ts";

const REQUEST = { host: "a.lab", path: "/", method: "GET", headers: {} };

Deno.test("begin() records a request and, once, its end", () => {
  const log = createRequestLog();
  const end = log.begin(REQUEST);
  assertEquals(log.requests[0]?.endedAt, undefined);
  end();
  const endedAt = log.requests[0]?.endedAt;
  end();
  assert(endedAt !== undefined);
  assertEquals(log.requests[0]?.endedAt, endedAt);
});

Deno.test("peak() never falls, and a request's end frees its place", () => {
  const log = createRequestLog();
  log.begin(REQUEST)();
  log.begin(REQUEST)();
  assertEquals(log.peak("a.lab"), 1);
  log.begin(REQUEST);
  log.begin(REQUEST)();
  assertEquals(log.peak("a.lab"), 2);
});

Deno.test("clear() drops all but the open requests", () => {
  const log = createRequestLog();
  log.begin(REQUEST);
  log.begin(REQUEST)();
  log.clear();
  assertEquals([log.requests.length, log.peak("a.lab")], [0, 1]);
});
