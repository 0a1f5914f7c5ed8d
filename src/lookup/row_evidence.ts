/** The evidence of a row: what the witnesses said, and whether a taken name is offered for sale. */
import type { Answer } from "../flow/cache/cached.ts";
import type { Waiter } from "../flow/cache/flight.ts";
import { type EvidenceEntry, type Finding, impliedEntries } from "../rules/evidence.ts";
import { parkingHouseOf, readForSale, type TxtRecord } from "../rules/readers/for_sale.ts";
import type { Witnesses } from "./judge.ts";
import type { Domain } from "../rules/name.ts";
import type { Suffixes } from "./suffixes.ts";

/** The entries of a finding; `isCached`: the finding was read from the cache. */
type EvidenceOf = (
  domain: Domain,
  found: { finding: Finding; isCached: boolean; waiter: Waiter | undefined },
) => Promise<readonly EvidenceEntry[]>;

/** Asks for the records by which the holder of a delegated name offers it, none of them if there is no offer. */
export interface ForSaleSource {
  askForSale?(
    domain: string,
    waiter?: Waiter,
  ): Promise<Answer<{ records: readonly TxtRecord[]; askedAt: number; ms: number }>>;
}

/** Creates the function that composes the entries. */
export function createRowEvidence(
  { sources, suffixes: { rowOf, isUnlisted } }: {
    sources: ForSaleSource & Pick<Witnesses, "resolverName">;
    suffixes: Pick<Suffixes, "rowOf" | "isUnlisted">;
  },
): EvidenceOf {
  /** The entries of the witnesses: their answers if this process has them, else what the verdict from KV implies. */
  async function witnessEntries(
    tld: string,
    finding: Finding,
    isCached: boolean,
  ): Promise<EvidenceEntry[]> {
    if (finding.evidence !== undefined) {
      const entries: EvidenceEntry[] = JSON.parse(finding.evidence);
      return entries.map((entry) => ({ ...entry, cached: isCached }));
    }
    const row = await rowOf(tld);
    const rdap = row === undefined ? "" : new URL(row.rdapBase).host;
    return impliedEntries(finding, { dns: sources.resolverName, rdap });
  }

  async function forSaleEntries(
    { label, tld }: Domain,
    waiter: Waiter | undefined,
  ): Promise<EvidenceEntry[]> {
    const answer = await sources.askForSale?.(`${label}.${tld}`, waiter);
    const said = answer && readForSale(answer.value.records);
    if (answer === undefined || said === undefined) return [];
    const { askedAt, ms } = answer.value;
    return [{
      witness: "dns",
      host: sources.resolverName,
      said,
      means: "for_sale",
      askedAt: new Date(askedAt).toISOString(),
      ms,
      cached: answer.isCached,
    }];
  }

  return async (domain, { finding, isCached, waiter }) => {
    const found = await witnessEntries(domain.tld, finding, isCached);
    const isOfUnlisted = await isUnlisted(domain.tld);
    const entries = found.map((entry) =>
      isOfUnlisted && entry.witness === "rdap" ? { ...entry, unlisted: true as const } : entry
    );
    const delegation = entries.find(({ means }) => means === "delegated");
    // A name that DNS does not show cannot have records either.
    if (delegation === undefined) return entries;
    const house = parkingHouseOf(delegation.said.split(", "));
    const parked: EvidenceEntry[] = house === undefined
      ? []
      : [{ ...delegation, said: house, means: "parked" }];
    return [...entries, ...parked, ...await forSaleEntries(domain, waiter)];
  };
}
