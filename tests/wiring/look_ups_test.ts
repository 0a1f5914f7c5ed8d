import { assertEquals } from "@std/assert";
import { readConfig } from "../../src/config.ts";
import { createLog } from "../../src/log.ts";
import type { ResolveNs } from "../../src/sources/dns.ts";
import { createBase, createUpstreams } from "../../src/wiring/look_ups.ts";

Deno.test("isDnsFailing() follows queries that were sent and ignores names that cannot be queried", async () => {
  using kv = await Deno.openKv(":memory:");
  const { now } = Date;
  const resolveNs: ResolveNs = (name) => {
    if (name === "taken.com.") return Promise.resolve(["ns1.taken.com."]);
    const why = name === "xn--a.com." ? "Label contains invalid characters" : "io error";
    return Promise.reject(new Error(`proto error: ${why}`));
  };
  const platform = {
    kv,
    fetch: () => Promise.reject(new Error("no request is expected")),
    resolveNs,
    connectTcp: Deno.connect,
    resolveTxt: () => Promise.reject(new Error("not to be asked")),
    log: createLog({ level: "error", now, write() {} }),
    now,
    monotonic: now,
    version: "test",
  };
  const { signal } = new AbortController();
  const base = createBase(readConfig({}), platform, { ending: signal, stop: signal });
  const { isDelegated, isDnsFailing } = createUpstreams(base);
  const after = async (name: string, wait = {}) => {
    await isDelegated(name, wait);
    return isDnsFailing();
  };
  assertEquals(await after("xn--a.com"), undefined);
  assertEquals(await after("taken.com"), false);
  assertEquals(await after("xn--a.com"), false);
  assertEquals(await after("broken.com"), true);
  assertEquals(await after("xn--a.com"), true);
  assertEquals(await after("taken.com", { signal: AbortSignal.abort() }), true, "not asked");
  assertEquals(await after("taken.com"), false);
});
