import type { DnsBehaviour, DnsBehaviourKind } from "./dns_behaviour.ts";
import { type RdapBehaviour, rdapBehaviours, type RdapScript } from "./rdap_behaviours.ts";
import type { WhoisBehaviour } from "./whois_behaviours.ts";

/** The answers of DNS and of the registry about a name. */
export interface NameScript {
  dns: DnsBehaviourKind | DnsBehaviour;
  rdap: RdapScript;
  /** The registry's reply to the first question in place of `rdap`. */
  firstRdap?: RdapScript;
  /** The TXT records below `_for-sale`. */
  forSale?: readonly (readonly string[])[];
  /** The registry's delay beyond its latency, in milliseconds. */
  delayMs?: number;
  /** The WHOIS server's answer; absent: the one that fits `rdap`. */
  whois?: WhoisBehaviour;
}

/** The script of every name without a row. */
export const UNSCRIPTED: NameScript = { dns: "nxdomain", rdap: "free" };

const TAKEN: NameScript = { dns: "delegated", rdap: "registered" };

/** The names of the lab, labels under every TLD or whole domains, with their scripts; each reply also has a name of its own, as in `gzip-bomb` or `html-404`. */
export const NAMES: readonly (NameScript & { name: string })[] = [
  ...Object.keys(rdapBehaviours).map((word) => (
    { name: kebab(word), dns: "nxdomain", rdap: word as RdapBehaviour } as const
  )),
  // A canary asks for names like these, which exist under nearly every TLD.
  ...["taken", "google", "nic", "amazon"].map((name) => ({ name, ...TAKEN })),
  {
    name: "for-sale",
    ...TAKEN,
    forSale: [["v=FORSALE1;fval=USD750"], ["v=FORSALE1;furi=https://example.com/offer"]],
  },
  {
    name: "parked",
    ...TAKEN,
    dns: { kind: "delegated", nameServers: ["ns1.sedoparking.com", "ns2.sedoparking.com"] },
  },
  { name: "undelegated", dns: "nxdomain", rdap: "registeredUndelegated" },
  { name: "failing", dns: "nxdomain", rdap: "rateLimitedSeconds" },
  { name: "blocked", dns: "nxdomain", rdap: "globalblock" },
  { name: "html", dns: "nxdomain", rdap: "html404" },
  { name: "whois-blocked", dns: "nxdomain", rdap: "free", whois: "globalblock" },
  { name: "whois-record", dns: "nxdomain", rdap: "rateLimitedSeconds", whois: "record" },
  { name: "slow", dns: "nxdomain", rdap: "free", delayMs: 3000 },
  { name: "mixed.com", ...TAKEN },
  { name: "mixed.org", dns: "nxdomain", rdap: "redemption" },
  { name: "mixed.xyz", dns: "nxdomain", rdap: "premium" },
  { name: "mixed.tech", dns: "nxdomain", rdap: "reserved" },
  { name: "mixed.io", dns: "nxdomain", rdap: "unavailable503" },
];

function kebab(word: string): string {
  return word.replace(/[A-Z]|\d+/g, (part) => `-${part.toLowerCase()}`);
}
