import { assertEquals, assertMatch } from "@std/assert";
import { createResolverCanary } from "../../src/lookup/known_names.ts";
import type { DnsAnswer } from "../../src/rules/answer.ts";
import type { DnsBehaviourKind } from "../lab/dns_behaviour.ts";
import { startLab } from "../lab/lab.ts";
import { startService } from "../support/service.ts";

Deno.test("showsDelegations() tries the labels in order, shares questions, and asks again after two seconds", async () => {
  const asked: string[] = [];
  const isDelegated = (domain: string): Promise<DnsAnswer> => {
    asked.push(domain);
    return Promise.resolve({ kind: domain === "nic.com" ? "delegated" : "none", askedAt: 0 });
  };
  let waited = 0;
  const resolver = createResolverCanary({ isDelegated, monotonic: () => waited });
  const ask = () => resolver.showsDelegations("com", ["google", "nic", "amazon"]);
  assertEquals(await Promise.all([ask(), ask(), ask()]), [true, true, true]);
  assertEquals(asked, ["google.com", "nic.com"]);
  waited = 1_999;
  assertEquals(await ask(), true);
  assertEquals(asked.length, 2);
  waited = 2_000;
  assertEquals(await ask(), true);
  assertEquals(asked.length, 4);
});

for (const behaviour of ["servfail", "refused", "nxdomain", "nodata"] as DnsBehaviourKind[]) {
  Deno.test(`a resolver that answers ${behaviour} to all queries confirms no 404, and /health reports it`, async () => {
    await using lab = await startLab();
    let now = Date.now();
    await using service = await startService(lab, { env: { TLDS: "com" }, now: () => now });
    assertEquals((await service.check("one-name.com")).state, "available");
    for (const seed of ["google", "nic", "amazon"]) {
      lab.script(seed, { dns: behaviour, rdap: "registered" });
    }
    now += 2_000;
    const { state, error } = await service.check("another-name.com");
    assertEquals(state, "unknown");
    assertMatch(error ?? "", /DNS could not confirm it: the resolver does not show google\.com/);
    const { body } = await service.get("/health");
    assertEquals([body.status, body.checks.dns], ["degraded", "failing"]);
    lab.script("google", { dns: "delegated", rdap: "registered" });
    assertEquals((await service.check("another-name.com")).state, "available");
    assertEquals((await service.get("/health")).body.checks.dns, "ok");
  });
}

Deno.test("a resolver that shows no name, or does not answer, makes no name available from the start", async () => {
  for (
    const [dns, why] of [
      ["nxdomain", /could not be tested: .* DNS shows no registered name/],
      ["garbage", /DNS could not confirm it: it did not answer in time/],
    ] as const
  ) {
    await using lab = await startLab();
    for (const seed of ["google", "nic", "amazon"]) lab.script(seed, { dns, rdap: "registered" });
    lab.script("free-name", { dns, rdap: "free" });
    await using service = await startService(lab, { env: { TLDS: "com" } });
    const { state, error } = await service.check("free-name.com");
    assertEquals(state, "unknown");
    assertMatch(error ?? "", why);
    assertEquals((await service.check("undelegated.com")).state, "taken", "by the registry");
  }
});

Deno.test("showsDelegations() asks nothing when a client has just been shown a delegation", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "com" } });
  await service.check("one-name.com");
  await service.check("taken.com");
  lab.clear();
  await service.check("another-name.com");
  assertEquals(lab.dnsQueries.map(({ name }) => name), ["another-name.com"]);
});
