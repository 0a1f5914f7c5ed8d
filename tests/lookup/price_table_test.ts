import { assertEquals } from "@std/assert";
import { BUILT_IN_PRICES, dayOf } from "../../src/rules/prices.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import type { Lab } from "../lab/lab.ts";
import { testsOnLab } from "../support/on_lab.ts";
import type { Json, RunningService } from "../support/service.ts";

const test = testsOnLab();

async function priceOf({ get }: RunningService, tld: string): Promise<number | undefined> {
  const { body } = await get(`/register?domain=some-name.${tld}`);
  return body.registrars[0].estimatedPrice;
}

const refresh = ({ services }: RunningService) => services.jobs.dependencies.prices.refresh();

function publish(lab: Lab, prices: Record<string, string>): void {
  const renewal = "99.00";
  const rows = Object.entries(prices).map((
    [tld, registration],
  ) => [tld, { registration, renewal }]);
  lab.setPrices(JSON.stringify({ status: "SUCCESS", pricing: Object.fromEntries(rows) }));
}

test("/register returns built-in prices until the list is read, then the list's, and keeps them when one is absurd or the list is broken", async (service) => {
  const { lab } = service;
  assertEquals(await priceOf(service, "com"), BUILT_IN_PRICES.get("com")?.usd);
  publish(lab, { com: "13.37", org: "7.50" });
  assertEquals(await refresh(service), {
    kind: "done",
    message: `read prices of 2 of ${BUILT_IN_TLDS.length} TLDs, enabled or built in`,
  });
  assertEquals(await priceOf(service, "com"), 13.37);
  assertEquals(await priceOf(service, "xyz"), BUILT_IN_PRICES.get("xyz")?.usd, "not in the list");
  publish(lab, { com: "0.00", org: "8.50" });
  await refresh(service);
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

test("/tlds and /register have the price and the renewal of every TLD that the list has", async (service) => {
  const { get } = service;
  const count = BUILT_IN_TLDS.length;
  assertEquals(await refresh(service), {
    kind: "done",
    message: `read prices of ${count - 1} of ${count} TLDs, enabled or built in`,
  });
  const updatedAt = dayOf(Date.now());
  const { body: { tlds } } = await get("/tlds");
  // A built-in price, because the list has none.
  const old = tlds.filter(({ prices }: Json) => prices.updatedAt < updatedAt);
  assertEquals(old.map(({ tld }: Json) => tld), ["tv"]);
  const rest = { currency: "USD", updatedAt };
  const quotes = {
    ai: { register: 165.4, renew: 82.7, years: 2, threeYears: 248.1, ...rest },
    io: { register: 28.12, renew: 51.8, years: 1, threeYears: 131.72, ...rest },
    com: { register: 11.08, renew: 11.08, years: 1, threeYears: 33.24, ...rest },
  };
  for (const [tld, quote] of Object.entries(quotes)) {
    assertEquals(tlds.find((row: Json) => row.tld === tld).prices, quote);
    const { body } = await get(`/register?domain=some-name.${tld}`);
    assertEquals(body.registrars.map(({ prices }: Json) => prices), [quote, undefined, undefined]);
  }
  // No estimate for a TLD without a built-in price, even if the list has one.
  for (const tld of ["net", "museum"]) assertEquals(await priceOf(service, tld), undefined);
  const { body } = await get("/register?domain=some-name.museum&registrar=porkbun");
  assertEquals("prices" in body.registrars[0], false);
});

test("a process uses the prices that another one read within five minutes, and after a restart", async (one) => {
  const { lab, clock, start } = one;
  const two = await start();
  const builtIn = await priceOf(two, "com");
  publish(lab, { com: "13.37" });
  await refresh(one);
  assertEquals(await priceOf(two, "com"), builtIn);
  clock.aheadMs += 300_000;
  assertEquals(await priceOf(two, "com"), 13.37);
  assertEquals(await priceOf(await start(), "com"), 13.37);
});

test("prices of a day to come, which a clock that was set ahead has written, are replaced", async (service) => {
  const { lab, clock } = service;
  for (const [aheadMs, com] of [[33 * 86_400_000, "10.00"], [0, "12.00"]] as const) {
    clock.aheadMs = aheadMs;
    publish(lab, { com });
    await refresh(service);
    assertEquals(await priceOf(service, "com"), Number(com));
  }
});
