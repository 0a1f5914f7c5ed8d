/** What the Universal Resolver returned: records, the news that there are none, or a way to look off chain. */
import type { Hex } from "viem";
import { withFallbackAfter } from "../flow/with_fallback_after.ts";
import type { RecordsProblem } from "../rules/ens.ts";
import type { Returned } from "./aggregate.ts";
import { type Followed, type FollowOffchain, isOffchainLookup } from "./offchain.ts";
import { NO_RECORDS, readRecords, type Resolved } from "./records.ts";

/** The records, or why they could not be had. */
export type Resolution =
  | { kind: "resolved"; resolved: Resolved }
  | { kind: "failed"; problem: RecordsProblem };

/** The gateway and the callback together: the owner is known by then and must not wait for ever. */
const OFFCHAIN_MS = 3_000;
const LATE: Followed = {
  kind: "failed",
  problem: { kind: "gateway", why: "the offchain gateway did not answer in time" },
};
/** No resolver, one that is no contract, one that lacks the records, one that refuses: there are none. */
const NOTHING_THERE = ["0x77209fe8", "0x1e9535f2", "0x7b1c461b", "0x95c0c752"];

/** Reads what the Universal Resolver at `to` returned, and follows it off chain where it says so. */
export async function readResolution(
  { success, data }: Returned,
  to: Hex,
  followOffchain: FollowOffchain,
): Promise<Resolution> {
  if (success) return read(data);
  if (NOTHING_THERE.includes(data.slice(0, 10))) {
    return { kind: "resolved", resolved: { records: NO_RECORDS } };
  }
  if (!isOffchainLookup(data)) return failed("its resolver failed");
  const followed = await withFallbackAfter(followOffchain(data, to), OFFCHAIN_MS, LATE);
  return followed.kind === "failed" ? followed : read(followed.data);
}

function read(returned: Hex): Resolution {
  const resolved = readRecords(returned);
  return resolved === undefined
    ? failed("its resolver returned no records")
    : { kind: "resolved", resolved };
}

function failed(why: string): Resolution {
  return { kind: "failed", problem: { kind: "resolver", why } };
}
