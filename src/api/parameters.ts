/** Schemas of parameters; the message of each issue is an error code. */
import * as z from "zod/mini";
import { nameIn } from "../../static/names_in_text.js";
import { readDomain, readEnsLabel, readLabel, readSuffix, toAsciiName } from "../rules/name.ts";
import type { ErrorCode } from "./errors.ts";

/**
 * The grammar of `name.ts` as patterns, for the documents only: the functions that read a parameter give advice, which a
 * pattern cannot. Short for people who read them; without look-ahead, which some JSON Schema readers lack.
 */
const LABEL = "[A-Za-z0-9-]{1,63}";
const SUFFIX = `(?:${LABEL}\\.){0,3}(?:[A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{1,59})`;
/** A hyphen at the start or the end of a label. */
const EDGE = "(?:^|\\.)-|-(?:\\.|$)";
/** Hyphens in both the third and the fourth place of what is no A-label. */
const RESERVED = "^(?:[^Xx].|.[^Nn])--";

/** What the documents say of a parameter, and the codes of its errors. */
interface About extends z.core.GlobalMeta {
  /** Of a text that is no value of the parameter, and of a parameter that was sent twice. */
  readonly invalid?: ErrorCode;
  /** Of a parameter that is absent or empty; without it the parameter may be empty. */
  readonly missing?: ErrorCode;
}

/** Makes the error of an invalid text, in whose place it is returned; `advice` says what to send instead. */
type Refuse = (advice: string, code?: ErrorCode) => never;

/** A parameter whose text `read` turns into a value, or refuses. */
export function parameter<Value>(
  { invalid = "invalid_parameter", missing, ...words }: About,
  read: (text: string, refuse: Refuse) => Value,
) {
  const error = ({ input }: { input: unknown }) =>
    input === undefined ? missing ?? invalid : invalid;
  const filled = missing === undefined ? [] : [z.minLength(1, { error: missing, abort: true })];
  return z.pipe(
    z.string({ error }).check(...filled, z.meta(words)),
    z.transform((input: string, { issues }) =>
      read(input, (advice, message = invalid) => {
        issues.push({ code: "custom", message, params: { advice }, input });
        return z.NEVER;
      })
    ),
  );
}

const labelBy = (read: typeof readLabel) => (text: string, refuse: Refuse) => {
  const reading = read(text);
  return reading.kind === "label" ? reading.label : refuse(reading.why);
};

/** A label, lower-cased. */
export function labelParameter() {
  return parameter({
    description: "The name without its TLD: letters a-z in any case, digits and hyphens",
    pattern: `^${LABEL}$`,
    not: { pattern: `${EDGE}|${RESERVED}` },
    examples: ["taken"],
    missing: "missing_parameter",
    invalid: "invalid_name",
  }, labelBy(readLabel));
}

/** A label of .eth, lower-cased and without the suffix. */
export function ensLabelParameter() {
  return parameter({
    description: "The name, with or without .eth: letters a-z in any case, digits and hyphens",
    pattern: "^[A-Za-z0-9-]{3,63}(?:\\.[Ee][Tt][Hh])?$",
    not: { pattern: "^..--" },
    examples: ["alice"],
    missing: "missing_parameter",
    invalid: "invalid_name",
  }, labelBy(readEnsLabel));
}

/** A TLD or a public suffix, lower-cased and without its dot; the tables decide whether there is one. */
export function tldParameter() {
  return parameter({
    description:
      "A TLD or a public suffix such as co.uk, in any case, with or without a dot around it; in Unicode, it is converted",
    pattern: `^\\.?${SUFFIX}\\.?$`,
    not: { pattern: EDGE },
    examples: ["com"],
    invalid: "unsupported_tld",
  }, (text) => readSuffix(text) ?? text);
}

/** A domain of one label and a TLD, lower-cased. */
export function domainParameter() {
  return parameter({
    description: "A name and its TLD or public suffix, without a subdomain",
    pattern: `^${LABEL}\\.${SUFFIX}$`,
    not: { pattern: `${EDGE}|${RESERVED}` },
    examples: ["example.com"],
    missing: "missing_domain",
    invalid: "invalid_domain",
  }, (text, refuse): { domain: string; tld: string } => {
    const reading = readDomain(text);
    return reading.kind === "domain" ? reading : refuse(reading.why);
  });
}

/** A domain as above, or a .eth name, whose label may be none of a domain. */
export function detailsParameter() {
  return parameter({
    description: "A name and its TLD or public suffix, or a .eth name",
    pattern: `^${LABEL}\\.${SUFFIX}$`,
    examples: ["example.com"],
    missing: "missing_parameter",
    invalid: "invalid_domain",
  }, readName);
}

function readName(typed: string, refuse: Refuse): { label: string; tld: string } {
  const text = toAsciiName(nameIn(typed));
  const isEth = /\.eth$/i.test(text);
  const reading = isEth ? readEnsLabel(text) : readDomain(text);
  if (reading.kind === "refused") return refuse(reading.why);
  return { label: reading.label, tld: reading.kind === "domain" ? reading.tld : "eth" };
}

/** A feed's names at most. */
export const MAX_WATCHED = 20;

/** Names as above with commas between; each is returned once. */
export function watchedParameter() {
  return parameter({
    description: `1 to ${MAX_WATCHED} domains or .eth names, with commas between`,
    examples: ["example.com,example.org"],
    missing: "missing_parameter",
    invalid: "invalid_domain",
  }, (text, refuse) => {
    const parts = text.split(",", MAX_WATCHED + 1);
    if (parts.length > MAX_WATCHED) {
      return refuse(`send at most ${MAX_WATCHED} names`, "invalid_parameter");
    }
    const names = parts.map((part) =>
      readName(part.trim(), (advice) => refuse(`"${part.trim().slice(0, 253)}": ${advice}`))
    );
    return [...new Map(names.map((name) => [`${name.label}.${name.tld}`, name])).values()];
  });
}

/** A parameter that may be absent, or one of these words. */
export function choice<const Word extends string>(
  words: readonly Word[],
  description: string,
  error: ErrorCode = "invalid_parameter",
) {
  return z.optional(z.enum(words, { error }).check(z.describe(description)));
}

/** How deep a check goes, and whether rows have the evidence of their witnesses. */
export const checkParameters = () => ({
  depth: choice(
    ["dns"],
    "`dns`: ask DNS and the cache only, so a name that is in neither is unknown; the registry too if absent",
  ),
  evidence: choice(["1"], "`1`: each row has what each witness said"),
});
