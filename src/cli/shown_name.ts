import { domainToUnicode } from "node:url";
import { toAsciiName } from "../rules/name.ts";
import { sanitize } from "./terminal.ts";

/** A label or a domain as it is shown: of an internationalised one both forms, such as `café.com (xn--caf-dma.com)`. */
export function shownName(name: string): string {
  if (!name.includes("xn--")) return name;
  const unicode = domainToUnicode(name);
  // What does not convert back is no A-label.
  return unicode !== name && toAsciiName(unicode) === name
    ? `${sanitize(unicode)} (${name})`
    : name;
}
