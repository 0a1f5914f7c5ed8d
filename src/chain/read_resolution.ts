/** Reads the result of the Universal Resolver: records, no records, or an off-chain look-up. */
import type { Hex } from "viem";
import { withDeadline } from "../flow/deadline.ts";
import type { RecordsProblem } from "../rules/ens.ts";
import type { Returned } from "./aggregate.ts";
import { type Followed, type FollowOffchain, isOffchainLookup } from "./offchain.ts";
import { NO_RECORDS, readRecords, type Resolved } from "./records.ts";

/** The records, or the problem. */
export type Resolution =
  | { kind: "resolved"; resolved: Resolved }
  | { kind: "failed"; problem: RecordsProblem };

const LATE: Followed = {
  kind: "failed",
  problem: { kind: "gateway", why: "the offchain gateway did not answer in time" },
};
/** Errors of the Universal Resolver that mean "no records", by their selectors. */
const NO_RECORDS_ERRORS: Readonly<Record<string, string>> = {
  "0x77209fe8": "ResolverNotFound(bytes)",
  "0x1e9535f2": "ResolverNotContract(bytes,address)",
  "0x7b1c461b": "UnsupportedResolverProfile(bytes4)",
  "0x95c0c752": "ResolverError(bytes)",
};

/** Reads the result of the Universal Resolver at `to`; follows an off-chain look-up for `offchainMs` at most. */
export async function readResolution(
  { success, data }: Returned,
  to: Hex,
  { followOffchain, offchainMs }: { followOffchain: FollowOffchain; offchainMs: number },
): Promise<Resolution> {
  if (success) return read(data, { isOffchain: false });
  if (Object.hasOwn(NO_RECORDS_ERRORS, data.slice(0, 10))) {
    return { kind: "resolved", resolved: { records: NO_RECORDS } };
  }
  if (!isOffchainLookup(data)) return failed("its resolver failed");
  const followed = await withDeadline(followOffchain(data, to), offchainMs, LATE);
  return followed.kind === "failed" ? followed : read(followed.data, { isOffchain: true });
}

function read(returned: Hex, options: { isOffchain: boolean }): Resolution {
  const resolved = readRecords(returned, options);
  return resolved === undefined
    ? failed("its resolver returned no records")
    : { kind: "resolved", resolved };
}

function failed(why: string): Resolution {
  return { kind: "failed", problem: { kind: "resolver", why } };
}
