/** Schemas of the parameters that a person or a program sends; each issue's message is an error code. */
import { z } from "zod";
import { readDomain, readLabel } from "../rules/name.ts";
import type { ErrorCode } from "./errors.ts";

/** A parameter that must be there: absent or empty is `missing`, of the wrong form is `invalid`. */
function required(missing: ErrorCode, invalid: ErrorCode) {
  return z.string({ error: ({ input }) => input === undefined ? missing : invalid })
    .min(1, { error: missing, abort: true });
}

/** A label, lower-cased. */
export const labelParameter = () =>
  required("missing_parameter", "invalid_name")
    .transform((text, context) => {
      const reading = readLabel(text);
      if (reading.kind === "label") return reading.label;
      context.addIssue({
        code: "custom",
        message: "invalid_name",
        params: { advice: reading.why },
      });
      return z.NEVER;
    });

/** A TLD as sent, lower-cased and without its dot; whether it is enabled, the table in use knows. */
export const tldParameter = () =>
  z.string({ error: "unsupported_tld" })
    .transform((text) => text.toLowerCase().replace(/^\./, ""));

/** A domain of one label and a TLD, lower-cased. */
export const domainParameter = () =>
  required("missing_domain", "invalid_domain")
    .transform((text, context) => {
      const reading = readDomain(text);
      if (reading.kind === "domain") return reading;
      context.addIssue({
        code: "custom",
        message: "invalid_domain",
        params: { advice: reading.why },
      });
      return z.NEVER;
    });
