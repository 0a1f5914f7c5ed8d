import { assertEquals, assertMatch } from "@std/assert";
import { serverTiming } from "../../src/api/check.ts";
import { withService } from "../support/with_service.ts";

Deno.test("serverTiming() lists the parts of one look-up, and only the number of cache hits of several", () => {
  const spent = { gate: 12.34, dns: 3, rdap: 150.06, trust: 0 };
  assertEquals(
    serverTiming(["rdap"], { spent, totalMs: 165 }),
    "cache;desc=miss, dns;dur=3.0, gate;dur=12.3, rdap;dur=150.1, total;dur=165",
  );
  assertEquals(
    serverTiming(["rdap+cache"], { spent: undefined, totalMs: 0 }),
    "cache;desc=hit, total;dur=0",
  );
  assertEquals(
    serverTiming(["dns", "dns+cache"], { spent, totalMs: 7 }),
    'cache;desc="1 of 2", total;dur=7',
  );
});

Deno.test("GET /check sends Server-Timing with JSON, exposed by CORS and without the name, but not with a stream", () =>
  withService(async ({ get, url }) => {
    const path = "/check?name=free-for-you&tld=com";
    const timingOf = async (path: string) => (await get(path)).headers.get("server-timing") ?? "";
    assertMatch(
      await timingOf(path),
      /^cache;desc=miss, dns;dur=[\d.]+, (gate;dur=[\d.]+, )?rdap;dur=[\d.]+, (trust;dur=[\d.]+, )?total;dur=\d+$/,
    );
    assertMatch(await timingOf(path), /^cache;desc=hit, total;dur=\d+$/);
    assertMatch(
      await timingOf("/check?name=free-for-you"),
      /^cache;desc="1 of 3", total;dur=\d+$/,
    );
    const { headers } = await get(path);
    assertMatch(headers.get("access-control-expose-headers") ?? "", /Server-Timing/);
    const stream = await fetch(`${url}${path}`, { headers: { accept: "application/x-ndjson" } });
    await stream.body?.cancel();
    assertEquals(stream.headers.get("server-timing"), null);
    assertEquals((await get("/tlds")).headers.get("server-timing"), null);
  }, { TLDS: "com,net,xyz" }));
