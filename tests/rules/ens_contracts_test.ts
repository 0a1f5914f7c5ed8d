import { assert, assertEquals } from "@std/assert";
import { isAddress } from "viem";
import { MAINNET_CONTRACTS, MAINNET_ID } from "../../src/rules/tables/ens_contracts.ts";

Deno.test("MAINNET_CONTRACTS holds addresses with valid checksums (EIP-55)", () => {
  const addresses = Object.values(MAINNET_CONTRACTS);
  assertEquals(addresses.filter((address) => !isAddress(address)), []);
  assertEquals(new Set(addresses).size, 6);
  assert(addresses.every((address) => address !== address.toLowerCase()));
  assertEquals(MAINNET_ID, 1n);
});
