/** The names of a chaos run: the first word of a label decides what is true of it under every TLD. */
import { registryOf } from "../lab/registries.ts";

/** What is true of a name. */
export type Truth =
  /** It can be registered. */
  | "free"
  /** The same, at a premium price, which the 404 reports in known words. */
  | "premium"
  /** Registered, and DNS has name servers for it. */
  | "delegated"
  /** Registered, and not in DNS. */
  | "dark"
  /** Reserved, which the 404 reports in known words. */
  | "reserved"
  /** Reserved, which the 404 reports in words or in a place that the service does not know. */
  | "withheld";

/** The kinds of labels. */
export const CLASSES = [
  "taken",
  "dark",
  "free",
  "premium",
  "reserved",
  "legal",
  /** So many letters that no random label of this form, which teaches the service the registry's words, has them too. */
  "withheld",
  /** Available until its first look-up is in flight, then registered. */
  "birth",
  /** A few often requested names that the schedule registers and drops. */
  "hot",
  /** The names that the service's own tests of registries ask for. */
  "seed",
] as const;

/** A word of `CLASSES`. */
export type Class = typeof CLASSES[number];

const FIRST_TRUTH: Readonly<Record<Class, Truth>> = {
  taken: "delegated",
  dark: "dark",
  free: "free",
  premium: "premium",
  reserved: "reserved",
  legal: "reserved",
  withheld: "withheld",
  birth: "free",
  hot: "free",
  seed: "delegated",
};

/** Labels that the service tests registries with, and those TLDs under which only some of them exist. */
export const SEED_LABELS: readonly string[] = ["google", "nic", "amazon"];
const FEW_SEEDS: Readonly<Record<string, readonly string[]>> = { bot: ["google"] };

/** The labels with which the registry of a TLD can be tested, for DNS shows them delegated. */
export function seedsOf(tld: string): readonly string[] {
  return FEW_SEEDS[tld] ?? SEED_LABELS;
}

/** The label of a domain. */
export function labelOf(domain: string): string {
  return domain.slice(0, domain.indexOf("."));
}

/** The TLD of a domain. */
export function tldOf(domain: string): string {
  return domain.slice(domain.lastIndexOf(".") + 1);
}

/** The kind of a domain; undefined for a name that the load never asks for. */
export function classOf(domain: string): Class | undefined {
  const label = labelOf(domain);
  if (SEED_LABELS.includes(label)) {
    return seedsOf(tldOf(domain)).includes(label) ? "seed" : undefined;
  }
  const word = label.slice(0, Math.max(0, label.indexOf("-")));
  return CLASSES.find((name) => name === word);
}

/** The truth of a domain before the schedule changes anything; a name of no kind is available. */
export function firstTruth(domain: string): Truth {
  const kind = classOf(domain);
  if (kind === undefined || kind === "premium" && !tellsPrices(tldOf(domain))) return "free";
  return FIRST_TRUTH[kind];
}

/** A registry whose 404 is empty does not tell prices over RDAP. */
function tellsPrices(tld: string): boolean {
  return registryOf(tld)?.backEnd.notFound !== undefined;
}

/** The TLDs of a run, and which of them keep honest and reachable registries throughout. */
export const CHAOS_TLDS: readonly string[] = [
  "biz",
  "bot",
  "cc",
  "cloud",
  "com",
  "dev",
  "net",
  "online",
  "org",
  "site",
  "store",
  "tech",
  "tv",
  "xyz",
];

/** TLDs whose registries are never made to fail or lie: there "unknown" needs another reason. */
export const CALM_TLDS: readonly string[] = ["biz", "org"];

/** TLDs of hosts with a slow pace, requested only by checks of all TLDs. */
export const PACED_TLDS: readonly string[] = ["dev", "xyz"];
