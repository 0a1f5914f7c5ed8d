/** Schemas of the parameters that a person or a program sends; each issue's message is an error code. */
import * as z from "zod/mini";
import { type LabelReading, readDomain, readEnsLabel, readLabel, readTld } from "../rules/name.ts";
import type { ErrorCode } from "./errors.ts";

/** A label, lower-cased. */
export function labelParameter() {
  return nameParameter(readLabel, {
    description: "The name without its TLD: letters a-z in any case, digits and hyphens",
    pattern: "^[A-Za-z0-9-]{1,63}$",
    examples: ["taken"],
  });
}

/** A label of .eth, lower-cased and without the suffix. */
export function ensLabelParameter() {
  return nameParameter(readEnsLabel, {
    description: "The name, with or without .eth: letters a-z in any case, digits and hyphens",
    pattern: "^[A-Za-z0-9-]{3,63}(?:\\.[Ee][Tt][Hh])?$",
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
      z.meta({ description: "A TLD that can be checked, in any case", examples: ["com"] }),
    ),
    z.transform((text: string) => readTld(text) ?? text),
  );
}

/** A domain of one label and a TLD, lower-cased. */
export function domainParameter() {
  return z.pipe(
    required("missing_domain", "invalid_domain").check(
      z.meta({ description: "A name and its TLD, nothing deeper", examples: ["example.com"] }),
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
