/** Names that registries never sell, though RDAP returns a plain 404 for them. */

/**
 * Found reserved at several registries without a notice in RDAP (d.dev, example.dev, test.dev/.app/.xyz/.tech/.cloud/
 * .online/.site; third-party measurements, 2025-06 to 2026-08), and the names that ICANN's registry agreement reserves.
 */
const EVERYWHERE: ReadonlySet<string> = new Set([
  "example",
  "localhost",
  "nic",
  "rdds",
  "test",
  "whois",
  "www",
]);

/** Domains found reserved at one registry only. */
const DOMAINS: ReadonlySet<string> = new Set(["mail.dev"]);

/** Whether the name is known to be reserved; one-character labels are reserved, or were sold long ago. */
export function isReserved(label: string, tld: string): boolean {
  return label.length === 1 || EVERYWHERE.has(label) || DOMAINS.has(`${label}.${tld}`);
}
