/**
 * Reads what a WHOIS record says about the registration. Such a record is free text and holds names, addresses and telephone
 * numbers of people, so that nothing is copied as it is: dates, words of a table, host names, one flag; and the registrar's name
 * from its own field.
 */
import type { RegistryDetails } from "./registry_details.ts";
import { hostName, isoDate, registrarName, statusWords } from "./registry_details.ts";
import { fieldsOf, RECORD_KEYS } from "./whois_reply.ts";

/** Reads a record; what is missing, ambiguous or unreadable is left out. */
export function readWhoisDetails(text: string): RegistryDetails {
  const fields = fieldsOf(text);
  const valuesOf = (kind: string) =>
    fields.filter(({ key }) => (RECORD_KEYS.get(key) ?? key) === kind).map(({ value }) => value);
  const firstOf = <Value>(kind: string, read: (value: string) => Value | undefined) =>
    valuesOf(kind).map(read).find((value) => value !== undefined);
  // A section's title may have a field below it.
  const registrar = firstOf(
    "registrar",
    (text) => text.includes(":") ? undefined : registrarName(text),
  );
  const created = firstOf("created", dateOf);
  const expires = firstOf("expires", dateOf);
  const updatedAt = firstOf("updated", dateOf);
  const isPossible = created === undefined || expires === undefined || created <= expires;
  const [createdAt, expiresAt] = isPossible ? [created, expires] : [];
  const dnssec = firstOf("dnssec", (value) => SIGNED.get(value.toLowerCase()));
  const status = ["status", "domain status"].flatMap(valuesOf)
    .flatMap((value) => value.replace(/https?:[^]*/, "").split(","));
  return {
    ...(registrar !== undefined && { registrar: { name: registrar } }),
    ...(createdAt !== undefined && { createdAt }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(expiresAt !== undefined && { expiresAt }),
    status: statusWords(status),
    nameServers: [
      ...new Set(valuesOf("servers").flatMap((value) => hostName(value.split(/\s/, 1)[0]) ?? [])),
    ],
    ...(dnssec !== undefined && { dnssec }),
  };
}

/** What registries write for a signed delegation, and for one that is not. */
const SIGNED: ReadonlyMap<string, boolean> = new Map([
  ["signeddelegation", true],
  ["signed delegation", true],
  ["signed", true],
  ["yes", true],
  ["active", true],
  ["unsigned", false],
  ["unsigned delegation", false],
  ["no", false],
  ["inactive", false],
]);

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Year, month and day, by which the time may follow; the month by number or name. */
const YEAR_FIRST = /^(\d{4})[-/. ]{1,2}(\d{1,2}|[a-z]{3})[a-z]*[-/. ]{1,2}(\d{1,2})(?!\d)/i;
/** Day, month and year. */
const DAY_FIRST =
  /^(?:[a-z]{3},? )?(\d{1,2})([-/. ])\s?(\d{1,2}|[a-z]{3})[a-z]*[-/. ]\s?(\d{4})(?!\d)/i;
const DIGITS = /^(\d{4})(\d\d)(\d\d)(?!\d)/;

/** The day or the time of a text; undefined if it may mean two days. */
function dateOf(text: string): string | undefined {
  const whole = isoDate(
    text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?: ?(Z|UTC))?.*$/, "$1T$2Z"),
  );
  if (whole !== undefined) return whole;
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? DIGITS.exec(text) ?? [];
  if (year !== undefined) return dayOf(year, month, day);
  const [, first, sign, second, last] = DAY_FIRST.exec(text) ?? [];
  // 3/4/2027 is in April or in March; with points and names the day comes first everywhere.
  const isClear = sign === "." || Number.isNaN(Number(second)) || Number(first) > 12 ||
    first === second;
  return isClear ? dayOf(last, second, first) : undefined;
}

function dayOf(year = "", month = "", day = ""): string | undefined {
  const number = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1 || Number(month);
  return isoDate([year, `${number}`.padStart(2, "0"), day.padStart(2, "0")].join("-"));
}
