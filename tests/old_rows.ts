/** `deno task old_rows`: the rows on TLDs whose source is older than a year, the oldest first. */
import { allTlds, coverageOf } from "../src/rules/coverage.ts";

const YEAR_MS = 365 * 24 * 60 * 60_000;

const rows = allTlds().map((tld) => coverageOf(tld).facts);
const old = rows.filter(({ checkedOn }) => Date.parse(checkedOn) < Date.now() - YEAR_MS)
  .toSorted((a, b) => (a.checkedOn < b.checkedOn ? -1 : 1));
const text = old.map(({ suffix, coverage, checkedOn, source }) =>
  `${checkedOn} ${suffix} ${coverage}: ${source}\n`
);
const count = `${old.length} of ${rows.length} rows are older than a year\n`;
Deno.stdout.writeSync(new TextEncoder().encode([...text, count].join("")));
