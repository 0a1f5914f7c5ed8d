import { assertEquals } from "@std/assert";
import { createNodes, type Request } from "../../src/chain/nodes.ts";
import { createUpstreamHosts } from "../../src/flow/upstream_host.ts";
import { createGuardedPost } from "../../src/sources/http.ts";
import {
  type FaultyServer,
  type ServerBehaviour,
  startFaultyServer,
} from "../lab/chain/faulty_server.ts";
import { until } from "../support/until.ts";

const CALL = (request: Request) => request({ method: "eth_call" });
/** The call without its third-party code. */
const WITHOUT = (request: Request) => request({ method: "without" });
const COOLDOWN = ["rpc.cooldown"];
const REVERT = `{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted"}}`;

/** JSON-RPC forbids a result beside an error. */
const BOTH = REVERT.replace(`"error"`, `"result":"0x01","error"`);

const FAULTS: [does: string, ServerBehaviour, mayBeTheCodes: boolean][] = [
  ["hangs", { kind: "silent" }, true],
  ["drips", { kind: "drip", status: 200 }, true],
  ["never ends", { kind: "oversized", bytes: 5e6 }, true],
  ["reverts", { kind: "reply", status: 200, body: REVERT }, true],
  ["reverts with a result", { kind: "reply", status: 200, body: BOTH }, true],
  ["refuses in 5 MB", { kind: "reply", status: 429, body: " ".repeat(5e6) }, false],
  ["is cut off", { kind: "cut" }, false],
  ["is not there", { kind: "refused" }, false],
];

for (const [does, behaviour, mayBeTheCodes] of FAULTS) {
  Deno.test(`ask() blames a node that ${does}, and pauses it, unless it answers without the third-party code`, async () => {
    for (const isPlainGood of [false, true]) {
      await using node = await openNode(behaviour, { isPlainGood });
      const answer = await node.nodes.ask(CALL, WITHOUT);
      const isPartial = isPlainGood && mayBeTheCodes;
      assertEquals([answer.kind, node.reports], isPartial ? ["partial", []] : ["failed", COOLDOWN]);
      assertEquals(node.nodes.isFailing(), !isPartial);
    }
  });
}

Deno.test("ask() asks the next node when one answers only without the third-party code, and prefers the whole", async () => {
  for (const behaviour of [{ kind: "ok" }, { kind: "refused" }] as const) {
    await using other = await startNode(behaviour);
    const revert = { kind: "reply", status: 200, body: REVERT } as const;
    await using node = await openNode(revert, { others: [other.url], isPlainGood: true });
    const { kind } = await node.nodes.ask(CALL, WITHOUT);
    assertEquals(kind, behaviour.kind === "ok" ? "value" : "partial");
  }
});

Deno.test("ask() asks every node that is in a pause when no other has answered", async () => {
  await using second = await startNode({ kind: "refused" });
  await using third = await startNode({ kind: "refused" });
  await using node = await openNode({ kind: "refused" }, { others: [second.url, third.url] });
  assertEquals((await node.nodes.ask(CALL)).kind, "failed");
  await third.setBehaviour({ kind: "ok" });
  assertEquals((await node.nodes.ask(CALL)).kind, "value");
});

Deno.test("ask() has at most 16 questions at once at a node, and sends all of them", async () => {
  const sent = Array.from({ length: 40 }, () => Promise.withResolvers<void>());
  let count = 0;
  let most = 0;
  await using node = await openNode({ kind: "ok" });
  const asking = sent.map(({ promise }, place) =>
    node.nodes.ask(async () => {
      most = Math.max(most, ++count);
      if (place >= 15) sent.slice(0, place).forEach(({ resolve }) => resolve());
      if (place === 39) sent[39]!.resolve();
      await promise;
      count--;
      return place;
    })
  );
  const answers = await Promise.all(asking);
  assertEquals(answers.map((answer) => answer.kind === "value" && answer.value), [
    ...sent.keys(),
  ]);
  assertEquals(most, 16);
});

Deno.test("createNodes() starts no cooldown when the shutdown cancels a call", async () => {
  const asked = Promise.withResolvers<void>();
  await using node = await openNode({ kind: "silent" }, { onAsked: asked.resolve });
  const asking = node.nodes.ask(CALL);
  await asked.promise;
  node.stop();
  assertEquals((await asking).kind, "failed");
  assertEquals(node.reports, []);
});

Deno.test("createNodes() starts a cooldown when a node that was asked later is faster", async () => {
  await using quick = await startNode({ kind: "ok" });
  await using node = await openNode({ kind: "silent" }, { others: [quick.url] });
  const answer = await node.nodes.ask(CALL);
  assertEquals(answer, { kind: "value", value: "0x01" });
  // The cancelled request ends after the answer.
  await until("the cooldown", () => node.reports.length > 0);
  assertEquals(node.reports, COOLDOWN);
});

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
  await node.nodes.ask(CALL);
  await node.setBehaviour({ kind: "ok" });
  clock.wall -= 86_400_000;
  clock.monotonic += 29_999;
  await node.nodes.ask(CALL);
  clock.monotonic += 1;
  await node.nodes.ask(CALL);
  assertEquals(asked, ["first", "other", "other", "first"]);
});

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
    isPlainGood = false,
    now = Date.now,
    monotonic = () => performance.now(),
    deadlineMs = ["silent", "drip"].includes(behaviour.kind) ? TIMEOUT_MS : undefined,
  }: {
    others?: string[];
    onAsked?: () => void;
    /** Whether the call without the third-party code succeeds. */
    isPlainGood?: boolean;
    now?: () => number;
    monotonic?: () => number;
    /** For one call, in ms; production's if undefined. */
    deadlineMs?: number | undefined;
  } = {},
) {
  const server = await startNode(behaviour, onAsked);
  const plain = await startNode({ kind: "ok" });
  const client = Deno.createHttpClient({ http2: false });
  const stopping = new AbortController();
  const reports: string[] = [];
  const post = createGuardedPost({
    fetch: (url, init) => fetch(url, { ...init, client }),
    allowInsecure: true,
    stop: stopping.signal,
  });
  const nodes = createNodes({
    post(url, options) {
      const isPlain = isPlainGood && Object(options.json).method === "without";
      return post(isPlain ? plain.url : url, options);
    },
    urls: [server.url, ...others],
    hosts: createUpstreamHosts({
      report: (event) => void reports.push(event),
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
    setBehaviour: server.setBehaviour,
    stop: () => stopping.abort(),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      client.close();
      await plain[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
