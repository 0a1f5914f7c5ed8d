/** What is known of a TLD or a public suffix, in the words of the API; the tables are in `coverage.ts`. */
import type { TldType } from "./tables/tlds.ts";

/**
 * The best witness of a suffix: RDAP that IANA lists, RDAP that it does not list, WHOIS or an availability service, DNS
 * alone; or none is needed, because the public can register nothing there.
 */
export const COVERAGES = ["rdap", "rdap_unlisted", "whois", "dns", "closed"] as const;

/** A word of `COVERAGES`. */
export type Coverage = typeof COVERAGES[number];

/** What is known of a suffix, as `/tlds?coverage=all` shows it. */
export interface CoverageFacts {
  readonly suffix: string;
  /** The suffix in Unicode, if that differs. */
  readonly unicode?: string;
  readonly type: TldType;
  readonly coverage: Coverage;
  readonly rdapServer?: string;
  /** The WHOIS server, or the availability service that is asked in its place. */
  readonly whoisServer?: string;
  readonly requirements?: string;
  readonly note?: string;
  readonly source: string;
  /** The day on which the source was read, or which it is dated. */
  readonly checkedOn: string;
}
