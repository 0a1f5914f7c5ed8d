import { assertEquals, assertMatch } from "@std/assert";
import { aliasedArray } from "../lab/chain/ens_abi.ts";
import { rpcError, rpcResult, startChain } from "../lab/chain/chain.ts";
import { type ServerBehaviour, startFaultyServer } from "../lab/chain/faulty_server.ts";
import { startLab } from "../lab/lab.ts";
import { startService } from "../support/service.ts";

const HTML = { "content-type": "text/html" };

const FAULTS: [string, ServerBehaviour][] = [
  ["is not there", { kind: "refused" }],
  ["hangs", { kind: "hang" }],
  ["answers 429", { kind: "reply", status: 429, body: "slow down" }],
  ["answers 429 with a large page", { kind: "reply", status: 429, body: "slow ".repeat(60_000) }],
  ["answers 503", { kind: "reply", status: 503, body: "" }],
  ["answers a page with 403", {
    kind: "reply",
    status: 403,
    body: "<html>no</html>",
    headers: HTML,
  }],
  ["answers a page with 200", {
    kind: "reply",
    status: 200,
    body: "<html>hi</html>",
    headers: HTML,
  }],
  ["redirects", { kind: "reply", status: 302, body: "", headers: { location: "/elsewhere" } }],
  ["answers 0x", rpcResult("0x")],
  ["answers no hexadecimal", rpcResult("none")],
  ["answers bytes that are no answer", rpcResult(`0x${"00".repeat(64)}`)],
  ["refuses in JSON-RPC", rpcError(-32_046, "Cannot fulfill request")],
  ["reverts every call", rpcError(3, "execution reverted")],
  ["refuses every call as Nethermind", rpcError(-32_015, "VM execution error")],
  ["is out of sync", rpcError(-32_000, "header not found")],
  ["is cut off", { kind: "cut" }],
  ["drips", { kind: "drip" }],
  ["answers with 1,000 offsets to 30 KB", rpcResult(aliasedArray(1_000, 30_000))],
  ["answers with JSON 60,000 deep", {
    kind: "reply",
    status: 200,
    body: "[".repeat(60_000) + "]".repeat(60_000),
  }],
  ["answers without end", { kind: "oversized", bytes: 8 * 1_024 * 1_024 }],
];

/** For nodes that never answer, in place of production's 1.5 s. */
const TIMEOUTS = { rpcMs: 500 };

Deno.test("a failing node is left alone: the next one answers, and without one nothing is cached", async (t) => {
  await using lab = await startLab();
  await using chain = await startChain();
  for (const [fault, behaviour] of FAULTS) {
    await t.step(`a node that ${fault}`, async () => {
      const timeouts = ["hang", "drip"].includes(behaviour.kind) ? TIMEOUTS : {};
      await using bad = await startChain();
      await bad.setRpcBehaviour(behaviour);
      await using alone = await startService(lab, { env: bad.env, timeouts });
      for (const [path, error] of [["check", "check_failed"], ["metadata", "metadata_failed"]]) {
        const { status, body } = await alone.get(`/v1/ens/${path}?name=alice`);
        assertEquals([status, body.error, body.code], [500, error, 500]);
      }
      assertEquals((await alone.get("/health")).body.checks.rpc, "failing");
      await bad.setRpcBehaviour({ kind: "ok" });
      // A node that cools down is still asked where there is no other.
      const { body } = await alone.get("/v1/ens/check?name=alice");
      assertEquals([body.available, body.source], [false, "rpc"]);
      assertEquals((await alone.get("/health")).body.checks.rpc, "ok");

      await bad.setRpcBehaviour(behaviour);
      const env = { ...chain.env, ETH_RPC_URLS: [bad.rpcUrl, chain.rpcUrl].join(",") };
      await using service = await startService(lab, { env, timeouts });
      const profile = await service.get("/v1/ens/metadata?name=alice");
      assertEquals([profile.status, profile.body.error], [200, undefined]);
      assertEquals(profile.body.records.url, "https://alice.example");
      bad.requests.length = 0;
      assertEquals((await service.get("/v1/ens/check?name=alice")).body.available, false);
      assertEquals(bad.requests.length, 0, "the node cools down");
    });
  }
});

Deno.test("GET /v1/ens/metadata asks the next node when one fails from the callback of an off-chain name on", async () => {
  await using lab = await startLab();
  await using chain = await startChain();
  for (const fault of [{ result: "0x" }, { error: { code: 3 } }, { error: { code: -32_000 } }]) {
    let asked = 0;
    await using bad = await startFaultyServer(async ({ body }) => {
      if (asked++ > 0) return JSON.stringify({ jsonrpc: "2.0", id: 1, ...fault });
      return await (await fetch(chain.rpcUrl, { method: "POST", body })).text();
    });
    const ETH_RPC_URLS = [bad.url, chain.rpcUrl].join(",");
    await using service = await startService(lab, { env: { ...chain.env, ETH_RPC_URLS } });
    const { body } = await service.get("/v1/ens/metadata?name=offchain");
    assertEquals([body.error, body.records.url], [undefined, "https://offchain.example"]);
  }
});

Deno.test("a node of another chain is left alone, although it answers", async () => {
  await using lab = await startLab();
  await using chain = await startChain();
  await using other = await startChain({ chainId: 11_155_111 });
  await using alone = await startService(lab, { env: other.env });
  assertEquals((await alone.get("/v1/ens/check?name=freename")).body.error, "check_failed");
  const ETH_RPC_URLS = [other.rpcUrl, chain.rpcUrl].join(",");
  await using service = await startService(lab, { env: { ...chain.env, ETH_RPC_URLS } });
  assertEquals((await service.get("/v1/ens/check?name=freename")).body.available, true);
});

/** How far our clock is ahead of the only node's latest block, in minutes, and how the rejection words it. */
const CLOCKS: [ourMinutesAhead: number, lag: string | undefined][] = [
  [9, undefined],
  [10.5, "10 minutes behind"],
  [25, "25 minutes behind"],
  [24 * 60, "1440 minutes behind"],
  [-1, undefined],
  [-3.5, "3 minutes ahead of"],
  [-365 * 24 * 60, "525600 minutes ahead of"],
];

const messageOf = (why: string) =>
  `The name could not be checked: ${why}; retry in a minute, or see app.ens.domains`;

Deno.test("GET /v1/ens/check takes only a block whose time is near our clock's", async (t) => {
  await using lab = await startLab();
  const blockMs = 1_000 * Math.floor(Date.now() / 1_000);
  await using chain = await startChain({ now: () => blockMs });
  for (const [minutes, lag] of CLOCKS) {
    await t.step(`our clock is ${minutes} minutes ahead of the block`, async () => {
      const now = () => blockMs + minutes * 60_000;
      await using service = await startService(lab, { env: chain.env, now });
      const { body } = await service.get("/v1/ens/check?name=freename");
      const [pause] = service.events.filter(({ event }) => event === "rpc.cooldown");
      if (lag === undefined) {
        assertEquals([body.available, pause], [true, undefined]);
      } else {
        const why = `the node's latest block is ${lag} our clock`;
        assertEquals([body.error, body.message], ["check_failed", messageOf(why)]);
        assertEquals(pause?.reason, why);
      }
    });
  }
});

Deno.test("a node's Retry-After sets its cooldown, and the key in its URL is not logged", async () => {
  await using lab = await startLab();
  await using chain = await startChain();
  const headers = { "retry-after": "120" };
  await using limited = await startChain();
  await limited.setRpcBehaviour({ kind: "reply", status: 429, body: "", headers });
  const ETH_RPC_URLS = [`${limited.rpcUrl}/v3/secret`, chain.rpcUrl].join(",");
  await using service = await startService(lab, { env: { ...chain.env, ETH_RPC_URLS } });
  await service.get("/v1/ens/check?name=alice");
  const [pause] = service.events.filter(({ event }) => event === "rpc.cooldown");
  assertEquals([pause?.reason, pause?.ms], ["HTTP 429", 120_000]);
  assertMatch(limited.rpcUrl, new RegExp(`//${pause?.host}$`));
});

Deno.test("error messages do not quote a node's text", async () => {
  await using lab = await startLab();
  await using chain = await startChain();
  await chain.setRpcBehaviour(rpcError(-32_005, "<script>alert(1)</script>"));
  await using service = await startService(lab, { env: chain.env });
  const { body } = await service.get("/v1/ens/check?name=alice");
  assertEquals(body.message, messageOf("JSON-RPC error -32005"));
});
