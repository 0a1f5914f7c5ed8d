/** IANA's table of RDAP servers, fetched (RFC 9224). */
import { type BootstrapFile, readBootstrap } from "../rules/bootstrap.ts";
import type { GuardedGet } from "./http.ts";

/** The file, or why there is none. */
export type BootstrapAnswer =
  | { kind: "file"; file: BootstrapFile }
  | { kind: "failed"; why: string };

const DEADLINE_MS = 10_000;
/** The real file has 75 KB. */
const MAX_BYTES = 1_024 * 1_024;

/** Creates the fetch of the table at `url`. */
export function createBootstrapFetch(get: GuardedGet, url: string): () => Promise<BootstrapAnswer> {
  return async () => {
    const reply = await get(url, {
      accept: "application/json",
      deadlineMs: DEADLINE_MS,
      maxBytes: MAX_BYTES,
    });
    if (reply.kind === "failed") return { kind: "failed", why: reply.fault };
    if (reply.status !== 200) return { kind: "failed", why: `HTTP ${reply.status}` };
    const file = readBootstrap(reply.body);
    return file === undefined
      ? { kind: "failed", why: "the file is not of the form of RFC 9224" }
      : { kind: "file", file };
  };
}
