import { REGISTRIES } from "./registries.ts";

/** TLDs and their servers, as RFC 9224 has them. */
type Service = readonly [tlds: readonly string[], urls: readonly string[]];

/** A table in IANA's form that lists these servers alone. */
export function tableOf(services: Iterable<Service>, publication = "2026-09-30T23:00:03Z"): string {
  return JSON.stringify({ publication, services: [...services], version: "1.0" });
}

/**
 * The table for the lab, in which some TLDs may have `moved` to another base: bases are `http://<host>/<path>/`. Unlike IANA's
 * it lists `io` and `me`: the service pins these to https, which the lab does not support.
 */
export function ianaTable(moved: Readonly<Record<string, string>> = {}): string {
  const listed = REGISTRIES.flatMap(({ host, bases }) =>
    Object.entries(bases).map(([tld, path]) => ({
      tld,
      base: moved[tld] ?? `http://${host}${path}`,
    }))
  );
  const services = Map.groupBy(listed, ({ base }) => base).entries().map(
    ([base, rows]): Service => [rows.map(({ tld }) => tld), [base]],
  );
  return tableOf(services);
}
