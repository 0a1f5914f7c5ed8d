import { assert, assertEquals, assertMatch } from "@std/assert";
import { CHAIN_NAMES } from "../lab/chain/chain_names.ts";
import { type Chain, startChain } from "../lab/chain/chain.ts";
import { startLab } from "../lab/lab.ts";
import { type RunningService, startService } from "../support/service.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function onChain(
  test: (service: RunningService, chain: Chain) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  await using lab = await startLab();
  await using chain = await startChain();
  await using service = await startService(lab, { env: { ...chain.env, ...env } });
  await test(service, chain);
}

Deno.test("GET /v1/ens/check returns each name's state with its real owner or its price", () =>
  onChain(async ({ get }) => {
    for (const { label, state, owner } of CHAIN_NAMES) {
      const { status, body } = await get(`/v1/ens/check?name=${label}`);
      assertEquals([status, body.name, body.source], [200, `${label}.eth`, "rpc"], label);
      assertMatch(body.checkedAt, ISO);
      const isFree = state === "free" || state === "premium";
      assertEquals(body.available, isFree, label);
      assertEquals(body.owner, isFree ? undefined : owner, label);
      assertEquals(body.registrationPrice !== undefined, isFree, label);
      const { premiumWei, usdEstimateOf } = body.registrationPrice ?? {};
      assertEquals(premiumWei !== undefined, state === "premium", label);
      assertEquals(usdEstimateOf, state === "premium" ? "base" : undefined, label);
    }
  }));

Deno.test("a check takes one RPC request, and a profile takes one", () =>
  onChain(async ({ get }, chain) => {
    await get("/v1/ens/check?name=alice");
    assertEquals(chain.requests.length, 1);
    await get("/v1/ens/metadata?name=alice");
    assertEquals(chain.requests.length, 2);
    const again = [
      await get("/v1/ens/check?name=Alice.eth"),
      await get("/v1/ens/metadata?name=alice"),
    ];
    assertEquals(again.map(({ body }) => body.source), ["rpc+cache", "rpc+cache"]);
    assertEquals(chain.requests.length, 2);
  }));

Deno.test("a hundred simultaneous checks share RPC requests", () =>
  onChain(async ({ services: { ens } }, chain) => {
    const labels = Array.from({ length: 100 }, (_, n) => `many-${n}`);
    const answers = await Promise.all(labels.map(ens.check));
    for (const [n, answer] of answers.entries()) {
      assert(answer.kind === "answered" && answer.result.available);
      assertEquals(answer.result.name, `many-${n}.eth`);
    }
    // Four, unless a busy machine spreads the reads of KV before them.
    assert(chain.requests.length <= 20, `${chain.requests.length} requests`);
  }));

Deno.test("premiumBelow has the days on which the contract's premium, at its price feed's rate, falls below the amounts", async () => {
  await using lab = await startLab();
  let now = Date.now();
  await using chain = await startChain({ now: () => now });
  await using service = await startService(lab, {
    env: chain.env,
    now: () => now,
    monotonic: () => performance.now(),
  });
  const ask = async () => (await service.get("/v1/ens/check?name=grace")).body;
  /** The base price in wei and in dollars has the rate. */
  const premiumAt = async (time: string) => {
    now = Date.parse(time);
    const { available, registrationPrice } = await ask();
    assertEquals(available, true);
    const { wei, premiumWei, usdEstimate } = registrationPrice;
    const baseWei = BigInt(wei) - BigInt(premiumWei ?? 0);
    return Number(premiumWei ?? 0) / Number(baseWei) * usdEstimate;
  };
  const { available, premiumBelow, graceEndsAt } = await ask();
  assertEquals([available, premiumBelow.length], [false, 3]);
  for (const { usd, on } of premiumBelow) {
    assert(await premiumAt(`${on}T00:00:00Z`) > usd, `${usd} at the start of ${on}`);
    // The premium is over on the last of them.
    const { premiumEndsAt = on } = await ask();
    const end = premiumEndsAt < `${on}T23:59:59Z` ? premiumEndsAt : `${on}T23:59:59Z`;
    assert(await premiumAt(end) < usd, `${usd} at the end of ${on}`);
  }
  assert(premiumBelow[0].on > graceEndsAt);
});
