/** Fetches the files that tables are from: IANA's RDAP servers (RFC 9224), and the priced registrar's price list. */
import type { FileAnswer } from "../rules/answer.ts";
import type { GuardedGet } from "./http.ts";

/** The largest, the prices of 900 TLDs, has about 200 KB. */
const LIMITS = { deadlineMs: 20_000, maxBytes: 2 * 1_024 * 1_024 };

/** Creates the fetch of the file at `url`. */
export function createFileFetch(get: GuardedGet, url: string): () => Promise<FileAnswer> {
  return async () => {
    const reply = await get(url, { accept: "application/json", ...LIMITS });
    if (reply.kind === "failed") return { kind: "failed", reason: reply.fault };
    if (reply.status !== 200) return { kind: "failed", reason: `HTTP ${reply.status}` };
    return { kind: "read", text: reply.body };
  };
}
