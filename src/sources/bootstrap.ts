/** Fetches IANA's table of RDAP servers (RFC 9224), and its list of the root zone's TLDs. */
import {
  type BootstrapAnswer,
  readBootstrap,
  type Validators,
} from "../rules/readers/bootstrap.ts";
import { readRootZone, type ZoneAnswer } from "../rules/readers/root_zone.ts";
import type { GuardedGet } from "./http.ts";

const DEADLINE_MS = 10_000;
/** The real file has 75 KB. */
const MAX_BYTES = 1_024 * 1_024;
/** KV stores them with the table in one value; a date has 29 characters, the usual entity tag up to 70. */
const LONGEST_VALIDATOR = 256;

/** Creates the fetch of the table at `url`, unless it is unchanged since these validators. */
export function createBootstrapFetch(
  get: GuardedGet,
  url: string,
): (known?: Validators) => Promise<BootstrapAnswer> {
  return async (known = {}) => {
    const headers = conditionOf(known);
    const reply = await get(url, {
      accept: "application/json",
      headers,
      deadlineMs: DEADLINE_MS,
      maxBytes: MAX_BYTES,
    });
    if (reply.kind === "failed") return { kind: "failed", reason: reply.fault };
    const isConditional = Object.keys(headers).length > 0;
    if (reply.status === 304 && isConditional) return { kind: "unchanged" };
    if (reply.status !== 200) return { kind: "failed", reason: `HTTP ${reply.status}` };
    const file = readBootstrap(reply.body);
    return file === undefined
      ? { kind: "failed", reason: "the file is not a valid RFC 9224 table" }
      : { kind: "file", file, validators: validatorsOf(reply.headers) };
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

function conditionOf({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag !== undefined && { "if-none-match": etag }),
    ...(lastModified !== undefined && { "if-modified-since": lastModified }),
  };
}

/** Leaves out a validator that is too long: the next fetch gets the whole file. */
function validatorsOf(headers: Headers): Validators {
  const [etag, lastModified] = ["etag", "last-modified"].map((name) => {
    const value = headers.get(name);
    return value !== null && value.length <= LONGEST_VALIDATOR ? value : undefined;
  });
  return {
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
  };
}
