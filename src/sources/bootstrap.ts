/** Fetches IANA's table of RDAP servers (RFC 9224), and its list of the root zone's TLDs. */
import { type BootstrapAnswer, readBootstrap } from "../rules/readers/bootstrap.ts";
import { readRootZone, type ZoneAnswer } from "../rules/readers/root_zone.ts";
import type { GuardedGet } from "./http.ts";

const DEADLINE_MS = 10_000;
/** The real file has 75 KB. */
const MAX_BYTES = 1_024 * 1_024;

/** Creates the fetch of the table at `url`. */
export function createBootstrapFetch(
  get: GuardedGet,
  url: string,
): () => Promise<BootstrapAnswer> {
  return async () => {
    const reply = await get(url, {
      accept: "application/json",
      deadlineMs: DEADLINE_MS,
      maxBytes: MAX_BYTES,
    });
    if (reply.kind === "failed") return { kind: "failed", reason: reply.fault };
    if (reply.status !== 200) return { kind: "failed", reason: `HTTP ${reply.status}` };
    const file = readBootstrap(reply.body);
    return file === undefined
      ? { kind: "failed", reason: "the file is not a valid RFC 9224 table" }
      : { kind: "file", file };
  };
}

/** Creates the fetch of the list that stands beside the table at `tableUrl`, as at IANA. */
export function createRootZoneFetch(get: GuardedGet, tableUrl: string): () => Promise<ZoneAnswer> {
  const { href } = new URL("../TLD/tlds-alpha-by-domain.txt", tableUrl);
  return async () => {
    const reply = await get(href, {
      accept: "text/plain",
      deadlineMs: DEADLINE_MS,
      maxBytes: MAX_BYTES,
    });
    if (reply.kind === "failed") return { kind: "failed", reason: reply.fault };
    if (reply.status !== 200) return { kind: "failed", reason: `HTTP ${reply.status}` };
    const zone = readRootZone(reply.body);
    return zone === undefined
      ? { kind: "failed", reason: "the file is no list of TLDs" }
      : { kind: "zone", zone };
  };
}
