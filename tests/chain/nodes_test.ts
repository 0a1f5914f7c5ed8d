import { assertEquals } from "@std/assert";
import { createNodes, Fault, type NodesAnswer, type Request } from "../../src/chain/nodes.ts";
import { createUpstreamHosts } from "../../src/flow/upstream_host.ts";
import { createGuardedPost } from "../../src/sources/http.ts";
import {
  type FaultyServer,
  type ServerBehaviour,
  startFaultyServer,
} from "../lab/chain/faulty_server.ts";

const CALL = (request: Request) => request({ method: "eth_call" });
const OURS = { runsThirdPartyCode: false };
const THIRD_PARTY = { runsThirdPartyCode: true };
const COOLDOWN = ["rpc.cooldown"];
const REVERT = `{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted"}}`;

/** The behaviour of a node at a call of our own contracts or of third-party code, and whether a cooldown follows. */
const ROWS: [
  string,
  ServerBehaviour,
  "our own" | "third-party",
  string,
  string[],
][] = [
  ["answers", { kind: "ok" }, "our own", "value", []],
  ["hangs", { kind: "hang" }, "our own", "resolver", COOLDOWN],
  ["hangs", { kind: "hang" }, "third-party", "resolver", []],
  ["drips", { kind: "drip" }, "our own", "resolver", COOLDOWN],
  ["drips", { kind: "drip" }, "third-party", "resolver", []],
  ["never ends", { kind: "oversized", bytes: 5e6 }, "our own", "resolver", COOLDOWN],
  ["never ends", { kind: "oversized", bytes: 5e6 }, "third-party", "resolver", []],
  ["reverts", { kind: "reply", status: 200, body: REVERT }, "our own", "resolver", COOLDOWN],
  ["reverts", { kind: "reply", status: 200, body: REVERT }, "third-party", "resolver", []],
  ["is cut off", { kind: "cut" }, "third-party", "node", COOLDOWN],
  ["is not there", { kind: "refused" }, "third-party", "node", COOLDOWN],
];

for (const [does, behaviour, code, outcome, reports] of ROWS) {
  const cooldown = reports.length > 0 ? "a cooldown" : "no cooldown";
  Deno.test(`createNodes() starts ${cooldown} when a node ${does} at a call of ${code} contracts`, async () => {
    await using node = await openNode(behaviour);
    const runsThirdPartyCode = code === "third-party";
    const answer = await node.nodes.ask(CALL, { runsThirdPartyCode });
    assertEquals([outcomeOf(answer), node.reports], [outcome, reports]);
  });
}

Deno.test("createNodes() starts no cooldown when the shutdown cancels a call", async () => {
  const asked = Promise.withResolvers<void>();
  await using node = await openNode({ kind: "hang" }, { onAsked: asked.resolve });
  const asking = node.nodes.ask(CALL, OURS);
  await asked.promise;
  node.stop();
  assertEquals(outcomeOf(await asking), "node");
  assertEquals(node.reports, []);
});

const SUPERSEDED: [code: "our own" | "third-party", reports: string[]][] = [
  ["our own", COOLDOWN],
  ["third-party", []],
];

for (const [code, reports] of SUPERSEDED) {
  const cooldown = reports.length > 0 ? "a cooldown" : "no cooldown";
  Deno.test(`createNodes() starts ${cooldown} when another node is faster with ${code} contracts`, async () => {
    await using quick = await startNode({ kind: "ok" });
    await using node = await openNode({ kind: "hang" }, { others: [quick.url] });
    const runsThirdPartyCode = code === "third-party";
    const answer = await node.nodes.ask(CALL, { runsThirdPartyCode });
    // The cancelled request ends after the answer.
    await node.settled();
    assertEquals([answer, node.reports], [{ value: "0x01" }, reports]);
  });
}

const WALL_AT_START = Date.UTC(2026, 0, 1);

Deno.test("createNodes() ends a cooldown when its time is over, though the wall clock is set back a day", async () => {
  const clock = { wall: WALL_AT_START, monotonic: 5_000 };
  const asked: string[] = [];
  await using other = await startNode({ kind: "ok" }, () => void asked.push("other"));
  await using node = await openNode({ kind: "reply", status: 503, body: "" }, {
    others: [other.url],
    onAsked: () => void asked.push("first"),
    now: () => clock.wall,
    monotonic: () => clock.monotonic,
  });
  await node.nodes.ask(CALL, OURS);
  await node.setBehaviour({ kind: "ok" });
  clock.wall -= 86_400_000;
  clock.monotonic += 29_999;
  await node.nodes.ask(CALL, OURS);
  clock.monotonic += 1;
  await node.nodes.ask(CALL, OURS);
  assertEquals(asked, ["first", "other", "other", "first"]);
});

Deno.test("createNodes() starts a cooldown with the reason when the result is invalid", async () => {
  await using node = await openNode({ kind: "ok" });
  const late = () => Promise.reject(new Fault("node", "it is late"));
  const answer = await node.nodes.ask(late, OURS);
  assertEquals("fault" in answer && answer.fault.why, "it is late");
  assertEquals(node.reports, COOLDOWN);
});

Deno.test("isFailing() does not change when third-party code may have failed", async () => {
  await using node = await openNode({ kind: "ok" }, { deadlineMs: TIMEOUT_MS });
  await node.nodes.ask(CALL, OURS);
  await node.setBehaviour({ kind: "hang" });
  await node.nodes.ask(CALL, THIRD_PARTY);
  assertEquals(node.nodes.isFailing(), false);
});

Deno.test("createNodes() asks the next node when one is out of sync or third-party code ran out of gas", async () => {
  await using other = await startNode({ kind: "ok" });
  const body = `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"header not found"}}`;
  await using node = await openNode({ kind: "reply", status: 200, body }, { others: [other.url] });
  assertEquals(await node.nodes.ask(CALL, THIRD_PARTY), { value: "0x01" });
  assertEquals(node.reports, []);
});

Deno.test("createNodes() reads error -32000 with data as a revert", async () => {
  const body =
    `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"reverted","data":"0x01"}}`;
  await using node = await openNode({ kind: "reply", status: 200, body });
  const answer = await node.nodes.ask(CALL, THIRD_PARTY);
  const { kind, data, about } = (answer as { fault: Fault }).fault;
  assertEquals([kind, data, about.isUnclear], ["resolver", "0x01", undefined]);
});

function outcomeOf(answer: NodesAnswer<unknown>): string {
  return "fault" in answer ? answer.fault.kind : "value";
}

/** A node that returns the same result for every call. */
async function startNode(behaviour: ServerBehaviour, onAsked = () => {}): Promise<FaultyServer> {
  const server = await startFaultyServer(() => {
    onAsked();
    return `{"jsonrpc":"2.0","id":1,"result":"0x01"}`;
  });
  await server.setBehaviour(behaviour);
  return server;
}

/** For nodes that never answer, in place of production's 1.5 s; longer than the 400 ms before the next node is asked. */
const TIMEOUT_MS = 450;

/** A node and the next ones, with the caller, which reports cooldowns. */
async function openNode(
  behaviour: ServerBehaviour,
  {
    others = [],
    onAsked,
    now = Date.now,
    monotonic = () => performance.now(),
    deadlineMs = ["hang", "drip"].includes(behaviour.kind) ? TIMEOUT_MS : undefined,
  }: {
    others?: string[];
    onAsked?: () => void;
    now?: () => number;
    monotonic?: () => number;
    /** For one call, in ms; production's if undefined. */
    deadlineMs?: number | undefined;
  } = {},
) {
  const server = await startNode(behaviour, onAsked);
  const client = Deno.createHttpClient({ http2: false });
  const stopping = new AbortController();
  const reports: string[] = [];
  const pausesMs: unknown[] = [];
  const replies: Promise<unknown>[] = [];
  const post = createGuardedPost({
    fetch: (url, init) => fetch(url, { ...init, client }),
    allowInsecure: true,
    stop: stopping.signal,
  });
  const nodes = createNodes({
    post: (url, options) => {
      const reply = post(url, options);
      replies.push(reply);
      return reply;
    },
    urls: [server.url, ...others],
    hosts: createUpstreamHosts({
      report(event, fields) {
        reports.push(event);
        pausesMs.push(fields?.ms);
      },
      now,
      monotonic,
    }),
    now,
    monotonic,
    deadlineMs,
  });
  return {
    nodes,
    reports,
    pausesMs,
    setBehaviour: server.setBehaviour,
    settled: () => Promise.all(replies),
    stop: () => stopping.abort(),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
