/** The arguments of `deno task check`. */
import { readDomain, readLabel } from "../rules/name.ts";
import { parseArguments } from "./parse_arguments.ts";

/** A name to check: under one TLD, or under every enabled one. */
export interface Wish {
  label: string;
  tld: string | undefined;
}

/** What was asked for, or why it makes no sense. */
export type Arguments =
  | { kind: "check"; wishes: Wish[]; json: boolean }
  | { kind: "help" }
  | { kind: "refused"; why: string };

/** How it is used, for `--help` and after a wrong use. */
export const USAGE = `Usage: deno task check <name> [name…] [--tld com] [--json]

  name         a name under every TLD, or with its TLD: example, example.com
  --tld com    only this TLD
  --json       a JSON array, one result a line as they arrive
  --help       this text

Exit status: 0 all answered, 1 wrong use, 2 at least one could not be told.`;

/** Reads the arguments. */
export function readArguments(args: readonly string[]): Arguments {
  const parsed = parseArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      tld: { type: "string" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (parsed instanceof Error) return refused(parsed.message);
  const { values: { tld, json = false, help = false }, positionals } = parsed;
  if (help) return { kind: "help" };
  if (positionals.length === 0) return refused("Give at least one name");
  const wishes: Wish[] = [];
  for (const name of positionals) {
    const wish = readWish(name, tld?.toLowerCase().replace(/^\./, ""));
    if (typeof wish === "string") return refused(`${name}: ${wish}`);
    wishes.push(wish);
  }
  return { kind: "check", wishes, json };
}

function readWish(name: string, tld: string | undefined): Wish | string {
  if (!name.includes(".")) {
    const reading = readLabel(name);
    return reading.kind === "label" ? { label: reading.label, tld } : reading.why;
  }
  const reading = readDomain(name);
  if (reading.kind === "refused") return reading.why;
  if (tld !== undefined && tld !== reading.tld) {
    return `It has a TLD already, other than --tld ${tld}`;
  }
  return { label: reading.label, tld: reading.tld };
}

function refused(why: string): Arguments {
  return { kind: "refused", why };
}
