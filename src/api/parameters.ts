/** Schemas of the parameters that a person or a program sends; each issue's message is an error code. */
import * as z from "zod/mini";
import { type LabelReading, readDomain, readEnsLabel, readLabel } from "../rules/name.ts";
import type { ErrorCode } from "./errors.ts";

/** A label, lower-cased. */
export function labelParameter() {
  return nameParameter(readLabel);
}

/** A label of .eth, lower-cased and without the suffix. */
export function ensLabelParameter() {
  return nameParameter(readEnsLabel);
}

function nameParameter(read: (text: string) => LabelReading) {
  return z.pipe(
    required("missing_parameter", "invalid_name"),
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
    z.string({ error: "unsupported_tld" }),
    z.transform((text: string) => text.toLowerCase().replace(/^\./, "")),
  );
}

/** A domain of one label and a TLD, lower-cased. */
export function domainParameter() {
  return z.pipe(
    required("missing_domain", "invalid_domain"),
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

function refusal(code: ErrorCode, advice: string, input: string) {
  return { code: "custom" as const, message: code, params: { advice }, input };
}
