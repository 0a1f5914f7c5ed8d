import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { toHex } from "viem";
import { harmlessText } from "../../src/rules/ens.ts";
import { aliasedArray } from "../lab/chain/ens_abi.ts";
import { type Chain, rpcReply, startChain } from "../lab/chain/chain.ts";
import { CHAIN_NAMES, type ChainName } from "../lab/chain/chain_names.ts";
import { type ServerBehaviour, startFaultyServer } from "../lab/chain/faulty_server.ts";
import { onChain, onLab } from "../support/on_lab.ts";
import type { Json } from "../support/service.ts";
import { until } from "../support/until.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const test = (name: string, run: Parameters<typeof onChain>[0]) =>
  Deno.test(name, () => onChain(run));

test("GET /v1/ens/check returns each name's state with its real owner or its price", async ({ get }) => {
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
});

test("a check takes one RPC request, and a profile takes one", async ({ get, chain }) => {
  await get("/v1/ens/check?name=alice");
  assertEquals(chain.requests.length, 1);
  await get("/v1/ens/metadata?name=alice");
  assertEquals(chain.requests.length, 2);
  for (const path of ["check?name=Alice.eth", "metadata?name=alice"]) {
    assertEquals((await get(`/v1/ens/${path}`)).body.source, "rpc+cache");
  }
  assertEquals(chain.requests.length, 2);
});

const reply = (status: number, body: string): ServerBehaviour => ({ kind: "text", status, body });

const isHeld = ({ state }: ChainName) => state === "taken" || state === "grace";

/** Names whose records cannot be read, mostly because of their resolvers; their owners are returned all the same. */
const PROBLEMS: Readonly<Record<string, string>> = {
  "burns-gas": "its resolver failed",
  "abi-bomb": "its resolver returned no records",
  "huge-text": "its resolver exceeded the gas or size limit",
  "trap": "its offchain gateway could not be queried",
  "file": "its offchain gateway could not be queried",
  "trap-direct": "its offchain gateway could not be queried",
};

function errorOf(label: string): string | undefined {
  return PROBLEMS[label] && `The records could not be read: ${PROBLEMS[label]}`;
}

/** Names whose resolvers return hostile records. */
const RECORDS_OF_THEIR_OWN = ["wildcard", "broken-text", "babbles"];

const NO_TEXTS = { avatar: "", url: "", description: "", twitter: "", github: "", email: "" };

function recordsOf({ records: { texts = {}, uri = "" } = {} }: ChainName) {
  const { "com.twitter": twitter = "", "com.github": github = "", ...others } = texts;
  const told = { ...NO_TEXTS, ...others, twitter, github };
  const clean = Object.entries(told).map(([key, text]) => [key, harmlessText(text)]);
  return { ...Object.fromEntries(clean), contenthash: uri };
}

test("a profile whose client has left is not asked for", async ({ services, chain }) => {
  const left = { signal: AbortSignal.abort(), client: "a" };
  assertEquals((await services.ens.profile("alice", left)).kind, "failed");
  assertEquals(chain.requests, []);
});

Deno.test("/v1/ens/check and /v1/ens/metadata show a name's holder from the cache until its grace period ends, and no longer", () =>
  onChain(async ({ get, clock }) => {
    const ask = async () => [
      (await get("/v1/ens/check?name=grace")).body.available,
      (await get("/v1/ens/metadata?name=grace")).status,
    ];
    const { body } = await get("/v1/ens/check?name=grace");
    clock.aheadMs = Date.parse(body.graceEndsAt) - 5_000 - Date.now();
    assertEquals(await ask(), [false, 200]);
    clock.aheadMs += 10_000;
    assertEquals(await ask(), [true, 404]);
  }));

test("GET /v1/ens/metadata returns owner and records as on chain, and 404 for an unregistered name", async ({ get }) => {
  for (const row of CHAIN_NAMES) {
    const { label, owner, records } = row;
    const { status, body } = await get(`/v1/ens/metadata?name=${label}`);
    if (!isHeld(row)) {
      assertEquals([status, body.error, body.code], [404, "not_found", 404], label);
      continue;
    }
    assertEquals([status, body.name, body.owner], [200, `${label}.eth`, owner], label);
    assertEquals("resolver" in body, row.resolver !== undefined, label);
    assertEquals(body.error, errorOf(label), label);
    if (RECORDS_OF_THEIR_OWN.includes(label)) continue;
    assertEquals([body.address, body.records], [records?.address, recordsOf(row)], label);
  }
});

test("GET /v1/ens/metadata replaces invalid UTF-8, and asks the resolver of a wildcard", async ({ get }) => {
  const { body: broken } = await get("/v1/ens/metadata?name=broken-text");
  assertMatch(broken.records.url, /^h\uFFFD+\.$/);
  const { body: wildcard } = await get("/v1/ens/metadata?name=wildcard");
  assertEquals(wildcard.records.twitter, "wildcard com.twitter");
});

test("a profile sends no request to URLs of a contract, and does not cache a gateway's refusal", async ({ get, chain }) => {
  const hostile = ["trap", "file", "trap-direct"];
  for (const label of [...hostile, ...hostile]) {
    const { body } = await get(`/v1/ens/metadata?name=${label}`);
    assertEquals([body.source, body.owner !== undefined], ["rpc", true], label);
  }
  assert(chain.gatewayRequests.length > 0);
  assertEquals(chain.trapRequests, []);
});

test("an off-chain name takes two RPC requests and one gateway request, and is cached then", async ({ get, chain }) => {
  for (const label of ["offchain", "offchain-direct"]) {
    chain.clear();
    const { body } = await get(`/v1/ens/metadata?name=${label}`);
    assertEquals(body.records.url, "https://offchain.example");
    assertEquals([chain.requests.length, chain.gatewayRequests.length], [2, 1], label);
    assertEquals((await get(`/v1/ens/metadata?name=${label}`)).body.source, "rpc+cache");
  }
});

test("GET /v1/ens/metadata runs a hostile resolver once a minute at any request rate", async ({ get, clock, chain }) => {
  for (const [laterMs, source] of [[0, "rpc"], [55_000, "rpc+cache"], [6_000, "rpc"]] as const) {
    clock.aheadMs += laterMs;
    chain.clear();
    for (const label of ["burns-gas", "abi-bomb", "huge-text"]) {
      const { body } = await get(`/v1/ens/metadata?name=${label}`);
      assertEquals([body.source, body.error], [source, errorOf(label)], label);
    }
    assertEquals(chain.requests.length > 0, source === "rpc");
  }
});

/** Of what the gateway may answer, tests/chain/ens_questions_test.ts has more. */
for (const behaviour of [{ kind: "silent" }, { kind: "padded", bytes: 3e6 }] as const) {
  Deno.test(`a profile lacks only its records while the gateway is ${behaviour.kind}, and this is not cached`, () =>
    onChain(async ({ get, chain }) => {
      await chain.setGatewayBehaviour(behaviour);
      const { status, body } = await get("/v1/ens/metadata?name=offchain");
      assertEquals([status, body.records.url, body.source], [200, "", "rpc"]);
      assertMatch(body.error, /offchain gateway/);
      await chain.setGatewayBehaviour({ kind: "ok" });
      const { body: again } = await get("/v1/ens/metadata?name=offchain");
      assertEquals([again.records.url, again.error], ["https://offchain.example", undefined]);
    }, { timeouts: { offchainMs: 1_500 } }));
}

test('a name without an owner is neither available nor "not found" when no names are sold, and a taken one stays taken', async ({ get, chain }) => {
  chain.setOpen(false);
  for (const name of ["freename", "free-again"]) {
    for (const operation of ["check", "metadata"]) {
      const { status, body } = await get(`/v1/ens/${operation}?name=${name}`);
      assertEquals([status, body.error], [500, `${operation}_failed`], name);
      assertMatch(body.message, /the contracts of ENSv2, which may hold the name, are not asked/);
    }
  }
  assertEquals((await get("/v1/ens/check?name=alice")).body.available, false);
  assertEquals((await get("/v1/ens/metadata?name=alice")).status, 200);
  chain.setOpen(true);
  assertEquals((await get("/v1/ens/check?name=freename")).body.available, true);
  assertEquals((await get("/v1/ens/metadata?name=freename")).status, 404);
});

const ownerOf = (name: string) => CHAIN_NAMES.find(({ label }) => label === name)?.owner;

Deno.test("a name whose owner is ENS_GRAVEYARD fails in a check and in a profile", () =>
  onChain(async ({ get }) => {
    for (const operation of ["check", "metadata"]) {
      const { status, body } = await get(`/v1/ens/${operation}?name=bare`);
      assertEquals([status, body.error], [500, `${operation}_failed`]);
      const words = /the name has moved to the contracts of ENSv2, which are not asked/;
      assertMatch(body.message, words);
      assertEquals((await get(`/v1/ens/${operation}?name=alice`)).status, 200);
    }
  }, { env: { ENS_GRAVEYARD: `${ownerOf("bare")?.toLowerCase()}` } }));

const rpcError = (code: number, message: string) => rpcReply({ error: { code, message } });

const NODE_FAULTS: [string, ServerBehaviour][] = [
  ["is not there", { kind: "refused" }],
  ["hangs", { kind: "silent" }],
  ["answers 429", reply(429, "slow down")],
  ["answers 503", reply(503, "")],
  ["redirects", { kind: "redirect", status: 302, location: "/elsewhere" }],
  ["answers 0x", rpcReply({ result: "0x" })],
  ["answers no hexadecimal", rpcReply({ result: "none" })],
  ["answers bytes that are no answer", rpcReply({ result: `0x${"00".repeat(64)}` })],
  ["refuses in JSON-RPC", rpcError(-32_046, "<script>alert(1)</script>")],
  ["reverts every call", rpcError(3, "execution reverted")],
  ["refuses every call as Nethermind", rpcError(-32_015, "VM execution error")],
  ["is out of sync", rpcError(-32_000, "header not found")],
  ["answers with 1,000 offsets to 30 KB", rpcReply({ result: aliasedArray(1_000, 30_000) })],
  ["answers with JSON 60,000 deep", reply(200, "[".repeat(60_000) + "]".repeat(60_000))],
  ["answers without end", { kind: "padded", bytes: 8 * 1_024 * 1_024 }],
];

for (const [fault, behaviour] of NODE_FAULTS) {
  // In place of production's 1.5 s.
  const timeouts = behaviour.kind === "silent" ? { rpcMs: 500 } : {};

  Deno.test(`a node that ${fault} fails checks and profiles where there is no other, which are not cached`, () =>
    onChain(async ({ get, chain: node }) => {
      await node.setRpcBehaviour(behaviour);
      for (const [path, error] of [["check", "check_failed"], ["metadata", "metadata_failed"]]) {
        const { status, body } = await get(`/v1/ens/${path}?name=alice`);
        assertEquals([status, body.error, body.code], [500, error, 500]);
        assertNotMatch(body.message, /script|revert|header/, "no text of the node's");
      }
      assertEquals((await get("/health")).body.checks.rpc, "failing");
      await node.setRpcBehaviour({ kind: "ok" });
      // A node that cools down is still asked where there is no other.
      const { body } = await get("/v1/ens/check?name=alice");
      assertEquals([body.available, body.source], [false, "rpc"]);
      assertEquals((await get("/health")).body.checks.rpc, "ok");
    }, { timeouts }));
}

const REVERT = { code: 3, message: "execution reverted" };
/** In each call that runs a resolver, as bytes. */
const KEY_OF_A_TEXT = toHex("description").slice(2);

/** What nodes do with the call that runs a resolver, which may be the resolver's doing. */
const RESOLVER_FAULTS: [does: string, answer: () => string | Promise<string>][] = [
  ["hang", () => new Promise(() => {})],
  ["never end", () => " ".repeat(5e6)],
  ["revert", () => rpcReply({ error: REVERT }).body],
  // JSON-RPC forbids a result beside an error.
  ["revert with a result", () => rpcReply({ error: REVERT, result: "0x01" }).body],
];

for (const [does, answer] of RESOLVER_FAULTS) {
  Deno.test(`GET /v1/ens/metadata lacks only the records when all nodes ${does} where they run the resolver, pauses none of them, and prefers one that does not`, async () => {
    let goodUrl = "";
    const ask = async (body: string) => {
      const runsResolver = body.includes(KEY_OF_A_TEXT);
      return runsResolver
        ? answer()
        : await (await fetch(goodUrl, { method: "POST", body })).text();
    };
    await using one = await startFaultyServer(ask);
    await using two = await startFaultyServer(ask);
    for (const hasOther of [false, true]) {
      await onChain(async ({ get, events, chain: { rpcUrl } }) => {
        goodUrl = rpcUrl;
        const { body } = await get("/v1/ens/metadata?name=alice");
        const error = hasOther ? undefined : errorOf("huge-text");
        assertEquals([body.owner, body.error], [ownerOf("alice"), error]);
        assertEquals(events.filter(({ event }) => event === "rpc.cooldown"), []);
      }, {
        nodes: ({ rpcUrl }) => [one.url, two.url, ...(hasOther ? [rpcUrl] : [])],
        timeouts: { rpcMs: 450 },
      });
    }
  });
}

Deno.test("a node that is slower than the next one is paused, and one whose answer a shutdown cancels is not", async () => {
  await using slow = await startFaultyServer(() => new Promise(() => {}));
  const nodes = ({ rpcUrl }: Chain) => [slow.url, rpcUrl];
  await onChain(async ({ get, events, services, chain }) => {
    const pauses = () => events.filter(({ event }) => event === "rpc.cooldown");
    assertEquals((await get("/v1/ens/check?name=alice")).status, 200);
    // The cancelled request ends after the answer.
    await until("the pause", () => pauses().length > 0);
    assertEquals(pauses().map(({ reason }) => reason), ["slower than another node"]);
    await chain.setRpcBehaviour({ kind: "silent" });
    chain.clear();
    const asking = get("/v1/ens/check?name=bare");
    await until("the other node is asked at once", () => chain.requests.length > 0);
    services.giveUp();
    assertEquals((await asking).status, 500);
    assertEquals(pauses().length, 1);
  }, { nodes });
});

for (const fault of [{ result: "0x" }, { error: { code: 3 } }, { error: { code: -32_000 } }]) {
  Deno.test(`GET /v1/ens/metadata asks the next node when one answers ${JSON.stringify(fault)} from the callback of an off-chain name on`, async () => {
    let [asked, goodUrl] = [0, ""];
    await using bad = await startFaultyServer(async (body) => {
      if (asked++ > 0) return rpcReply(fault).body;
      return await (await fetch(goodUrl, { method: "POST", body })).text();
    });
    await onChain(async ({ get, chain: { rpcUrl } }) => {
      goodUrl = rpcUrl;
      const { body } = await get("/v1/ens/metadata?name=offchain");
      assertEquals([body.error, body.records.url], [undefined, "https://offchain.example"]);
    }, { nodes: ({ rpcUrl }) => [bad.url, rpcUrl] });
  });
}

Deno.test("a node of another chain is left alone, although it answers", async () => {
  await using other = await startChain({ chainId: 11_155_111 });
  await onChain(async ({ get }) => {
    assertEquals((await get("/v1/ens/check?name=freename")).body.error, "check_failed");
  }, { nodes: () => [other.rpcUrl] });
  await onChain(async ({ get }) => {
    assertEquals((await get("/v1/ens/check?name=freename")).body.available, true);
  }, { nodes: ({ rpcUrl }) => [other.rpcUrl, rpcUrl] });
});

/** How far our clock is ahead of the only node's latest block, in minutes, and how the rejection words it. */
const CLOCKS: [ourMinutesAhead: number, lag: string | undefined][] = [
  [9, undefined],
  [10.5, "10 minutes behind"],
  [-1, undefined],
  [-3.5, "3 minutes ahead of"],
];

for (const [minutes, lag] of CLOCKS) {
  Deno.test(`GET /v1/ens/check takes only a block whose time is near our clock's, which is ${minutes} minutes ahead`, async () => {
    const blockMs = 1_000 * Math.floor(Date.now() / 1_000);
    await using chain = await startChain({ now: () => blockMs });
    await onLab(async ({ get, events }) => {
      const { body } = await get("/v1/ens/check?name=freename");
      const [pause] = events.filter(({ event }) => event === "rpc.cooldown");
      const why = lag && `the node's latest block is ${lag} our clock`;
      const message = why &&
        `The name could not be checked: ${why}; retry in a minute, or see app.ens.domains`;
      assertEquals([pause?.reason, body.message], [why, message]);
      assertEquals(body.available, why === undefined ? true : undefined);
    }, { env: chain.env, now: () => blockMs + minutes * 60_000 });
  });
}

Deno.test("a node's Retry-After sets its pause, in which it is asked only if no other node answers, and neither log, /health nor /metrics shows the key in its URL", async () => {
  await using limited = await startChain();
  await limited.setRpcBehaviour({ kind: "empty", status: 429, headers: { "retry-after": "120" } });
  await onChain(async ({ get, events, services, chain }) => {
    await get("/v1/ens/check?name=alice");
    const [pause] = events.filter(({ event }) => event === "rpc.cooldown");
    assertEquals([pause?.reason, pause?.ms], ["HTTP 429", 120_000]);
    assertMatch(limited.rpcUrl, new RegExp(`//${pause?.host}$`));
    const { registries } = (await get("/health")).body;
    const shown = registries.map((row: Json) => [row.kind, row.host, row.state, row.fault]);
    assertEquals(shown, [["rpc", pause?.host, "cooling", "HTTP 429"]]);
    assertNotMatch(services.printMetrics(), /secret|registry_cooling_seconds\{/);
    assertEquals((await get("/v1/ens/check?name=bare")).status, 200);
    assertEquals(limited.requests.length, 1);
    await limited.setRpcBehaviour({ kind: "ok" });
    await chain.setRpcBehaviour({ kind: "refused" });
    assertEquals((await get("/v1/ens/check?name=freename")).status, 200);
  }, { nodes: ({ rpcUrl }) => [`${limited.rpcUrl}/v3/secret`, rpcUrl] });
});
