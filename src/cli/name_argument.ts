/** One name, on the command line or in a list, and the check that it requests. */
import { nameIn } from "../../static/names_in_text.js";
import { forGenerated } from "./generate.ts";
import {
  type LabelReading,
  readDomain,
  readEnsLabel,
  readLabel,
  toAsciiName,
} from "../rules/name.ts";

/** The TLD of ENS names, which are checked only on request, never as one of "every TLD". */
export const ETH = "eth";

/** A name and its TLDs; undefined stands for every enabled TLD. */
export interface NameArgument {
  label: string;
  tlds: readonly string[] | undefined;
  isGenerated?: boolean;
}

/** The name, or an error message for the user. */
type NameReading =
  | { kind: "name"; name: NameArgument }
  | { kind: "refused"; message: string };

/**
 * Reads a name: with its own TLD, or under the TLDs `chosen` by `--tld`. One in Unicode is converted, but not under .eth,
 * whose names have no ASCII form.
 */
export function readName(typed: string, chosen: readonly string[] | undefined): NameReading {
  const text = nameIn(typed);
  const name = toAsciiName(text);
  if (!name.includes(".")) {
    const reading = readBareLabel(text, chosen);
    if (reading.kind === "refused") return refused(reading.why);
    return { kind: "name", name: { label: reading.label, tlds: chosen } };
  }
  const reading = isEth(name) ? readEnsLabel(text) : readDomain(name);
  if (reading.kind === "refused") return refused(reading.why);
  const tld = reading.kind === "domain" ? reading.tld : ETH;
  if (chosen === undefined || chosen.includes(tld)) {
    return { kind: "name", name: { label: reading.label, tlds: [tld] } };
  }
  return refused(`TLD .${tld} is not in --tld ${chosen.join(",")}`);
}

/** The label must be valid under every chosen TLD; .eth has its own grammar. */
function readBareLabel(label: string, tlds: readonly string[] = []): LabelReading {
  if (!tlds.includes(ETH)) return readLabel(toAsciiName(label));
  const reading = readEnsLabel(label);
  return reading.kind === "refused" || tlds.length === 1 ? reading : readLabel(label);
}

function isEth(name: string): boolean {
  return name.toLowerCase().endsWith(`.${ETH}`);
}

/** What can be checked. */
export interface SupportedTlds {
  /** The TLDs under which names without one are checked. */
  tlds: readonly string[];
  /** Why names under a TLD or suffix cannot be checked, as far as it can be told without checking one. */
  refusalOf(suffix: string): Promise<string | undefined>;
}

/** A label to check under TLDs that the checker supports. */
export interface CheckRequest {
  label: string;
  tlds: readonly string[];
}

/** The request, or an error message for the user. */
type RequestReading =
  | { kind: "request"; request: CheckRequest }
  | { kind: "refused"; message: string };

/** Makes the request for a name; refused when the checker supports one of its TLDs not. */
export async function requestOf(
  { label, tlds, isGenerated = false }: NameArgument,
  { tlds: defaults, refusalOf }: SupportedTlds,
): Promise<RequestReading> {
  const chosen = tlds ?? (isGenerated ? forGenerated(defaults) : defaults);
  if (chosen.length === 0) return refused("No TLD is enabled; send a name with its TLD");
  for (const tld of tlds ?? []) {
    const why = tld === ETH ? undefined : await refusalOf(tld);
    if (why !== undefined) return refused(`TLD ${tld} is not supported: ${why}`);
  }
  return { kind: "request", request: { label, tlds: chosen } };
}

function refused(message: string): { kind: "refused"; message: string } {
  return { kind: "refused", message };
}
