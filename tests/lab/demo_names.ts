/** Names to try on the demo, and what each of them shows. */
export const DEMO_NAMES: readonly { name: string; shows: string }[] = [
  { name: "taken", shows: "delegated everywhere: DNS alone answers" },
  { name: "free-for-you", shows: "not in DNS, and every registry answers 404: available" },
  { name: "mixed", shows: "taken, expiring, premium, reserved, free and failing, by TLD" },
  { name: "for-sale", shows: "taken, and with evidence=1 offered for sale by its holder" },
  { name: "parked", shows: "taken, and with evidence=1 at the name servers of an auction house" },
  { name: "undelegated", shows: "registered without name servers: taken, though not in DNS" },
  { name: "redemption", shows: "expired but not yet released: taken" },
  { name: "reserved", shows: "a 404 with the words of a reserved name: not available" },
  { name: "blocked", shows: "a 404 with the words of a blocked brand name: not available" },
  { name: "premium", shows: "a 404 with the words of a premium name: available, premium" },
  { name: "tos-trap", shows: "a 404 with other legal text than for random names: unknown, quoted" },
  { name: "failing", shows: "the registry answers 429: unknown, as are others for 30 s" },
  { name: "html", shows: "the registry answers with a web page: unknown" },
  { name: "whois-blocked", shows: "a plain 404, but WHOIS, where it is needed, says blocked" },
  { name: "whois-record", shows: "the registry answers 429, but WHOIS has a record: taken" },
  { name: "silent", shows: "the registry never answers: unknown after the deadline" },
  { name: "slow", shows: "the registry takes three seconds: results arrive one by one" },
];

/** Names on the test chain to try, and what each of them shows. */
export const DEMO_ETH_NAMES: readonly { name: string; shows: string }[] = [
  { name: "alice.eth", shows: "taken, with all records" },
  { name: "free-for-you.eth", shows: "free, five characters or more" },
  { name: "fre.eth", shows: "free, three characters" },
  { name: "wrapped.eth", shows: "taken by Carol; the registration is the wrapper's" },
  { name: "grace.eth", shows: "in grace" },
  { name: "premium-day-10.eth", shows: "out of grace for ten days" },
  { name: "free-again.eth", shows: "free again for a month, its records still there" },
  { name: "offchain.eth", shows: "records through the gateway" },
  { name: "on-arweave.eth", shows: "contenthash: Arweave" },
  { name: "burns-gas.eth", shows: "a resolver that burns all gas" },
  { name: "trap-direct.eth", shows: "a resolver that points at loopback" },
];
