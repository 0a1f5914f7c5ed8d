/** What look-ups showed about each registry, hour by hour: values that processes add up. */
import type { UnknownCause } from "./verdict.ts";

/** The look-ups under one TLD within an hour; answers from the cache are not among them. */
export interface TldHour {
  readonly answers: number;
  /** Unknown answers by their cause. */
  readonly unknown: Readonly<Partial<Record<UnknownCause, number>>>;
  /** Questions to the registry, and the time that they took together, in ms. */
  readonly asked: number;
  readonly askedMs: number;
}

/** Something that made an answer wrong, or would have. */
export type Incident =
  /** Two witnesses said different things of a name, which is hashed. */
  | {
    readonly kind: "disagreement";
    readonly at: number;
    readonly tld: string;
    readonly name: string;
    readonly between: Disagreement;
  }
  /** A registry failed a test that it had passed: its "available" answers since are looked up again. */
  | {
    readonly kind: "withdrawal";
    readonly at: number;
    readonly tld: string;
    readonly why: string;
  };

/** The two witnesses. */
export type Disagreement = "rdap and whois" | "rdap and a registrar";

/** One hour of all TLDs. */
export interface Hour {
  readonly tlds: Readonly<Record<string, TldHour>>;
  /** The newest first. */
  readonly incidents: readonly Incident[];
}

/** An hour, with its beginning in ms since 1970. */
export interface DatedHour extends Hour {
  readonly startsAt: number;
}

/** A look-up that was answered. */
export interface LookedUp {
  readonly tld: string;
  readonly cause?: UnknownCause | undefined;
  /** How long the registry took, in ms; 0 if it was not asked. */
  readonly rdapMs: number;
}

/** An hour without look-ups. */
export const EMPTY_HOUR: Hour = { tlds: {}, incidents: [] };

const HOUR_MS = 3_600_000;
/** With 200 TLDs an hour still fits into one value of KV (64 KiB). */
const MAX_INCIDENTS = 100;

/** The beginning of the hour of a time. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR_MS) * HOUR_MS;
}

/** The beginnings of the last 24 hours, the present one last. */
export function lastDay(now: number): number[] {
  return Array.from({ length: 24 }, (_, place) => hourOf(now) - (23 - place) * HOUR_MS);
}

/** An hour with one look-up. */
export function hourWith({ tld, cause, rdapMs }: LookedUp): Hour {
  const unknown = cause === undefined ? {} : { [cause]: 1 };
  const asked = rdapMs > 0 ? 1 : 0;
  return { tlds: { [tld]: { answers: 1, unknown, asked, askedMs: rdapMs } }, incidents: [] };
}

/** The part of a TLD, which may be named like a member of Object.prototype. */
export function hourOfTld({ tlds }: Hour, tld: string): TldHour | undefined {
  return Object.hasOwn(tlds, tld) ? tlds[tld] : undefined;
}

/** The sum of two hours. */
export function addHours(one: Hour, other: Hour): Hour {
  const added = Object.entries(other.tlds)
    .map(([tld, hour]) => [tld, addTldHours(hourOfTld(one, tld), hour)]);
  const tlds = { ...one.tlds, ...Object.fromEntries(added) };
  const incidents = [...one.incidents, ...other.incidents]
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MAX_INCIDENTS);
  return { tlds, incidents };
}

/** The sum of two hours of a TLD. */
export function addTldHours(one: TldHour | undefined, other: TldHour): TldHour {
  if (one === undefined) return other;
  const unknown = { ...one.unknown };
  for (const [cause, count] of Object.entries(other.unknown) as [UnknownCause, number][]) {
    unknown[cause] = (unknown[cause] ?? 0) + count;
  }
  return {
    answers: one.answers + other.answers,
    unknown,
    asked: one.asked + other.asked,
    askedMs: one.askedMs + other.askedMs,
  };
}

/** How many answers of a TLD were unknown. */
export function unknownAnswers({ unknown }: TldHour): number {
  return Object.values(unknown).reduce((sum, count) => sum + count, 0);
}

/** Between which witnesses a verdict found a disagreement, if it did. */
export function disagreementOf(cause: UnknownCause | undefined): Disagreement | undefined {
  if (cause === "whois") return "rdap and whois";
  return cause === "registrar" ? "rdap and a registrar" : undefined;
}
