/** Fetches the priced registrar's public price list. */
import { type PriceAnswer, readPriceList } from "../rules/readers/price_list.ts";
import type { GuardedGet } from "./http.ts";

const DEADLINE_MS = 20_000;
/** The real list has 900 TLDs in about 200 KB. */
const MAX_BYTES = 2 * 1_024 * 1_024;

/** Creates the fetch of the prices of TLDs in the list at `url`. */
export function createPriceFetch(
  get: GuardedGet,
  url: string,
): (tlds: Iterable<string>) => Promise<PriceAnswer> {
  return async (tlds) => {
    const reply = await get(url, {
      accept: "application/json",
      deadlineMs: DEADLINE_MS,
      maxBytes: MAX_BYTES,
    });
    if (reply.kind === "failed") return { kind: "failed", reason: reply.fault };
    if (reply.status !== 200) return { kind: "failed", reason: `HTTP ${reply.status}` };
    const prices = readPriceList(reply.body, tlds);
    if (prices === undefined) return { kind: "failed", reason: "invalid price list" };
    if (prices.size === 0) return { kind: "failed", reason: "the list has no usable price" };
    return { kind: "prices", prices };
  };
}
