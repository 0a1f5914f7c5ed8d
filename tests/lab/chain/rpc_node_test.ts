import { assert, assertEquals, assertRejects } from "@std/assert";
import { askNode } from "./node_client.ts";
import { startChain } from "./chain.ts";
import { RPC_MANNERS, startRpcNode } from "./rpc_node.ts";
import { startAnvil } from "./anvil.ts";

const QUESTION = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "eth_chainId" });
const ANSWER = { jsonrpc: "2.0", id: 7, result: "0x1" };

/** How long a test waits for an answer that never comes. */
const PATIENCE_MS = 100;

Deno.test("startRpcNode() passes on what it is asked, and writes it down", async () => {
  await using anvil = await startEmptyAnvil();
  await using node = await startRpcNode(anvil);
  assertEquals(await (await post(node.url)).json(), ANSWER);
  const methods = ["eth_blockNumber", "eth_chainId"];
  assertEquals(await askNode(node.url, methods.map((method) => ({ method }))), ["0x0", "0x1"]);
  assertEquals(node.requests.map((request) => request.methods), [["eth_chainId"], methods]);
  assertEquals(node.requests[0]?.bytes, QUESTION.length);
});

Deno.test("startRpcNode() answers later when it is slow", async () => {
  await using anvil = await startEmptyAnvil();
  await using node = await startRpcNode(anvil, { kind: "ok", delayMs: 20 });
  const before = performance.now();
  assertEquals(await (await post(node.url)).json(), ANSWER);
  assert(performance.now() - before >= 19);
});

Deno.test("startRpcNode() fails as public nodes do", async () => {
  await using anvil = await startEmptyAnvil();
  await using node = await startRpcNode(anvil);
  const seen: Record<string, unknown> = {};
  for (const [word, behaviour] of Object.entries(RPC_MANNERS)) {
    if (["refused", "hang", "drip", "cut", "oversized"].includes(word)) continue;
    await node.setBehaviour(behaviour);
    const response = await post(node.url);
    const retryAfter = response.headers.get("retry-after");
    seen[word] = [response.status, ...retryAfter ? [retryAfter] : [], await response.text()];
  }
  const limited = `{"jsonrpc":"2.0","id":null,"error":{"code":429,"message":"Too Many Requests"}}`;
  assertEquals(seen, {
    limited: [429, limited],
    limitedForSeconds: [429, "30", limited],
    unavailable: [503, ""],
    forbiddenPage: [403, "<h1>Forbidden</h1>"],
    page: [200, "<h1>Welcome</h1>"],
    nothing: [200, `{"jsonrpc":"2.0","id":7,"result":"0x"}`],
    cannotFulfill: [
      200,
      `{"jsonrpc":"2.0","id":7,"error":{"code":-32046,"message":"Cannot fulfill request"}}`,
    ],
    limitExceeded: [
      200,
      `{"jsonrpc":"2.0","id":7,"error":{"code":-32005,"message":"limit exceeded"}}`,
    ],
  });
});

Deno.test("startRpcNode() sends the good answer behind megabytes of nothing", async () => {
  await using anvil = await startEmptyAnvil();
  await using node = await startRpcNode(anvil, RPC_MANNERS.oversized);
  const body = await (await post(node.url)).text();
  assert(body.length > RPC_MANNERS.oversized.bytes);
  assertEquals(JSON.parse(body), ANSWER);
});

Deno.test("startRpcNode() breaks off in the middle of the body", async () => {
  await using anvil = await startEmptyAnvil();
  await using node = await startRpcNode(anvil, RPC_MANNERS.cut);
  const response = await post(node.url);
  assertEquals(response.status, 200);
  await assertRejects(() => response.text(), Error);
});

Deno.test("startRpcNode() keeps its callers waiting, for the head or for the rest of the body", async () => {
  await using anvil = await startEmptyAnvil();
  await using node = await startRpcNode(anvil, RPC_MANNERS.hang);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const error = await assertRejects(() => post(node.url, signal), DOMException);
  assertEquals(error.name, "TimeoutError");
  await node.setBehaviour(RPC_MANNERS.drip);
  const reader = (await post(node.url)).body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let read = 0; read < 3; read++) assertEquals((await reader.read()).value?.trim(), "");
  await reader.cancel();
});

Deno.test("startRpcNode() closes its port, and opens the same one again", async () => {
  await using anvil = await startEmptyAnvil();
  await using node = await startRpcNode(anvil, RPC_MANNERS.refused);
  await assertRejects(() => post(node.url), TypeError);
  await node.setBehaviour({ kind: "ok" });
  assertEquals(await (await post(node.url)).json(), ANSWER);
  await node.setBehaviour(RPC_MANNERS.refused);
  await assertRejects(() => post(node.url), TypeError);
  assertEquals(node.requests.length, 1);
});

Deno.test("startRpcNode() passes on the answers of another chain", async () => {
  await using chain = await startChain({ names: [] });
  await using other = await startChain({ names: [], chainId: 11_155_111 });
  await chain.setRpcBehaviour({ kind: "elsewhere", url: other.anvilUrl });
  assertEquals(await askNode(chain.rpcUrl, [{ method: "eth_chainId" }]), ["0xaa36a7"]);
  await chain.setRpcBehaviour({ kind: "ok" });
  assertEquals(await askNode(chain.rpcUrl, [{ method: "eth_chainId" }]), ["0x1"]);
  assertEquals([chain.requests.length, other.requests.length], [2, 0]);
});

Deno.test("startRpcNode() answers 400 to a request without JSON", async () => {
  await using anvil = await startEmptyAnvil();
  await using node = await startRpcNode(anvil);
  const response = await fetch(node.url, { method: "POST", body: "{" });
  assertEquals(response.status, 400);
  await response.body?.cancel();
});

async function startEmptyAnvil() {
  const { url, ...anvil } = await startAnvil({ timestamp: 1, chainId: 1 });
  return { ...anvil, anvilUrl: url };
}

function post(url: string, signal: AbortSignal | null = null): Promise<Response> {
  return fetch(url, { method: "POST", body: QUESTION, signal });
}
