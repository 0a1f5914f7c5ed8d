/**
 * The look-ups behind each kind of popular name, and their renewal.
 *
 * A renewal looks up, with background priority, what will expire too soon. Clients never wait for it, it does not start while
 * a client's look-up of the same name is in flight, and if it fails the cached answer stays. A further kind of name is one
 * more warmer here and a line in `src/wiring/services.ts`.
 */
import type { Renewal } from "../flow/cache/cached.ts";
import type { NameKind } from "../rules/popularity.ts";
import type { TldRow } from "../rules/tables/tlds.ts";
import type { RenewDomain } from "./check_domain.ts";

/** The renewals for one kind of popular name. */
export interface Warmer {
  kind: NameKind;
  /** The look-ups behind a name. */
  lookupsOf(name: string): Promise<readonly Lookup[]>;
}

/** A look-up with a cached answer. */
export interface Lookup {
  /** The look-ups of one queue are made one after the other; for a domain, its host. */
  queue: string;
  /** Looks up again unless the cached answer is valid until `until` (ms since 1970). */
  renew(until: number): Promise<Renewal>;
}

/** The warmer of domains: a name has one look-up for each TLD. */
export function domainWarmer(
  tlds: { fresh(): Promise<readonly TldRow[]> },
  renewDomain: RenewDomain,
): Warmer {
  return {
    kind: "domain",
    async lookupsOf(name) {
      const rows = await tlds.fresh();
      return rows.map(({ tld, rdapBase }) => ({
        queue: new URL(rdapBase).host,
        renew: (until) => renewDomain(name, tld, until),
      }));
    },
  };
}

/** The warmer of .eth names. Each has its own queue, since simultaneous ones share one request. */
export function ensWarmer(renew: (label: string, until: number) => Promise<Renewal>): Warmer {
  return {
    kind: "ens",
    lookupsOf: (name) =>
      Promise.resolve([{ queue: `${name}.eth`, renew: (until) => renew(name, until) }]),
  };
}
