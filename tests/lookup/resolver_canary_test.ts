import { assertEquals, assertMatch } from "@std/assert";
import type { DnsBehaviourKind } from "../lab/dns_behaviour.ts";
import { onLab, testsOnLab } from "../support/on_lab.ts";

const SEEDS = ["google", "nic", "amazon"];
const test = testsOnLab({ env: { TLDS: "com" } });

for (const behaviour of ["servfail", "refused", "nxdomain", "nodata"] as DnsBehaviourKind[]) {
  test(`a resolver that answers ${behaviour} to all queries confirms no 404, and /health reports it`, async ({ check, get, lab, clock }) => {
    assertEquals((await check("one-name.com")).state, "available");
    for (const seed of SEEDS) lab.script(seed, { dns: behaviour, rdap: "registered" });
    clock.aheadMs += 2_000;
    const { state, error } = await check("another-name.com");
    assertEquals(state, "unknown");
    assertMatch(
      error ?? "",
      /DNS could not confirm it: the resolver does not show a name that is registered under \.com/,
    );
    const { body } = await get("/health");
    assertEquals([body.status, body.checks.dns], ["degraded", "failing"]);
    lab.script("google", { dns: "delegated", rdap: "registered" });
    assertEquals((await check("another-name.com")).state, "available");
    assertEquals((await get("/health")).body.checks.dns, "ok");
  });
}

for (
  const [dns, why] of [
    ["nxdomain", /could not be tested: .* DNS shows no registered name/],
    ["garbage", /DNS could not confirm it: it did not answer in time/],
  ] as const
) {
  test(`a resolver that answers ${dns} from the start makes no name available`, async ({ check, lab }) => {
    for (const seed of SEEDS) lab.script(seed, { dns, rdap: "registered" });
    lab.script("free-name", { dns, rdap: "free" });
    const { state, error } = await check("free-name.com");
    assertEquals(state, "unknown");
    assertMatch(error ?? "", why);
    assertEquals((await check("undelegated.com")).state, "taken", "by the registry");
  });
}

Deno.test("a suffix without a known name, and a registry that fails, of a TLD that is not enabled are no fault in /health", () =>
  onLab(async ({ check, get, lab }) => {
    for (const seed of SEEDS) lab.script(`${seed}.com.br`, { dns: "nxdomain", rdap: "free" });
    lab.scriptHost("pubapi.registry.google", "error500");
    for (const name of ["some-name.com", "some-name.com.br", "some-name.page"]) await check(name);
    const { body } = await get("/health");
    assertEquals([body.status, body.checks.dns, body.checks.rdap], ["ok", "ok", "ok"]);
  }, { env: { TLDS: "com", ANY_TLD: "on" } }));

test("showsDelegation() asks nothing when a client has just been shown a delegation", async ({ check, lab }) => {
  await check("one-name.com");
  await check("taken.com");
  lab.clear();
  await check("another-name.com");
  assertEquals(lab.dnsQueries.map(({ name }) => name), ["another-name.com"]);
});
