import { assert, assertEquals, assertMatch } from "@std/assert";
import { harmlessText } from "../../src/rules/ens.ts";
import type { Timeouts } from "../../src/wiring/platform.ts";
import { aliasedArray } from "../lab/chain/ens_abi.ts";
import { type Chain, startChain } from "../lab/chain/chain.ts";
import { CHAIN_NAMES, type ChainName } from "../lab/chain/chain_names.ts";
import type { ServerBehaviour } from "../lab/chain/faulty_server.ts";
import { startLab } from "../lab/lab.ts";
import { type RunningService, startService } from "../support/service.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function onChain(
  test: (service: RunningService, chain: Chain) => Promise<void>,
  { now, ...timeouts }: Timeouts & { now?: () => number } = {},
): Promise<void> {
  await using lab = await startLab();
  const clocks = now && { now, monotonic: () => performance.now() };
  await using chain = await startChain(clocks);
  await using service = await startService(lab, { env: chain.env, timeouts, ...clocks });
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

Deno.test("premiumBelow has the days on which the contract's premium, at its price feed's rate, falls below the amounts", () => {
  let now = Date.now();
  return onChain(async ({ get }) => {
    const ask = async () => (await get("/v1/ens/check?name=grace")).body;
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
  }, { now: () => now });
});

const isHeld = ({ state }: ChainName) => state === "taken" || state === "grace";

/** Names whose records cannot be read, mostly because of their resolvers; their owners are returned all the same. */
const PROBLEMS: Readonly<Record<string, string>> = {
  "burns-gas": "its resolver failed",
  "abi-bomb": "its resolver returned no records",
  "huge-text": "its resolver exceeded the gas or size limit",
  "trap": "its offchain gateway could not be queried",
  "file": "its offchain gateway could not be queried",
  "trap-direct": "its offchain gateway could not be queried",
  "post-direct": "its offchain gateway could not be queried",
  "file-direct": "its offchain gateway could not be queried",
};

/** Names whose resolvers return hostile records. */
const RECORDS_OF_THEIR_OWN = ["wildcard", "long-text", "broken-text", "babbles"];

const NO_TEXTS = { avatar: "", url: "", description: "", twitter: "", github: "", email: "" };

function recordsOf({ records: { texts = {}, uri = "" } = {} }: ChainName) {
  const { "com.twitter": twitter = "", "com.github": github = "", ...others } = texts;
  const told = { ...NO_TEXTS, ...others, twitter, github };
  const clean = Object.entries(told).map(([key, text]) => [key, harmlessText(text)]);
  return { ...Object.fromEntries(clean), contenthash: uri };
}

Deno.test("/v1/ens/check and /v1/ens/metadata show a name's holder from the cache until its grace period ends, and no longer", () => {
  let now = Date.now();
  return onChain(async ({ get }) => {
    const ask = async () => [
      (await get("/v1/ens/check?name=grace")).body.available,
      (await get("/v1/ens/metadata?name=grace")).status,
    ];
    const { body } = await get("/v1/ens/check?name=grace");
    now = Date.parse(body.graceEndsAt) - 5_000;
    assertEquals(await ask(), [false, 200]);
    now += 10_000;
    assertEquals(await ask(), [true, 404]);
  }, { now: () => now });
});

Deno.test("GET /v1/ens/metadata returns owner and records as on chain, and 404 for an unregistered name", () =>
  onChain(async ({ get }) => {
    for (const row of CHAIN_NAMES) {
      const { label, owner, records } = row;
      const { status, body } = await get(`/v1/ens/metadata?name=${label}`);
      if (!isHeld(row)) {
        assertEquals([status, body.error, body.code], [404, "not_found", 404], label);
        continue;
      }
      assertEquals([status, body.name, body.owner], [200, `${label}.eth`, owner], label);
      assertEquals("resolver" in body, row.resolver !== undefined, label);
      const problem = PROBLEMS[label];
      assertEquals(body.error, problem && `The records could not be read: ${problem}`, label);
      if (RECORDS_OF_THEIR_OWN.includes(label)) continue;
      assertEquals([body.address, body.records], [records?.address, recordsOf(row)], label);
    }
  }));

Deno.test("GET /v1/ens/metadata cuts a long text and replaces invalid UTF-8", () =>
  onChain(async ({ get }) => {
    const { body: long } = await get("/v1/ens/metadata?name=long-text");
    assertEquals(long.records.description, "a".repeat(4_096));
    const { body: broken } = await get("/v1/ens/metadata?name=broken-text");
    assertMatch(broken.records.url, /^h\uFFFD+\.$/);
    const { body: wildcard } = await get("/v1/ens/metadata?name=wildcard");
    assertEquals(wildcard.records.twitter, "wildcard com.twitter");
  }));

Deno.test("a profile sends no request to URLs of a contract, and does not cache a gateway's refusal", () =>
  onChain(async ({ get }, chain) => {
    const hostile = ["trap", "file", "trap-direct", "post-direct", "file-direct"];
    for (const label of [...hostile, ...hostile]) {
      const { body } = await get(`/v1/ens/metadata?name=${label}`);
      assertEquals([body.source, body.owner !== undefined], ["rpc", true], label);
    }
    assert(chain.gatewayRequests.length > 0);
    assertEquals(chain.trapRequests, []);
  }));

Deno.test("an off-chain name takes two RPC requests and one gateway request, and is cached then", () =>
  onChain(async ({ get }, chain) => {
    for (const label of ["offchain", "offchain-direct"]) {
      chain.clear();
      const { body } = await get(`/v1/ens/metadata?name=${label}`);
      assertEquals(body.records.url, "https://offchain.example");
      assertEquals([chain.requests.length, chain.gatewayRequests.length], [2, 1], label);
      assertEquals((await get(`/v1/ens/metadata?name=${label}`)).body.source, "rpc+cache");
    }
  }));

Deno.test("GET /v1/ens/metadata runs a hostile resolver once a minute at any request rate", async () => {
  await using lab = await startLab();
  await using chain = await startChain();
  let now = Date.now();
  await using service = await startService(lab, { env: chain.env, now: () => now });
  const hostile = Object.keys(PROBLEMS).filter((label) =>
    PROBLEMS[label]?.startsWith("its resolver")
  );
  assert(hostile.length >= 3);
  async function sources(): Promise<string[]> {
    const answers = [];
    for (const label of hostile) answers.push(await service.get(`/v1/ens/metadata?name=${label}`));
    for (const [place, { body }] of answers.entries()) {
      assertMatch(
        body.error,
        /its resolver (?:failed|returned no records|exceeded)/,
        hostile[place],
      );
    }
    return answers.map(({ body }) => body.source);
  }
  assertEquals(new Set(await sources()), new Set(["rpc"]));
  chain.clear();
  now += 59_000;
  assertEquals(new Set(await sources()), new Set(["rpc+cache"]));
  assertEquals(chain.requests, []);
  now += 2_000;
  assertEquals(new Set(await sources()), new Set(["rpc"]));
});

const GATEWAY_FAULTS: [string, ServerBehaviour][] = [
  ["is not there", { kind: "refused" }],
  ["answers 503", { kind: "reply", status: 503, body: "" }],
  ["hangs", { kind: "hang" }],
  ["redirects", {
    kind: "reply",
    status: 307,
    body: "",
    headers: { location: "http://127.0.0.1/" },
  }],
  ["answers without end", { kind: "oversized", bytes: 3 * 1_024 * 1_024 }],
  ["answers no JSON", { kind: "reply", status: 200, body: "<html>" }],
  ["answers JSON 300,000 deep", {
    kind: "reply",
    status: 200,
    body: `{"data":${"[".repeat(300_000)}${"]".repeat(300_000)}}`,
  }],
  ["answers with 8,000 offsets to 40 KB", {
    kind: "reply",
    status: 200,
    body: JSON.stringify({ data: aliasedArray(8_000, 40_000) }),
  }],
  ["answers JSON of another kind", { kind: "reply", status: 200, body: "null" }],
];

/** For a gateway that never answers, in place of production's 3 s. */
const IMPATIENT: Timeouts = { offchainMs: 1_500 };

for (const [fault, behaviour] of GATEWAY_FAULTS) {
  Deno.test(`a profile lacks only its records when the gateway ${fault}, and this is not cached`, () =>
    onChain(async ({ get }, chain) => {
      await chain.setGatewayBehaviour(behaviour);
      const { status, body } = await get("/v1/ens/metadata?name=offchain");
      assertEquals([status, body.records.url, body.source], [200, "", "rpc"]);
      assertMatch(body.error, /offchain gateway/);
      await chain.setGatewayBehaviour({ kind: "ok" });
      const { body: again } = await get("/v1/ens/metadata?name=offchain");
      assertEquals([again.records.url, again.error], ["https://offchain.example", undefined]);
    }, behaviour.kind === "hang" ? IMPATIENT : {}));
}

for (const sale of ["closed", "unpriced"] as const) {
  Deno.test(`a name without an owner is neither available nor "not found" when its sale is ${sale}, and a taken one stays taken`, () =>
    onChain(async ({ get }, chain) => {
      chain.setSale(sale);
      for (const name of ["freename", "free-again"]) {
        for (const operation of ["check", "metadata"]) {
          const { status, body } = await get(`/v1/ens/${operation}?name=${name}`);
          assertEquals([status, body.error], [500, `${operation}_failed`], name);
          assertMatch(
            body.message,
            /the contracts of ENSv2, which may hold the name, are not asked/,
          );
        }
      }
      assertEquals((await get("/v1/ens/check?name=alice")).body.available, false);
      assertEquals((await get("/v1/ens/metadata?name=alice")).status, 200);
      chain.setSale("open");
      assertEquals((await get("/v1/ens/check?name=freename")).body.available, true);
      assertEquals((await get("/v1/ens/metadata?name=freename")).status, 404);
    }));
}

Deno.test("a name whose owner is ENS_GRAVEYARD fails in a check and in a profile", async () => {
  await using lab = await startLab();
  await using chain = await startChain();
  const ENS_GRAVEYARD = CHAIN_NAMES.find(({ label }) => label === "bare")!.owner!.toLowerCase();
  await using service = await startService(lab, { env: { ...chain.env, ENS_GRAVEYARD } });
  for (const operation of ["check", "metadata"]) {
    const { status, body } = await service.get(`/v1/ens/${operation}?name=bare`);
    assertEquals([status, body.error], [500, `${operation}_failed`]);
    assertMatch(body.message, /the name has moved to the contracts of ENSv2, which are not asked/);
    assertEquals((await service.get(`/v1/ens/${operation}?name=alice`)).status, 200);
  }
});

Deno.test("/v1/ens/check and /v1/ens/metadata refuse invalid names without an RPC request", () =>
  onChain(async ({ get }, chain) => {
    for (const operation of ["check", "metadata"]) {
      for (
        const name of ["ab", "sub.alice.eth", "ab--cd", "%C3%BCber", "na_me", "alice&name=bare"]
      ) {
        const { status, body } = await get(`/v1/ens/${operation}?name=${name}`);
        assertEquals([status, body.error, body.code], [400, "invalid_name", 400], name);
      }
      for (const query of ["", "?name=", "?Name=alice"]) {
        assertEquals((await get(`/v1/ens/${operation}${query}`)).body.error, "missing_parameter");
      }
    }
    assertEquals(chain.requests, []);
  }));
