import { assertEquals } from "@std/assert";
import { createPublicClient, http, parseAbi } from "viem";
import { startChain } from "./chain.ts";
import { CHAIN_NAMES } from "./chain_names.ts";

const CONTROLLER = parseAbi(["function available(string label) view returns (bool)"]);

Deno.test("startChain() sells the names that nobody owns, and no others", async () => {
  await using chain = await startChain();
  const client = createPublicClient({ transport: http(chain.rpcUrl) });
  for (const { label, state } of CHAIN_NAMES) {
    const available = await client.readContract({
      address: chain.contracts.controller,
      abi: CONTROLLER,
      functionName: "available",
      args: [label],
    });
    assertEquals(available, state === "free" || state === "premium", label);
  }
  assertEquals(chain.requests.length, CHAIN_NAMES.length);
  assertEquals(chain.requests[0]?.methods, ["eth_call"]);
});
