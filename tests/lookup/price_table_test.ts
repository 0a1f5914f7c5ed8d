import { assertEquals } from "@std/assert";
import { createPriceTable } from "../../src/lookup/price_table.ts";
import { BUILT_IN_PRICES } from "../../src/rules/registrars.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { type RunningService, startService } from "../support/service.ts";

async function priceOf({ get }: RunningService, tld: string): Promise<number | undefined> {
  const { body } = await get(`/register?domain=some-name.${tld}`);
  return body.registrars[0].estimatedPrice;
}

async function refresh({ services }: RunningService) {
  return await services.jobs.dependencies.prices.refresh();
}

function publish(lab: Lab, prices: Record<string, string>): void {
  const pricing = Object.entries(prices).map((
    [tld, registration],
  ) => [tld, { registration, renewal: "99.00", transfer: "99.00", coupons: [] }]);
  lab.setPrices(JSON.stringify({ status: "SUCCESS", pricing: Object.fromEntries(pricing) }));
}

Deno.test("/register returns built-in prices until the list is read, and the list's prices from then on", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  assertEquals(await priceOf(service, "com"), BUILT_IN_PRICES.get("com")?.usd);
  publish(lab, { com: "13.37", org: "7.50" });
  assertEquals(await refresh(service), { kind: "done", message: "2 of 6 prices read" });
  assertEquals(await priceOf(service, "com"), 13.37);
  assertEquals(await priceOf(service, "xyz"), BUILT_IN_PRICES.get("xyz")?.usd, "not in the list");
});

Deno.test("/register returns no price for a TLD without a built-in price, even if the list has one", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  await refresh(service);
  assertEquals(await priceOf(service, "net"), undefined);
  assertEquals(await priceOf(service, "museum"), undefined);
});

Deno.test("refresh() keeps the prices when one is absurd or the list is broken", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  publish(lab, { com: "13.37", org: "7.50" });
  await refresh(service);
  publish(lab, { com: "0.00", org: "8.50" });
  await refresh(service);
  assertEquals([await priceOf(service, "com"), await priceOf(service, "org")], [13.37, 8.5]);
  const faults: [() => void, string][] = [
    [() => lab.setPrices("<html>"), "invalid price list"],
    [() => publish(lab, { com: "free" }), "the list has no usable price"],
    [() => lab.setPrices("{}", 503), "HTTP 503"],
    [() => lab.setPrices(" ".repeat(3 * 1_024 * 1_024)), "oversized"],
    [() => lab.scriptHost("prices.lab", "reset"), "unreachable"],
  ];
  for (const [breakIt, reason] of faults) {
    breakIt();
    assertEquals(await refresh(service), { kind: "failed", reason });
  }
  assertEquals([await priceOf(service, "com"), await priceOf(service, "org")], [13.37, 8.5]);
});

Deno.test("a process uses the prices that another one read within five minutes, and after a restart", async () => {
  const path = await Deno.makeTempFile({ suffix: ".sqlite" });
  await using lab = await startLab();
  let now = Date.now();
  await using one = await startService(lab, { kv: await Deno.openKv(path), now: () => now });
  await using two = await startService(lab, { kv: await Deno.openKv(path), now: () => now });
  const builtIn = await priceOf(two, "com");
  publish(lab, { com: "13.37" });
  await refresh(one);
  assertEquals(await priceOf(two, "com"), builtIn);
  now += 300_000;
  assertEquals(await priceOf(two, "com"), 13.37);
  await using three = await startService(lab, { kv: await Deno.openKv(path) });
  assertEquals(await priceOf(three, "com"), 13.37);
});

Deno.test("priceTable.current() reads KV again some minutes later though the clock was set back by an hour", async () => {
  let now = Date.UTC(2026, 10, 21);
  let reads = 0;
  const { current } = createPriceTable({
    fetchPrices: () => Promise.resolve({ kind: "failed", reason: "must not be called" }),
    store: { get: () => (reads++, Promise.resolve(undefined)), set: () => Promise.resolve() },
    report() {},
    now: () => now,
  });
  await current();
  now -= 3_600_000;
  await current();
  assertEquals(reads, 2);
});
