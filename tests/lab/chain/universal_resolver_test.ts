import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  namehash,
  parseAbi,
  size,
  toHex,
  zeroAddress,
} from "viem";
import { packetToBytes } from "viem/ens";
import { ACCOUNTS } from "./chain_name.ts";
import { CCIP_ABI, RECORD_ABI } from "./abis.ts";
import { type Chain, startChain } from "./chain.ts";
import { chainClient } from "./chain_client.ts";
import { CHAIN_NAMES } from "./chain_names.ts";

const UNIVERSAL_RESOLVER = parseAbi([
  "function resolveWithGateways(bytes name, bytes data, string[] gateways) view returns (bytes result, address resolver)",
  "error ResolverNotFound(bytes name)",
  "error ResolverNotContract(bytes name, address resolver)",
  "error ResolverError(bytes errorData)",
]);

const KEYS = ["avatar", "url", "description", "com.twitter", "com.github", "email"];

Deno.test("startChain() has every record of its rows, on chain and through the gateway", async () => {
  await using chain = await startChain();
  const rows = CHAIN_NAMES.filter(({ resolver }) =>
    resolver === "public" || resolver === "offchain" || resolver === "offchainDirect"
  );
  for (const { label, resolver, records = {} } of rows) {
    const found = await readRecords(chain, label);
    assertEquals(found, {
      resolver: getAddress(chain.contracts.resolvers[resolver!]),
      address: records.address ?? zeroAddress,
      texts: KEYS.map((key) => records.texts?.[key] ?? ""),
      contenthash: records.contenthash ?? "0x",
    }, label);
  }
  assertEquals(chain.gatewayRequests.map(({ questions }) => questions), [8, 1]);
});

Deno.test("a wildcard answers with the name that was asked for", async () => {
  await using chain = await startChain();
  const { address, texts } = await readRecords(chain, "wildcard");
  assertEquals(texts[1], "wildcard url");
  const dnsName = dnsNameOf("wildcard");
  assertEquals(address, getAddress(`0x${keccak256(dnsName).slice(-40)}`));
});

Deno.test("no resolver, and none that is a contract, are errors of their own", async () => {
  await using chain = await startChain();
  const missing = await assertRejects(() => ask(chain, "bare", [textCall("bare", "url")]), Error);
  assertStringIncludes(missing.message, "ResolverNotFound");
  const account = await assertRejects(
    () => ask(chain, "no-contract", [textCall("no-contract", "url")]),
    Error,
  );
  assertStringIncludes(account.message, "ResolverNotContract");
});

Deno.test("a resolver that burns all gas or returns megabytes leaves the rest of the batch alone", async () => {
  await using chain = await startChain();
  const { universalResolver, registry } = chain.contracts;
  for (const label of ["burns-gas", "memory-bomb", "huge-texts"]) {
    const calls = multicallOf(KEYS.map((key) => textCall(label, key)));
    const [resolving, owner] = await chainClient(chain).multicall({
      batchSize: 0,
      contracts: [
        {
          address: universalResolver,
          abi: UNIVERSAL_RESOLVER,
          functionName: "resolveWithGateways",
          args: [dnsNameOf(label), calls, [chain.gatewayUrl]],
        },
        {
          address: registry,
          abi: parseAbi(["function owner(bytes32 node) view returns (address)"]),
          functionName: "owner",
          args: [namehash(`${label}.eth`)],
        },
      ],
    });
    assertEquals([resolving.status, owner.result], ["failure", ACCOUNTS.bob], label);
  }
});

Deno.test("a megabyte, a revert, nonsense and bytes that are no text arrive as they are", async () => {
  await using chain = await startChain();
  const text = async (label: string, key: string) => {
    const { answers: [answer] } = await ask(chain, label, [textCall(label, key)]);
    return answer ?? "0x";
  };
  assertEquals(textIn(await text("huge-text", "description")), "a".repeat(1_000_000));
  assertEquals(textIn(await text("huge-text", "url")), "url");
  assertEquals(size(await text("refuses", "url")) % 32, 4);
  assertEquals(await text("babbles", "url"), `0x${"ff".repeat(96)}`);
  assertStringIncludes(textIn(await text("broken-text", "url")), "\uFFFD");
});

Deno.test("the trusted gateway requests no URL that a resolver names", async () => {
  await using chain = await startChain();
  for (const label of ["trap", "redirect"]) {
    const { answers } = await ask(chain, label, [textCall(label, "url")]);
    const { args } = decodeErrorResult({ abi: CCIP_ABI, data: answers[0]! });
    assertEquals(args[0], 403);
  }
  const wanted = chain.gatewayRequests.map(({ urls }) => new URL(urls[0]!).origin);
  assertEquals(wanted[0], new URL(chain.trapUrl).origin);
  assertEquals(chain.trapRequests, []);
});

Deno.test("a client that goes wherever it is sent is seen in the trap", async () => {
  await using chain = await startChain();
  for (const label of ["trap-direct", "post-direct", "redirect-direct"]) {
    await assertRejects(() => ask(chain, label, [textCall(label, "url")]), Error);
  }
  assertEquals(
    chain.trapRequests.map(({ place, method }) => `${method} ${place}`),
    ["GET trap", "POST trap", "GET redirect", "GET trap"],
  );
  chain.clear();
  assertEquals(chain.trapRequests, []);
});

function dnsNameOf(label: string): Hex {
  return toHex(packetToBytes(`${label}.eth`));
}

function textCall(label: string, key: string): Hex {
  return encodeFunctionData({
    abi: RECORD_ABI,
    functionName: "text",
    args: [namehash(`${label}.eth`), key],
  });
}

function multicallOf(calls: readonly Hex[]): Hex {
  return encodeFunctionData({ abi: RECORD_ABI, functionName: "multicall", args: [calls] });
}

/** Asks through the Universal Resolver; viem requests any gateway that a contract names. */
async function ask(chain: Chain, label: string, calls: readonly Hex[]) {
  const [data, resolver] = await chainClient(chain).readContract({
    address: chain.contracts.universalResolver,
    abi: UNIVERSAL_RESOLVER,
    functionName: "resolveWithGateways",
    args: [dnsNameOf(label), multicallOf(calls), [chain.gatewayUrl]],
  });
  const answers = decodeFunctionResult({ abi: RECORD_ABI, functionName: "multicall", data });
  return { resolver, answers };
}

function textIn(data: Hex): string {
  return decodeFunctionResult({ abi: RECORD_ABI, functionName: "text", data });
}

async function readRecords(chain: Chain, label: string) {
  const node = namehash(`${label}.eth`);
  const { resolver, answers: [address, contenthash, ...texts] } = await ask(chain, label, [
    encodeFunctionData({ abi: RECORD_ABI, functionName: "addr", args: [node] }),
    encodeFunctionData({ abi: RECORD_ABI, functionName: "contenthash", args: [node] }),
    ...KEYS.map((key) => textCall(label, key)),
  ]);
  return {
    resolver,
    address: decodeFunctionResult({
      abi: RECORD_ABI,
      functionName: "addr",
      data: address ?? "0x",
    }),
    contenthash: decodeFunctionResult({
      abi: RECORD_ABI,
      functionName: "contenthash",
      data: contenthash ?? "0x",
    }),
    texts: texts.map(textIn),
  };
}
