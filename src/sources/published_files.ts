/** Fetches the files that tables are from: IANA's RDAP servers (RFC 9224) and TLDs, and the priced registrar's price list. */
import {
  type BootstrapAnswer,
  readBootstrap,
  readRootZone,
  type ZoneAnswer,
} from "../rules/readers/iana.ts";
import { type PriceAnswer, readPriceList } from "../rules/prices.ts";
import type { GuardedGet } from "./http.ts";

/** The largest, the prices of 900 TLDs, has about 200 KB. */
const LIMITS = { deadlineMs: 20_000, maxBytes: 2 * 1_024 * 1_024 };

/** Creates the fetch of the table at `url`. */
export function createBootstrapFetch(get: GuardedGet, url: string): () => Promise<BootstrapAnswer> {
  return async () => {
    const body = await bodyOf(get, url);
    if (typeof body !== "string") return body;
    const file = readBootstrap(body);
    if (file === undefined) return failed("the file is not a valid RFC 9224 table");
    return { kind: "file", file };
  };
}

/** Creates the fetch of the list that stands beside the table at `tableUrl`, as at IANA. */
export function createRootZoneFetch(get: GuardedGet, tableUrl: string): () => Promise<ZoneAnswer> {
  const { href } = new URL("../TLD/tlds-alpha-by-domain.txt", tableUrl);
  return async () => {
    const body = await bodyOf(get, href, "text/plain");
    if (typeof body !== "string") return body;
    const zone = readRootZone(body);
    return zone === undefined ? failed("the file is no list of TLDs") : { kind: "zone", zone };
  };
}

/** Creates the fetch of the prices of TLDs in the list at `url`. */
export function createPriceFetch(
  get: GuardedGet,
  url: string,
): (tlds: Iterable<string>) => Promise<PriceAnswer> {
  return async (tlds) => {
    const body = await bodyOf(get, url);
    if (typeof body !== "string") return body;
    const prices = readPriceList(body, tlds);
    if (prices === undefined) return failed("invalid price list");
    return prices.size === 0 ? failed("the list has no usable price") : { kind: "prices", prices };
  };
}

async function bodyOf(get: GuardedGet, url: string, accept = "application/json") {
  const reply = await get(url, { accept, ...LIMITS });
  if (reply.kind === "failed") return failed(reply.fault);
  return reply.status === 200 ? reply.body : failed(`HTTP ${reply.status}`);
}

function failed(reason: string) {
  return { kind: "failed", reason } as const;
}
