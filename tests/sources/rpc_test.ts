import { assertEquals } from "@std/assert";
import { createGuardedPost } from "../../src/sources/http.ts";
import { type CallReply, createNodes } from "../../src/sources/rpc.ts";
import { type ManneredServer, startManneredServer } from "../lab/chain/mannered_server.ts";
import type { ServerManner } from "../lab/chain/server_manner.ts";

const COOLDOWN = ["rpc.cooldown"];
const REVERT = `{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted"}}`;

/** What a node does to a call of our own contracts or of foreign code, and whether it is left alone for it. */
const ROWS: [string, ServerManner, "our own" | "foreign", CallReply<string>["kind"], string[]][] = [
  ["answers", { kind: "ok" }, "our own", "read", []],
  ["hangs", { kind: "hang" }, "our own", "failed", COOLDOWN],
  ["hangs", { kind: "hang" }, "foreign", "failed", []],
  ["drips", { kind: "drip" }, "our own", "failed", COOLDOWN],
  ["drips", { kind: "drip" }, "foreign", "failed", []],
  ["never ends", { kind: "oversized", bytes: 5e6 }, "our own", "failed", COOLDOWN],
  ["never ends", { kind: "oversized", bytes: 5e6 }, "foreign", "reverted", []],
  ["reverts", { kind: "reply", status: 200, body: REVERT }, "our own", "failed", COOLDOWN],
  ["reverts", { kind: "reply", status: 200, body: REVERT }, "foreign", "reverted", []],
  ["is cut off", { kind: "cut" }, "foreign", "failed", COOLDOWN],
  ["is not there", { kind: "refused" }, "foreign", "failed", COOLDOWN],
];

for (const [does, manner, code, outcome, reports] of ROWS) {
  const blame = reports.length > 0 ? "is left alone" : "is not blamed";
  Deno.test(`a node that ${does} where ${code} contracts run ${blame}`, async () => {
    await using node = await openNode(manner);
    const runsForeignCode = code === "foreign";
    const reply = await node.nodes.call({ to: "0x00", data: "0x", runsForeignCode }, (hex) => hex);
    assertEquals([reply.kind, node.reports], [outcome, reports]);
  });
}

Deno.test("nobody is blamed for a call that the end of the service cuts short", async () => {
  const asked = Promise.withResolvers<void>();
  await using node = await openNode({ kind: "hang" }, { onAsked: asked.resolve });
  const calling = node.nodes.call({ to: "0x00", data: "0x", runsForeignCode: false }, (hex) => hex);
  await asked.promise;
  node.stop();
  assertEquals((await calling).kind, "failed");
  assertEquals(node.reports, []);
});

const OUTRUN: [code: "our own" | "foreign", reports: string[]][] = [
  ["our own", COOLDOWN],
  ["foreign", []],
];

for (const [code, reports] of OUTRUN) {
  const blame = reports.length > 0 ? "is left alone" : "is not blamed";
  Deno.test(`a node that another one outruns where ${code} contracts run ${blame}`, async () => {
    await using quick = await startNode({ kind: "ok" });
    await using node = await openNode({ kind: "hang" }, { others: [quick.url] });
    const runsForeignCode = code === "foreign";
    const reply = await node.nodes.call({ to: "0x00", data: "0x", runsForeignCode }, (hex) => hex);
    // What is cut short comes to its end after the answer.
    await node.settled();
    assertEquals([reply.kind, node.reports], ["read", reports]);
  });
}

/** A node that gives every call the same return. */
async function startNode(manner: ServerManner, onAsked = () => {}): Promise<ManneredServer> {
  const server = await startManneredServer(() => {
    onAsked();
    return `{"jsonrpc":"2.0","id":1,"result":"0x01"}`;
  });
  await server.setManner(manner);
  return server;
}

/** A node and others behind it, and what calls them and says whom it leaves alone. */
async function openNode(
  manner: ServerManner,
  { others = [], onAsked }: { others?: string[]; onAsked?: () => void } = {},
) {
  const server = await startNode(manner, onAsked);
  const client = Deno.createHttpClient({ http2: false });
  const stopping = new AbortController();
  const reports: string[] = [];
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
    report: (event) => void reports.push(event),
    now: Date.now,
  });
  return {
    nodes,
    reports,
    settled: () => Promise.all(replies),
    stop: () => stopping.abort(),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
