/** Schemas that the answers about .eth names share. */
import * as z from "zod/mini";

/** An Ethereum address in checksum case (EIP-55). */
export function address(description: string) {
  return z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/), z.describe(description));
}

/** Where and when an answer comes from. */
export function ensProvenance() {
  return {
    responseMs: z.number(),
    source: z.enum(["rpc", "rpc+cache"]),
    checkedAt: z.iso.datetime().check(
      z.describe("When the fact was found out, also where it is cached"),
    ),
  };
}
