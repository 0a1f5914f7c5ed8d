/** One result as a line for a person. */
import type { DomainResult } from "../lookup/check.ts";

interface Look {
  icon: string;
  word: string;
  /** SGR code of the colour. */
  colour: number;
}

const FREE: Look = { icon: "✓", word: "free", colour: 32 };
const PREMIUM: Look = { icon: "$", word: "premium", colour: 33 };
const TAKEN: Look = { icon: "✗", word: "taken", colour: 31 };
const RESERVED: Look = { icon: "⊘", word: "reserved", colour: 35 };
const UNKNOWN: Look = { icon: "?", word: "unknown", colour: 36 };

/** Whether nothing could be told of the domain. */
export function isUnknown({ status }: DomainResult): boolean {
  return status.includes("unknown");
}

/** The line: icon and word, so that no colour is needed, then the domain and how it is known. */
export function lineOf(
  result: DomainResult,
  { colour, width }: { colour: boolean; width: number },
) {
  const { icon, word, colour: code } = lookOf(result);
  const mark = `${icon} ${word.padEnd(8)}`;
  const shown = colour ? `\x1b[${code}m${mark}\x1b[0m` : mark;
  return `${shown}  ${result.domain.padEnd(width)}  ${result.error ?? evidenceOf(result)}`;
}

/** The last line: how many of each. */
export function summaryOf(results: readonly DomainResult[], elapsedMs: number): string {
  const counts = [FREE, PREMIUM, TAKEN, RESERVED, UNKNOWN]
    .map(({ word }) => ({ word, count: results.filter((one) => lookOf(one).word === word).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${count} ${word}`);
  const names = results.length === 1 ? "1 domain" : `${results.length} domains`;
  return `${names} in ${(elapsedMs / 1_000).toFixed(1)} s: ${counts.join(", ")}`;
}

function lookOf(result: DomainResult): Look {
  if (result.available) return result.premium ? PREMIUM : FREE;
  if (isUnknown(result)) return UNKNOWN;
  return result.status.includes("active") ? TAKEN : RESERVED;
}

function evidenceOf({ source, available, status, responseMs }: DomainResult): string {
  const found = source.startsWith("dns")
    ? "DNS has name servers"
    : available
    ? "the registry has no such name"
    : status.includes("active")
    ? "registered, though not in DNS"
    : "the registry keeps it back";
  return `${found} · ${source.endsWith("+cache") ? "from the cache" : `${responseMs} ms`}`;
}
