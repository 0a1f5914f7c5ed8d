/** One row as a line for a person. */
import type { DomainResult } from "../lookup/check_domain.ts";
import type { EnsCheckResult } from "../lookup/ens_lookups.ts";
import { plain } from "./plain.ts";
import { type Row, type RowVerdict, verdictOf } from "./row.ts";

/** An icon for each verdict, so that no colour is needed, and the SGR code of its colour. */
const LOOKS: Readonly<Record<RowVerdict, { icon: string; colour: number }>> = {
  free: { icon: "✓", colour: 32 },
  premium: { icon: "$", colour: 33 },
  taken: { icon: "✗", colour: 31 },
  reserved: { icon: "⊘", colour: 35 },
  unknown: { icon: "?", colour: 36 },
};

/** The line: icon and word, then the domain, `width` characters wide, and how it is known. */
export function lineOf(row: Row, { colour, width }: { colour: boolean; width: number }): string {
  const verdict = verdictOf(row);
  const { icon, colour: code } = LOOKS[verdict];
  const mark = `${icon} ${verdict.padEnd(8)}`;
  const shown = colour ? `\x1b[${code}m${mark}\x1b[0m` : mark;
  return `${shown}  ${row.domain.padEnd(width)}  ${plain(evidenceOf(row))}`;
}

function evidenceOf(row: Row): string {
  if (row.kind === "failed") return row.why;
  if (row.kind === "eth") return `${holdingOf(row.result)} · ${ageOf(row.result)}`;
  const { result } = row;
  return result.error ?? `${findingOf(result)} · ${ageOf(result)}`;
}

function findingOf({ source, available, premium, status, reason }: DomainResult): string {
  if (source.startsWith("dns")) return "DNS has name servers";
  if (available && premium) return "the registry speaks of a premium price";
  if (available) return "the registry has no such name";
  if (status.includes("active")) return "registered, though not in DNS";
  return reason ?? "the registry keeps it back";
}

function holdingOf({ owner, registrationPrice: price }: EnsCheckResult): string {
  if (price === undefined) return `held by ${owner ?? "somebody"}`;
  const eth = Number(price.eth).toLocaleString("en", { maximumSignificantDigits: 3 });
  if (price.premiumWei !== undefined) {
    return `${eth} ETH for a year, with a premium that falls daily`;
  }
  return `${eth} ETH for a year, about $${price.usdEstimate}`;
}

function ageOf({ source, responseMs }: { source: string; responseMs: number }): string {
  return source.endsWith("+cache") ? "from the cache" : `${responseMs} ms`;
}
