/** Names that a registry never sells, though its RDAP answers a plain 404 for them. */

/**
 * Seen reserved at several registries without a word in RDAP (d.dev, example.dev, test.dev/.app/.xyz/.tech/.cloud/
 * .online/.site; measured by others 2025-06 to 2026-08), and the names that ICANN's registry agreement keeps back.
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

/** Domains seen reserved at one registry only. */
const DOMAINS: ReadonlySet<string> = new Set(["mail.dev"]);

/** Whether a registry is known to keep the name back; one-character labels are, or were sold long ago. */
export function isReserved(label: string, tld: string): boolean {
  return label.length === 1 || EVERYWHERE.has(label) || DOMAINS.has(`${label}.${tld}`);
}
