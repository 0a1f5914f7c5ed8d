import { assertEquals, assertMatch } from "@std/assert";
import { startChain } from "../lab/chain/chain.ts";
import type { RpcManner } from "../lab/chain/rpc_manner.ts";
import { startRpcNode } from "../lab/chain/rpc_node.ts";
import { startLab } from "../lab/lab.ts";
import { startService } from "../support/service.ts";

const HTML = { "content-type": "text/html" };

const FAULTS: [string, RpcManner][] = [
  ["is not there", { kind: "refused" }],
  ["hangs", { kind: "hang" }],
  ["answers 429", { kind: "reply", status: 429, body: "slow down" }],
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
  ["answers 0x", { kind: "result", result: "0x" }],
  ["answers no hexadecimal", { kind: "result", result: "none" }],
  ["answers bytes that are no answer", { kind: "result", result: `0x${"00".repeat(64)}` }],
  ["refuses in JSON-RPC", { kind: "error", code: -32_046, message: "Cannot fulfill request" }],
  ["is out of sync", { kind: "error", code: -32_000, message: "header not found" }],
  ["is cut off", { kind: "cut" }],
  ["drips", { kind: "drip" }],
  ["answers without end", { kind: "oversized", bytes: 8 * 1_024 * 1_024 }],
];

for (const [fault, manner] of FAULTS) {
  Deno.test(`a node that ${fault} is left: the next one answers, and without one nothing is kept`, async () => {
    await using lab = await startLab();
    await using chain = await startChain();
    await using bad = await startRpcNode(chain, manner);
    await using alone = await startService(lab, { env: { ...chain.env, ETH_RPC_URLS: bad.url } });
    for (const [path, error] of [["check", "check_failed"], ["metadata", "metadata_failed"]]) {
      const { status, body } = await alone.get(`/v1/ens/${path}?name=alice`);
      assertEquals([status, body.error, body.code], [500, error, 500]);
    }
    assertEquals((await alone.get("/health")).body.checks.rpc, "failing");
    await bad.setManner({ kind: "ok" });
    // A node that cools down is asked all the same where there is no other.
    const { body } = await alone.get("/v1/ens/check?name=alice");
    assertEquals([body.available, body.source], [false, "rpc"]);
    assertEquals((await alone.get("/health")).body.checks.rpc, "ok");

    await bad.setManner(manner);
    const ETH_RPC_URLS = [bad.url, chain.rpcUrl].join(",");
    await using service = await startService(lab, { env: { ...chain.env, ETH_RPC_URLS } });
    assertEquals((await service.get("/v1/ens/check?name=alice")).body.available, false);
    bad.requests.length = 0;
    assertEquals((await service.get("/v1/ens/metadata?name=alice")).status, 200);
    assertEquals(bad.requests.length, 0, "the node cools down");
  });
}

Deno.test("a node of another chain is left, however well it answers", async () => {
  await using lab = await startLab();
  await using chain = await startChain();
  await using other = await startChain({ chainId: 11_155_111 });
  await using lying = await startRpcNode(chain, { kind: "elsewhere", url: other.anvilUrl });
  await using alone = await startService(lab, { env: { ...chain.env, ETH_RPC_URLS: lying.url } });
  assertEquals((await alone.get("/v1/ens/check?name=freename")).body.error, "check_failed");
  const ETH_RPC_URLS = [lying.url, chain.rpcUrl].join(",");
  await using service = await startService(lab, { env: { ...chain.env, ETH_RPC_URLS } });
  assertEquals((await service.get("/v1/ens/check?name=freename")).body.available, true);
});

Deno.test("a node that has stood still for days is left: what was registered since would look free", async () => {
  await using lab = await startLab();
  await using chain = await startChain();
  const daysOn = (days: number) => () => Date.now() + days * 24 * 3_600_000;
  await using soon = await startService(lab, { env: chain.env, now: daysOn(0.9) });
  assertEquals((await soon.get("/v1/ens/check?name=freename")).body.available, true);
  await using late = await startService(lab, { env: chain.env, now: daysOn(1.1) });
  assertEquals((await late.get("/v1/ens/check?name=freename")).body.error, "check_failed");
});

Deno.test("a node that asks for a pause gets the one it asks for, and its URL's key is not logged", async () => {
  await using lab = await startLab();
  await using chain = await startChain();
  const headers = { "retry-after": "120" };
  await using limited = await startRpcNode(chain, {
    kind: "reply",
    status: 429,
    body: "",
    headers,
  });
  const ETH_RPC_URLS = [`${limited.url}/v3/secret`, chain.rpcUrl].join(",");
  await using service = await startService(lab, { env: { ...chain.env, ETH_RPC_URLS } });
  await service.get("/v1/ens/check?name=alice");
  const [pause] = service.events.filter(({ event }) => event === "rpc.cooldown");
  assertEquals([pause?.why, pause?.ms], ["HTTP 429", 120_000]);
  assertMatch(limited.url, new RegExp(`//${pause?.host}$`));
});

Deno.test("a message of the service does not tell what a node wrote", async () => {
  await using lab = await startLab();
  await using chain = await startChain();
  const message = "<script>alert(1)</script>";
  await chain.setRpcManner({ kind: "error", code: -32_005, message });
  await using service = await startService(lab, { env: chain.env });
  const { body } = await service.get("/v1/ens/check?name=alice");
  assertEquals(body.message, "The name could not be checked: JSON-RPC error -32005");
});
