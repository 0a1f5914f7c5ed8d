import { assert, assertEquals } from "@std/assert";
import { isAddressEqual, labelhash, namehash, parseAbi, zeroAddress } from "viem";
import { type Chain, startChain } from "./chain.ts";
import { chainClient } from "./chain_client.ts";
import type { ChainName } from "./chain_name.ts";
import { CHAIN_NAMES } from "./chain_names.ts";

const ABI = parseAbi([
  "function available(string label) view returns (bool)",
  "function rentPrice(string label, uint256 duration) view returns ((uint256 base, uint256 premium))",
  "function nameExpires(uint256 id) view returns (uint256)",
  "function ownerOf(uint256 id) view returns (address)",
  "function controllers(address controller) view returns (bool)",
  "function owner(bytes32 node) view returns (address)",
  "function resolver(bytes32 node) view returns (address)",
  "function getCurrentBlockTimestamp() view returns (uint256)",
  "function getChainId() view returns (uint256)",
]);

const YEAR = 31_536_000n;
const DAY = 86_400;
const GRACE = 90 * DAY;

Deno.test("CHAIN_NAMES has valid labels, each of them once", () => {
  const labels = CHAIN_NAMES.map(({ label }) => label);
  assertEquals(labels.filter((label) => !/^(?!..--)[a-z0-9-]{3,63}$/.test(label)), []);
  assertEquals(new Set(labels).size, labels.length);
});

Deno.test("startChain() has every name in the state of its row", async () => {
  await using chain = await startChain();
  const present = await chain.time();
  for (const name of CHAIN_NAMES) {
    const { available, expires } = await readRegistration(chain, name);
    assertEquals(available, name.state === "free" || name.state === "premium", name.label);
    const expected = name.expiresIn === undefined ? 0 : present + name.expiresIn;
    assertEquals(expires, BigInt(expected), name.label);
  }
});

Deno.test("startChain() has every name with the owner and the resolver of its row", async () => {
  await using chain = await startChain();
  for (const name of CHAIN_NAMES) {
    const { owner, resolver } = await readRegistry(chain, name);
    const { label, state, wrapped } = name;
    // The wrapper drops the owner at the end of the grace period; the registry does not.
    const forgotten = wrapped && state === "premium";
    assertEquals(owner, forgotten ? zeroAddress : name.owner ?? zeroAddress, label);
    const expected = name.resolver ? chain.contracts.resolvers[name.resolver] : zeroAddress;
    assert(isAddressEqual(resolver, expected), label);
  }
});

Deno.test("startChain() prices names by length, at 640, 160 and 5 USD a year", async () => {
  await using chain = await startChain();
  const prices = await Promise.all(
    ["fre", "four", "free-for-you", "pre"].map(async (label) => (await priceOf(chain, label)).base),
  );
  assertEquals(prices, [640, 160, 5, 640]);
});

Deno.test("startChain() has premiums that halve each day from 100 million USD, for 21 days", async () => {
  await using chain = await startChain();
  for (const { label, state, expiresIn = 0 } of CHAIN_NAMES) {
    if (state !== "premium" && state !== "free") continue;
    const { premium } = await priceOf(chain, label);
    const days = (-expiresIn - GRACE) / DAY;
    const expected = state === "free" ? 0 : 1e8 / 2 ** days - 1e8 / 2 ** 21;
    // The chain counts a day in 65,536 parts.
    assertEquals(premium > 0, state === "premium", label);
    assert(Math.abs(premium - expected) <= expected * 2e-5 + 1e-3, `${label}: ${premium} USD`);
  }
});

Deno.test("startChain() starts at the real time, and does not advance by itself", async () => {
  const before = Math.floor(Date.now() / 1000);
  await using chain = await startChain();
  const present = await chain.time();
  assert(present >= before && present <= Date.now() / 1000);
  await chain.closeRegistration();
  await chain.openRegistration();
  assertEquals(await chain.time(), present);
  const { multicall3 } = chain.contracts;
  const read = chainClient(chain).readContract;
  assertEquals(
    await read({ address: multicall3, abi: ABI, functionName: "getCurrentBlockTimestamp" }),
    BigInt(present),
  );
});

Deno.test("closeRegistration() takes away the controller's right, and openRegistration() restores it", async () => {
  await using chain = await startChain({ names: [] });
  const { registrar, controller } = chain.contracts;
  const mayRegister = () =>
    chainClient(chain).readContract({
      address: registrar,
      abi: ABI,
      functionName: "controllers",
      args: [controller],
    });
  assertEquals(await mayRegister(), true);
  await chain.closeRegistration();
  assertEquals(await mayRegister(), false);
  await chain.openRegistration();
  assertEquals(await mayRegister(), true);
});

Deno.test("startChain() simulates another chain, with the same addresses and other names", async () => {
  await using chain = await startChain();
  await using other = await startChain({ chainId: 11_155_111, names: [] });
  assertEquals(other.contracts, chain.contracts);
  const { multicall3 } = other.contracts;
  const read = chainClient(other).readContract;
  assertEquals(
    await read({ address: multicall3, abi: ABI, functionName: "getChainId" }),
    11_155_111n,
  );
  for (const name of CHAIN_NAMES) {
    assertEquals((await readRegistration(other, name)).available, true, name.label);
  }
});

async function readRegistration(chain: Chain, { label }: ChainName) {
  const { registrar, controller } = chain.contracts;
  const [expires, available] = await chainClient(chain).multicall({
    allowFailure: false,
    contracts: [
      {
        address: registrar,
        abi: ABI,
        functionName: "nameExpires",
        args: [BigInt(labelhash(label))],
      },
      { address: controller, abi: ABI, functionName: "available", args: [label] },
    ],
  });
  return { expires, available };
}

/** The owner as ENS clients find it: from the registrar, or from the registry if the registrar reverts. */
async function readRegistry(chain: Chain, { label }: ChainName) {
  const { registrar, registry, nameWrapper } = chain.contracts;
  const node = namehash(`${label}.eth`);
  const of = { abi: ABI, address: registry, args: [node] } as const;
  const [resolver, manager, registrant, wrapped] = await chainClient(chain).multicall({
    contracts: [
      { ...of, functionName: "resolver" },
      { ...of, functionName: "owner" },
      {
        address: registrar,
        abi: ABI,
        functionName: "ownerOf",
        args: [BigInt(labelhash(label))],
      },
      { address: nameWrapper, abi: ABI, functionName: "ownerOf", args: [BigInt(node)] },
    ],
  });
  const holder = registrant.result ?? manager.result;
  return {
    resolver: resolver.result ?? zeroAddress,
    owner: holder === nameWrapper ? wrapped.result : holder,
  };
}

/** In USD, to the millionth. */
async function priceOf(chain: Chain, label: string) {
  const { base, premium } = await chainClient(chain).readContract({
    address: chain.contracts.controller,
    abi: ABI,
    functionName: "rentPrice",
    args: [label, YEAR],
  });
  return { base: usd(base), premium: usd(premium) };
}

function usd(wei: bigint): number {
  return Math.round(Number(wei) * 2_500 / 1e12) / 1e6;
}
