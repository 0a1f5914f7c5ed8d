import type { State } from "../../../src/rules/verdict.ts";
import type { HttpBehaviour } from "../../lab/http_behaviour.ts";
import type { RdapScript } from "../../lab/rdap_behaviours.ts";
import type { NameScript } from "../../lab/names.ts";
import { WHOIS_FORMS } from "../../lab/whois_forms.ts";

/** What is true of a name; `reserved`: no client can register it, because the registry keeps it back or it is invalid. */
export type Truth = Exclude<State, "unknown">;

/** What the service answers: the row's state, or `refused` for a request that it answers 400. */
export type Reply = State | "refused";

/** A name, what DNS and the registry answer about it where that is not "none" and a 404, what is true, and what the service answers. */
export interface Situation extends Partial<NameScript> {
  /** What happens, in words. */
  what: string;
  name: string;
  /** Hosts that answer every question in the same way. */
  hosts?: Readonly<Record<string, RdapScript>>;
  /** The RDAP base that IANA's table has for the name's TLD, where it is not the lab's usual one. */
  movedTo?: string;
  /** Whether no WHOIS server answers. */
  isWhoisShut?: boolean;
  truth: Truth;
  /** The service's answer by DNS and RDAP. */
  answer: Reply;
  /** Its answer if the TLD's WHOIS server is asked too, where that makes a difference. */
  byWhois?: Reply;
  /** Its answer if a registrar is asked as well, where that makes a difference. */
  byRegistrar?: Reply;
}

/** An answer that asks us to come back after a time. */
export function pausing(status: number, retryAfter: string): HttpBehaviour {
  return { kind: "empty", status, headers: { "retry-after": retryAfter } };
}

/** Whether the answer is what is true. */
export function isRight({ truth }: Situation, reply: Reply): boolean {
  return reply === truth || (reply === "refused" && truth === "reserved");
}

/**
 * One fault of a registry, met by a registered name and by an available one. By DNS and RDAP both are unknown; a record in
 * WHOIS proves the first registered.
 */
export function bothWays(
  { what, name, ...rest }: Omit<Situation, "truth" | "answer" | "byWhois">,
): Situation[] {
  const [label, tld = ""] = name.split(".");
  const hasWhois = tld in WHOIS_FORMS && rest.isWhoisShut !== true;
  return [
    {
      ...rest,
      what: `${what}; registered`,
      name: `${label}-kept.${tld}`,
      truth: "taken",
      answer: "unknown",
      ...(hasWhois && { byWhois: "taken" }),
    },
    {
      ...rest,
      what: `${what}; available`,
      name: `${label}-left.${tld}`,
      truth: "available",
      answer: "unknown",
    },
  ];
}
