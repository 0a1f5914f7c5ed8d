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
  { name: "tos-trap", shows: "legal text full of alarming words: available all the same" },
  { name: "failing", shows: "the registry answers 429: unknown, never available" },
  { name: "html", shows: "the registry answers with a web page: unknown" },
  { name: "whois-blocked", shows: "a plain 404, but WHOIS, where it is needed, says blocked" },
  { name: "whois-record", shows: "the registry answers 429, but WHOIS has a record: taken" },
  { name: "silent", shows: "the registry never answers: unknown after the deadline" },
  { name: "slow", shows: "the registry takes three seconds: results arrive one by one" },
];

/** Labels of names on the test chain to try; what they show is in their rows. */
export const DEMO_ETH_LABELS: readonly string[] = [
  "alice",
  "free-for-you",
  "fre",
  "wrapped",
  "grace",
  "premium-day-10",
  "free-again",
  "offchain",
  "on-arweave",
  "burns-gas",
  "trap-direct",
];
