/** Schemas of the parameters that a person or a program sends; each issue's message is an error code. */
import * as z from "zod/mini";
import { type LabelReading, readDomain, readEnsLabel, readLabel, readTld } from "../rules/name.ts";
import type { ErrorCode } from "./errors.ts";

/**
 * The grammar of `name.ts` as patterns, for the documents only: what reads a parameter gives advice, which a pattern
 * cannot. Without look-ahead, which not every reader of JSON Schema knows. LDH is letters, digits and hyphens.
 */
const LD = "[A-Za-z0-9]";
const LDH = "[A-Za-z0-9-]";
/** Up to four characters; or more, of which the third and the fourth are not both hyphens; or an A-label. */
const LABEL =
  `(?:${LD}(?:${LDH}{0,2}${LD})?|${LD}${LDH}(?:${LD}${LDH}|-${LD})${LDH}{0,58}${LD}|[Xx][Nn]--${LDH}{0,58}${LD})`;
const ETH_LABEL = `(?:${LDH}{3}|${LDH}{2}(?:${LD}${LDH}|-${LD})${LDH}{0,59})`;
const TLD = `(?:[A-Za-z]{2,63}|[Xx][Nn]--${LDH}{1,59})`;

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
      issues.push(refusal("invalid_name", reading.why, text));
      return z.NEVER;
    }),
  );
}

/** A TLD as sent, lower-cased and without its dot; whether it is enabled, the table in use knows. */
export function tldParameter() {
  return z.pipe(
    z.string({ error: "unsupported_tld" }).check(
      z.meta({
        description: "A TLD of /tlds, in any case, with or without its leading dot",
        pattern: `^\\.?${TLD}$`,
        examples: ["com"],
      }),
    ),
    z.transform((text: string) => readTld(text) ?? text),
  );
}

/** A domain of one label and a TLD, lower-cased. */
export function domainParameter() {
  return z.pipe(
    required("missing_domain", "invalid_domain").check(
      z.meta({
        description: "A name and its TLD, nothing deeper",
        pattern: `^${LABEL}\\.${TLD}$`,
        examples: ["example.com"],
      }),
    ),
    z.transform((text: string, { issues }) => {
      const reading = readDomain(text);
      if (reading.kind === "domain") return reading;
      issues.push(refusal("invalid_domain", reading.why, text));
      return z.NEVER;
    }),
  );
}

/** A parameter that must be there: absent or empty is `missing`, of the wrong form is `invalid`. */
function required(missing: ErrorCode, invalid: ErrorCode) {
  return z.string({ error: ({ input }) => input === undefined ? missing : invalid })
    .check(z.minLength(1, { error: missing, abort: true }));
}

/** The issue of a parameter that is not what it should be, with what to send instead. */
export function refusal(code: ErrorCode, advice: string, input: string) {
  return { code: "custom" as const, message: code, params: { advice }, input };
}
