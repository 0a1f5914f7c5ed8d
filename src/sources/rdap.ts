/** One question to a TLD's own registry (RFC 9082), and nobody else. */
import type { RdapAnswer } from "../rules/answer.ts";
import { hostManners } from "../rules/hosts.ts";
import { readReply } from "../rules/registry_reply.ts";
import type { GetFault, GuardedGet } from "./http.ts";

/** The slowest registry needs 1.4 s; ten times the usual is a fault, and 8 s still suits a client that waits 30. */
const DEADLINE_MS = 8_000;
/** The longest domain object seen has 23 KB. */
const MAX_BYTES = 256 * 1_024;
const ACCEPT = "application/rdap+json, application/json;q=0.9";

const FAULTS: Readonly<Record<GetFault, RdapAnswer>> = {
  timeout: down("The registry did not answer in time"),
  unreachable: down("The registry could not be reached"),
  stopped: { kind: "failed", fault: "unasked", why: "The service is shutting down; try again" },
  redirect: unclear("The registry redirected to another host"),
  oversized: unclear("The registry's answer was too long"),
  forbiddenUrl: unclear("The registry's address is not a public https URL"),
};

/** Creates the question: `domain` to the RDAP server at `base`. */
export function createRdapQuestion(
  { get, now }: { get: GuardedGet; now: () => number },
): (base: string, domain: string) => Promise<RdapAnswer> {
  return async (base, domain) => {
    const reply = await get(`${base}domain/${domain}`, {
      accept: ACCEPT,
      deadlineMs: DEADLINE_MS,
      maxBytes: MAX_BYTES,
    });
    if (reply.kind === "failed") return FAULTS[reply.fault];
    return readReply({
      status: reply.status,
      contentType: reply.headers.get("content-type") ?? "",
      retryAfter: reply.headers.get("retry-after"),
      body: reply.body,
    }, { domain, manners: hostManners(new URL(base).host), now: now() });
  };
}

function down(why: string): RdapAnswer {
  return { kind: "failed", fault: "down", why };
}

function unclear(why: string): RdapAnswer {
  return { kind: "failed", fault: "unclear", why };
}
