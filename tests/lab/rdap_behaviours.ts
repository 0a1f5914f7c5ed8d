import { brokenReplies } from "./broken_replies.ts";
import { hostileReplies } from "./hostile_replies.ts";
import { markedReplies } from "./marked_replies.ts";
import { notFoundReply } from "./not_found_reply.ts";
import { rateLimitedReply } from "./refusal_replies.ts";
import { registeredReply } from "./registered_reply.ts";
import { domainUrl, type RdapReply } from "./registry.ts";

/** Everything a registry can be told to do, by a word that a test can read. */
export const rdapBehaviours = {
  registered: (registry, domain) => registeredReply(registry, domain),
  registeredNoStatus: withStatuses(),
  registeredUndelegated: withStatuses("inactive"),
  pendingDelete: withStatuses("pending delete"),
  redemption: withStatuses("pending delete", "redemption period"),
  serverHold: withStatuses("server hold", "server transfer prohibited"),
  free: notFoundReply,
  rateLimited: (registry) => rateLimitedReply(registry, "none"),
  rateLimitedSeconds: (registry) => rateLimitedReply(registry, "seconds"),
  rateLimitedDate: (registry) => rateLimitedReply(registry, "date"),
  /** To a path where the lab gives the clean 404. */
  redirectSameHost: (registry, domain) => ({
    kind: "redirect",
    status: 302,
    location: domainUrl(registry, domain, "moved/"),
  }),
  /** To the clean 404 of a name that was not asked for: it says nothing of the one that was. */
  redirectOtherName: (registry, domain) => ({
    kind: "redirect",
    status: 302,
    location: domainUrl(registry, `made-up-${domain}`, "moved/"),
  }),
  /** To the asked name's clean 404 with a user and a password in the address, as no registry's own address has them. */
  redirectUserinfo: (registry, domain) => ({
    kind: "redirect",
    status: 302,
    location: domainUrl(registry, domain, "moved/").replace("//", "//user:password@"),
  }),
  redirectLoop: (registry, domain) => ({
    kind: "redirect",
    status: 302,
    location: domainUrl(registry, domain),
  }),
  ...markedReplies,
  ...brokenReplies,
  ...hostileReplies,
} as const satisfies Readonly<Record<string, RdapReply>>;

/** The word for each behaviour. */
export type RdapBehaviour = keyof typeof rdapBehaviours;

function withStatuses(...statuses: readonly string[]): RdapReply {
  return (registry, domain) => registeredReply(registry, domain, statuses);
}
