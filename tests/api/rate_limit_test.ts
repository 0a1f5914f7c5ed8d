import { assertEquals, assertMatch } from "@std/assert";
import { createKeys } from "../../src/store/keys.ts";
import { operations } from "../../src/api/operations.ts";
import { fetchText } from "../support/fetch_text.ts";
import { atFixedTime, type World } from "../support/on_lab.ts";
import { rawGet } from "../support/raw_get.ts";

type Run = (world: World) => Promise<void>;

/** Runs a test on a service that admits 60 requests unless it says otherwise, on a clock of the test. */
const limited = (run: Run, env: Record<string, string> = {}) =>
  atFixedTime(run, { env: { RATE_LIMIT: "60", ...env } });
const test = (name: string, run: Run) => Deno.test(name, () => limited(run));

function remainingOf({ headers }: { headers: Headers }): number {
  return Number(headers.get("x-ratelimit-remaining"));
}

test("every path that is not a page file is counted, in any spelling", async ({ get, url }) => {
  const paths = [
    "/static/..\\search?q=free-for-you",
    "/static/../search?q=free-for-you",
    "/static/..%5Csearch?q=free-for-you",
    "/static/%2e%2e/search?q=free-for-you",
    "/static/../openapi.json",
    "/static/a/..\\..\\tlds",
    "//static/app.js",
  ];
  for (const path of paths) await rawGet(url, path, ["Host: x"]);
  assertEquals(remainingOf(await get("/tlds")), 60 - paths.length - 1);
});

test("a rejected request has the documented body and an accurate Retry-After", async ({ get, clock, url }) => {
  await get("/tlds");
  clock.aheadMs += 20_000;
  for (let n = 0; n < 59; n++) await get("/tlds");
  const { status, headers, body } = await get("/check?name=taken");
  assertEquals(status, 429);
  const message =
    "Too many requests. Please retry after 60 seconds. The next request is admitted in 40 s.";
  assertEquals(body, { error: "rate_limit_exceeded", message });
  assertEquals(headers.get("retry-after"), "40");
  assertEquals(headers.get("ratelimit"), '"ip";r=0;t=40');
  assertEquals(headers.get("ratelimit-policy"), '"ip";q=60;w=60');
  // So has one whose Host header is none.
  assertMatch(await rawGet(url, "/tlds", ["Host: a/b"]), /^HTTP\/1\.1 429 .*"error":"rate_/s);
  clock.aheadMs += 39_999;
  assertEquals((await get("/tlds")).status, 429);
  clock.aheadMs += 1;
  assertEquals((await get("/tlds")).status, 200, "the first request has left the window");
  assertEquals((await get("/tlds")).status, 429, "only that one");
});

test("every response has the rate-limit headers, at any status", async ({ get, url }) => {
  let left = 60;
  const gets = ["/tlds", "/check?name=taken&tld=com", "/check", "/nope", "/openapi.json?x"];
  for (const path of ["/register?domain=a.com", "/tlds POST", "/tlds HEAD", ...gets]) {
    const [target = "", method = "GET"] = path.split(" ");
    const { headers } = await get(target, { method });
    assertEquals(headers.get("x-ratelimit-limit"), "60", path);
    assertEquals(headers.get("x-ratelimit-remaining"), `${--left}`, path);
    assertMatch(headers.get("x-ratelimit-reset") ?? "", /^\d{10}$/);
    assertMatch(headers.get("ratelimit") ?? "", /^"ip";r=\d+;t=60$/);
  }
  // Also of a Host header that makes the address look like that of a page file.
  for (const [path, host] of [["/", "a/b"], ["/check", "x/static/?"]] as const) {
    const refused = await rawGet(url, path, [`Host: ${host}`]);
    assertMatch(refused, /^HTTP\/1\.1 400 .*"error":"invalid_host"/s);
    assertMatch(refused, new RegExp(`x-ratelimit-remaining: ${--left}`));
  }
});

test("a CORS preflight is not counted, another OPTIONS is", async ({ get }) => {
  const preflight = { method: "OPTIONS", headers: { "access-control-request-method": "GET" } };
  for (let n = 0; n < 3; n++) assertEquals(remainingOf(await get("/check", preflight)), 60);
  assertEquals(remainingOf(await get("/check", { method: "OPTIONS" })), 59);
});

for (const [TRUSTED_PROXIES, left] of [["0", 58], ["1", 59]] as const) {
  Deno.test(`X-Forwarded-For counts behind trusted proxies only: ${TRUSTED_PROXIES}`, () =>
    limited(async ({ get }) => {
      const from = (address: string) => get("/tlds", { headers: { "x-forwarded-for": address } });
      await from("198.51.100.1");
      assertEquals(remainingOf(await from("203.0.113.9, 198.51.100.2")), left);
    }, { TRUSTED_PROXIES }));
}

test("a known key has its own limit, an unknown one counts against its address", async ({ get, kv }) => {
  const keys = createKeys(kv, { now: Date.now });
  const { key } = await keys.create("program");
  const small = await keys.create("small", 2);
  const as = (authorization: string) => get("/tlds", { headers: { authorization } });
  const first = await as(`Bearer ${key}`);
  assertEquals([first.headers.get("x-ratelimit-limit"), remainingOf(first)], ["600", 599]);
  assertEquals(first.headers.get("ratelimit-policy"), '"key";q=600;w=60');
  assertEquals(remainingOf(await get("/tlds")), 59);
  assertEquals(remainingOf(await as(`Bearer ${key.slice(0, -1)}!`)), 58, "malformed");
  assertEquals(remainingOf(await as(`Bearer das_${"A".repeat(43)}`)), 57, "unknown");
  assertEquals(remainingOf(await as("Basic YTpi")), 56);
  for (const status of [200, 200, 429]) {
    assertEquals((await as(`Bearer ${small.key}`)).status, status);
  }
});

Deno.test("the networks of an IPv6 /56 may use four limits together, of which monitors use none, and Retry-After holds for the network and its site", () =>
  limited(async ({ get, clock }) => {
    const statusOf = async (network: number, path = "/tlds") => {
      const address = `2001:db8:0:1${network.toString(16).padStart(2, "0")}::1`;
      const { status, headers } = await get(path, { headers: { "x-forwarded-for": address } });
      return [status, headers.get("retry-after"), headers.get("x-ratelimit-remaining")];
    };
    for (let n = 0; n < 8; n++) await statusOf(0x10 + n, "/health");
    // The third of each is refused, and uses nothing up.
    for (let n = 0; n < 9; n++) await statusOf(n % 3);
    clock.aheadMs += 30_000;
    for (let n = 0; n < 2; n++) assertEquals(await statusOf(3), [200, null, `${1 - n}`]);
    assertEquals(await statusOf(4), [429, "30", "0"]);
    assertEquals(await statusOf(3), [429, "60", "0"]);
    clock.aheadMs += 30_000;
    assertEquals((await statusOf(4))[0], 200);
  }, { RATE_LIMIT: "2", TRUSTED_PROXIES: "1" }));

Deno.test("a client that has used its limit reads /health and /metrics, and a load balancer /health/ready", () =>
  limited(async ({ get, url }) => {
    for (let n = 0; n < 2; n++) await get("/tlds");
    const first = [["/tlds", 429], ["/health", 200], ["/metrics", 200], ["/metrics", 429]] as const;
    for (const [path, status] of first) {
      assertEquals((await fetchText(`${url}${path}`)).status, status, path);
    }
    await get("/health");
    for (const { path, isUncounted } of operations) {
      assertEquals((await get(path)).status, isUncounted ? 200 : 429, path);
    }
    for (let n = 0; n < 9; n++) assertEquals((await get("/health/ready")).status, 200);
  }, { RATE_LIMIT: "2" }));
