/** What people ask for: each kind of name with the look-ups behind it and the way in which they are renewed. */
import type { Renewal } from "../flow/cached.ts";
import type { NameKind } from "../rules/popularity.ts";
import type { TldRow } from "../rules/tlds.ts";
import type { RenewDomain } from "./check_domain.ts";

/** A kind of name that people ask for. */
export interface Warmer {
  kind: NameKind;
  /** The look-ups behind a name. */
  lookupsOf(name: string): Promise<readonly Lookup[]>;
}

/** A look-up whose answer is kept. */
export interface Lookup {
  /** Whose pace it is bound to: those of one queue are made one after the other. */
  queue: string;
  /** Looks up again what will not be kept until `until` (ms since 1970). */
  renew(until: number): Promise<Renewal>;
}

/** Domains, as people ask for them: a name is one under every TLD. */
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

/** .eth names. Each is a queue of its own, for those that are asked at the same time share one request. */
export function ensWarmer(renew: (label: string, until: number) => Promise<Renewal>): Warmer {
  return {
    kind: "ens",
    lookupsOf: (name) =>
      Promise.resolve([{ queue: `${name}.eth`, renew: (until) => renew(name, until) }]),
  };
}
