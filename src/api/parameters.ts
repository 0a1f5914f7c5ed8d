/** Schemas of parameters; the message of each issue is an error code. */
import * as z from "zod/mini";
import {
  type LabelReading,
  readDomain,
  readEnsLabel,
  readLabel,
  readSuffix,
} from "../rules/name.ts";
import type { ErrorCode } from "./errors.ts";

/**
 * The grammar of `name.ts` as patterns, for the documents only: the functions that read a parameter give advice, which a
 * pattern cannot. Without look-ahead, which some JSON Schema readers lack. LDH is letters, digits and hyphens.
 */
const LD = "[A-Za-z0-9]";
const LDH = "[A-Za-z0-9-]";
/** Up to four characters; or more, without hyphens in both third and fourth place; or an A-label. */
const LABEL =
  `(?:${LD}(?:${LDH}{0,2}${LD})?|${LD}${LDH}(?:${LD}${LDH}|-${LD})${LDH}{0,58}${LD}|[Xx][Nn]--${LDH}{0,58}${LD})`;
const ETH_LABEL = `(?:${LDH}{3}|${LDH}{2}(?:${LD}${LDH}|-${LD})${LDH}{0,59})`;
const SUFFIX = `(?:${LD}(?:${LDH}{0,61}${LD})?\\.){0,3}(?:[A-Za-z]{2,63}|[Xx][Nn]--${LDH}{1,59})`;

/** A label, lower-cased. */
export function labelParameter() {
  return nameParameter(readLabel, {
    description: "The name without its TLD: letters a-z in any case, digits and hyphens",
    pattern: `^${LABEL}$`,
    examples: ["taken"],
  });
}

/** A label of .eth, lower-cased and without the suffix. */
export function ensLabelParameter() {
  return nameParameter(readEnsLabel, {
    description: "The name, with or without .eth: letters a-z in any case, digits and hyphens",
    pattern: `^${ETH_LABEL}(?:\\.[Ee][Tt][Hh])?$`,
    examples: ["alice"],
  });
}

function nameParameter(read: (text: string) => LabelReading, words: z.core.GlobalMeta) {
  return z.pipe(
    required("missing_parameter", "invalid_name").check(z.meta(words)),
    z.transform((text: string, { issues }) => {
      const reading = read(text);
      if (reading.kind === "label") return reading.label;
      issues.push(invalidIssue("invalid_name", reading.why, text));
      return z.NEVER;
    }),
  );
}

/** A TLD or a public suffix, lower-cased and without its dot; the tables decide whether there is one. */
export function tldParameter() {
  return z.pipe(
    z.string({ error: "unsupported_tld" }).check(
      z.meta({
        description:
          "A TLD or a public suffix such as co.uk, in any case, with or without a leading dot",
        pattern: `^\\.?${SUFFIX}$`,
        examples: ["com"],
      }),
    ),
    z.transform((text: string) => readSuffix(text) ?? text),
  );
}

/** A domain of one label and a TLD, lower-cased. */
export function domainParameter() {
  return z.pipe(
    required("missing_domain", "invalid_domain").check(
      z.meta({
        description: "A name and its TLD or public suffix, without a subdomain",
        pattern: `^${LABEL}\\.${SUFFIX}$`,
        examples: ["example.com"],
      }),
    ),
    z.transform((text: string, { issues }) => {
      const reading = readDomain(text);
      if (reading.kind === "domain") return reading;
      issues.push(invalidIssue("invalid_domain", reading.why, text));
      return z.NEVER;
    }),
  );
}

/** A domain as above, or a .eth name, whose label may be none of a domain. */
export function detailsParameter() {
  return z.pipe(
    required("missing_parameter", "invalid_domain").check(
      z.meta({
        description: "A name and its TLD or public suffix, or a .eth name",
        pattern: `^(?:${LABEL}\\.${SUFFIX}|${ETH_LABEL}\\.[Ee][Tt][Hh])$`,
        examples: ["example.com"],
      }),
    ),
    z.transform((text: string, { issues }) => {
      const reading = readName(text);
      if (reading.kind === "domain") return { label: reading.label, tld: reading.tld };
      issues.push(invalidIssue("invalid_domain", reading.why, text));
      return z.NEVER;
    }),
  );
}

type NameReading =
  | { kind: "domain"; label: string; tld: string }
  | { kind: "refused"; why: string };

function readName(text: string): NameReading {
  if (!/\.eth$/i.test(text)) return readDomain(text);
  const reading = readEnsLabel(text);
  return reading.kind === "label" ? { ...reading, kind: "domain", tld: "eth" } : reading;
}

/** A feed's names at most. */
export const MAX_WATCHED = 20;

/** Names as above with commas between; each is returned once. */
export function watchedParameter() {
  return z.pipe(
    required("missing_parameter", "invalid_domain").check(
      z.meta({
        description: `1 to ${MAX_WATCHED} domains or .eth names, with commas between`,
        examples: ["example.com,example.org"],
      }),
    ),
    z.transform((text: string, { issues }) => {
      const parts = text.split(",", MAX_WATCHED + 1);
      if (parts.length > MAX_WATCHED) {
        const advice = `send at most ${MAX_WATCHED} names`;
        issues.push(invalidIssue("invalid_parameter", advice, text));
        return z.NEVER;
      }
      const names = new Map<string, { label: string; tld: string }>();
      for (const part of parts) {
        const reading = readName(part.trim());
        if (reading.kind === "refused") {
          issues.push(invalidIssue("invalid_domain", reading.why, text));
          return z.NEVER;
        }
        const { label, tld } = reading;
        names.set(`${label}.${tld}`, { label, tld });
      }
      return [...names.values()];
    }),
  );
}

/** How deep a check goes. */
export function depthParameter() {
  return z.pipe(
    z.string({ error: "invalid_parameter" }).check(
      z.meta({
        description:
          "`dns`: ask DNS and the cache only, so a name that is in neither is unknown; the registry too if absent",
        enum: ["dns"],
      }),
    ),
    z.transform((text: string, { issues }) => {
      if (text === "dns") return text;
      const advice = "send depth=dns, or leave depth out to ask the registry too";
      issues.push(invalidIssue("invalid_parameter", advice, text));
      return z.NEVER;
    }),
  );
}

/** Whether rows have the evidence of their witnesses. */
export function evidenceParameter() {
  return z.pipe(
    z.string({ error: "invalid_parameter" }).check(
      z.meta({ description: "`1`: each row has what each witness said", enum: ["1"] }),
    ),
    z.transform((text: string, { issues }) => {
      if (text === "1") return text;
      const advice = "send evidence=1, or leave evidence out";
      issues.push(invalidIssue("invalid_parameter", advice, text));
      return z.NEVER;
    }),
  );
}

/** A required parameter: `missing` if absent or empty, `invalid` if it is not a string. */
function required(missing: ErrorCode, invalid: ErrorCode) {
  return z.string({ error: ({ input }) => input === undefined ? missing : invalid })
    .check(z.minLength(1, { error: missing, abort: true }));
}

/** The issue of an invalid parameter; `advice` says what to send instead. */
export function invalidIssue(code: ErrorCode, advice: string, input: string) {
  return { code: "custom" as const, message: code, params: { advice }, input };
}
