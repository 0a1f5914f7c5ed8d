/** The RDAP question for a domain (RFC 9082), sent only to the TLD's own registry. */
import type { RdapAnswer, RdapFault } from "../rules/answer.ts";
import { hostPolicy } from "../rules/tables/hosts.ts";
import { quoteReply, readReply } from "../rules/readers/registry_reply.ts";
import type { GetFault, GuardedGet, Limits } from "./http.ts";

/** The slowest registry needs 1.4 s until its first byte (published measurements, 2026-10). */
const HEAD_MS = 4_000;
/** Ten times the usual answer time, and short enough for a client that waits for 30 s. */
const DEADLINE_MS = 8_000;

/** Time limits of a question, in ms. */
export type RdapTimeouts = Pick<Required<Limits>, "headMs" | "deadlineMs">;

/** The longest domain object seen has 23 KB. */
const MAX_BYTES = 256 * 1_024;
const ACCEPT = "application/rdap+json, application/json;q=0.9";

/** How soon a service that ends may be back. */
const RESTART_MS = 5_000;

const FAULTS: Readonly<Record<GetFault, RdapAnswer>> = {
  timeout: failed("down", "The registry did not answer in time"),
  unreachable: failed("down", "The registry could not be reached"),
  stopped: {
    kind: "failed",
    fault: "unasked",
    why: "The service is shutting down",
    retryAfterMs: RESTART_MS,
  },
  redirect: failed("unclear", "The registry redirected to a URL that is not followed"),
  oversized: failed("unclear", "The registry's answer was too long"),
  forbiddenUrl: failed("unclear", "The registry's URL is not a public https URL"),
};

/** Creates the question: `domain` to the RDAP server at `base`. */
export function createRdapQuestion(
  { get, now, timeouts = { headMs: HEAD_MS, deadlineMs: DEADLINE_MS } }: {
    get: GuardedGet;
    now: () => number;
    timeouts?: RdapTimeouts | undefined;
  },
): (base: string, domain: string) => Promise<RdapAnswer> {
  return async (base, domain) => {
    const askedAt = now();
    const url = `${base}domain/${domain}`;
    const reply = await get(url, { accept: ACCEPT, ...timeouts, maxBytes: MAX_BYTES });
    if (reply.kind === "failed") return FAULTS[reply.fault];
    if (reply.status === 404 && !isAbout(domain, reply.url)) {
      const why = "The registry redirected to a 404 that is not about this name";
      return { ...failed("unclear", why), said: quoteReply(reply) };
    }
    return readReply({
      status: reply.status,
      contentType: reply.headers.get("content-type") ?? "",
      retryAfter: reply.headers.get("retry-after"),
      age: reply.headers.get("age"),
      body: reply.body,
      ...(reply.url !== url && { redirectedTo: reply.url }),
    }, { domain, policy: hostPolicy(new URL(base).host), askedAt, now: now() });
  };
}

/** Whether a URL names the domain as RFC 9082 §3.1.3 requires: a 404 itself need not say which name it denies. */
function isAbout(domain: string, url: string): boolean {
  return new URL(url).pathname.toLowerCase().endsWith(`/domain/${domain}`);
}

function failed(fault: RdapFault, why: string): RdapAnswer {
  return { kind: "failed", fault, why };
}
