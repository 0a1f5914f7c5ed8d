import type { RdapBehaviour } from "../../lab/rdap_behaviours.ts";
import type { WhoisBehaviour } from "../../lab/whois_behaviours.ts";
import type { Situation } from "./situation.ts";

/** A name whose 404 says why it is not sold, or not at the usual price. */
function told(name: string, rdap: RdapBehaviour, truth: "reserved" | "premium"): Situation {
  return { what: `the 404 says it (${rdap})`, name, rdap, truth, answer: truth };
}

/** A name that was found reserved, and whose 404 does not say so. */
function listed(name: string): Situation {
  return { what: "the 404 says nothing", name, truth: "reserved", answer: "reserved" };
}

/** A name that only the TLD's WHOIS server shows as kept back, or as sold at a price of its own. */
function inWhois(
  name: string,
  whois: WhoisBehaviour,
  truth: "reserved" | "premium" = "reserved",
): Situation {
  const what = `only WHOIS says it (${whois})`;
  return { what, name, whois, truth, answer: "available", byWhois: truth };
}

/** A name that only a WHOIS server withholds that no row says is needed, so that it is not asked. */
function unasked(name: string, whois: WhoisBehaviour): Situation {
  const what = `only WHOIS would say it (${whois})`;
  return { what, name, whois, truth: "reserved", answer: "available", byRegistrar: "unknown" };
}

/** Names that others found reserved, blocked or premium, and the texts of registries about such names. */
export const RESERVED_NAMES: readonly Situation[] = [
  told("jailbreaks.fun", "reserved", "reserved"),
  told("some-brand.app", "blockedBsa", "reserved"),
  told("some-brand.dev", "globalblock", "reserved"),
  told("dropped-name.org", "dropzone", "reserved"),
  told("some-brand.info", "dpml", "reserved"),
  told("some-brand.site", "restricted", "reserved"),
  told("gold.org", "premium", "premium"),
  told("gold.info", "platinum", "premium"),
  told("deleted-today.app", "expiryAccessPeriod", "reserved"),
  inWhois("codeium.io", "globalblock"),
  unasked("some-brand.ai", "globalblock"),
  inWhois("at-auction.org", "dropzone"),
  unasked("kept-back.tech", "reserved"),
  inWhois("gold.io", "premium", "premium"),
  ...["d.dev", "example.dev", "mail.dev", "test.dev", "test.app", "test.xyz"].map(listed),
  ...["test.tech", "test.cloud", "test.online", "test.site"].map(listed),
];
