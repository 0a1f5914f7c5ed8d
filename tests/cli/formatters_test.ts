import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  COLUMNS,
  createRecordFormatter,
  createSortedFormatter,
  createTextFormatter,
  csvOf,
} from "../../src/cli/formatters.ts";
import { domainRow, ethRow, failedRow, lineOf, type Row } from "../../src/cli/row.ts";
import { sanitize } from "../../src/cli/terminal.ts";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import type { EnsCheckResult } from "../../src/lookup/ens_lookups.ts";
import { recordedTerminal } from "../support/cli.ts";
import { takenRow } from "../support/taken_row.ts";

/** Reads CSV (RFC 4180). */
function parseCsv(text: string): string[][] {
  const cells = text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy);
  const rows: string[][] = [[]];
  for (const [, quoted, bare, end] of cells) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare ?? "");
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

const STATUS = {
  available: ["undelegated", "inactive"],
  taken: ["active"],
  unknown: ["unknown"],
} as const;

/** A row as the service finds it. */
function found(
  domain: string,
  state: keyof typeof STATUS,
  more: Partial<DomainResult> = {},
  quote?: Parameters<typeof domainRow>[1],
): Row {
  const dot = domain.indexOf(".");
  const result = {
    ...takenRow(domain.slice(0, dot), domain.slice(dot + 1)),
    state,
    available: state === "available",
    status: STATUS[state],
    responseMs: 7,
    ...(state === "unknown" && { error: "the registry\x1b[2J is busy" }),
    ...more,
  } as DomainResult;
  return domainRow(result, quote);
}

const likelyAvailable = (domain: string) => found(domain, "unknown", { likely: "available" });
const OFFER = { registrar: "Shop\x1b[2J", price: 28.12, renewal: 51.8, premium: false, years: 2 };
const BUSY = "the registry\uFFFD[2J is busy";

const now = () => 0;

Deno.test("lineOf() shows a registrar's price without control characters, and what an unknown name most likely is", () => {
  const line = (row: Row, colour = false) => lineOf(row, { colour, width: 0, now: 0 });
  // deno-fmt-ignore -- a table
  const cases: [Row, string][] = [
    [found("x.com", "available", { offer: OFFER }), "✓ Available  x.com  not in the registry · $28.12 for 2 years at Shop\uFFFD[2J, then $51.80 a year · 7 ms"],
    [found("x.com", "taken", { source: "dns+cache" }), "✗ Taken      x.com  found in DNS · from the cache"],
    [found("x.com", "unknown"), `? Unknown    x.com  ${BUSY}`],
    [likelyAvailable("x.com"), `≈ Probably available  x.com  ${BUSY}`],
    [found("x.com", "unknown", { likely: "taken" }), `≉ Probably taken  x.com  ${BUSY}`],
  ];
  for (const [row, text] of cases) assertEquals(line(row), text);
  const start = "\x1b[94m≈ Probably available\x1b[0m";
  assertEquals(line(likelyAvailable("x.com"), true).slice(0, start.length), start);
});

Deno.test("createRecordFormatter() writes CSV with a header: lists joined by spaces, missing values empty", async () => {
  const { write, written } = recordedTerminal();
  const { add, end } = createRecordFormatter("csv", write);
  const request = { label: "x", tlds: ["com"] };
  await add(request, found("x.com", "taken"));
  await add(request, likelyAvailable("y.com"));
  await end("sum");
  assertEquals(
    written.out,
    "domain,state,reason,firstYearUsd,renewalUsd,threeYearsUsd,checkedAt\r\n" +
      "x.com,taken,,,,,2026-01-01T00:00:00.000Z\r\n" +
      `y.com,unknown,${BUSY},,,,2026-01-01T00:00:00.000Z\r\n`,
  );
});

Deno.test("csvOf() writes the chosen columns in their order, and what three years cost by offer, price list or .eth length", () => {
  const more = { unicode: "é.com", reason: "a, b", retryAfter: 9, offer: OFFER };
  const columns = ["firstYearUsd", "retryAfter", "reason", "unicode", "tld", "status"] as const;
  const chosen = csvOf(found("x.com", "available", more), columns);
  assertEquals(chosen, '14.06,9,"a, b",é.com,com,undelegated inactive\r\n');
  const price = { wei: "2000000000002233", eth: "0.002000000000002233", usdEstimate: 5 } as const;
  const times = { responseMs: 7, source: "rpc", checkedAt: "2026-11-21T12:00:00.000Z" } as const;
  type Found = Omit<EnsCheckResult, "name" | keyof typeof times>;
  const eth = (name: string, found: Found) => ethRow(name, { name, ...found, ...times });
  const quote = { register: 11.08, renew: 11.08, years: 1 };
  // deno-fmt-ignore -- a table
  const rows: [Row, string][] = [
    [found("a.com", "available", {}, quote), "a.com,available,false,,,33.24"],
    [found("b.com", "available", { offer: OFFER }, quote), "b.com,available,false,,,79.92"],
    [found("c.com", "available"), "c.com,available,false,,,"],
    [eth("held.eth", { available: false, owner: "0x12", resolver: "0x34" }), "held.eth,taken,false,0x12,,"],
    [eth("free.eth", { available: true, registrationPrice: price }), "free.eth,available,false,,0.002000000000002233,15"],
    [eth("just.eth", { available: true, registrationPrice: { ...price, premiumWei: "1" } }), "just.eth,premium,true,,0.002000000000002233,"],
  ];
  const prices = ["domain", "state", "premium", "owner", "priceEth", "threeYearsUsd"] as const;
  for (const [row, text] of rows) assertEquals(csvOf(row, prices).trimEnd(), text);
});

Deno.test("csvOf() can be parsed with any text in an error, without formulas and control characters", () => {
  const errorOf = (error: string) => {
    const [row = []] = parseCsv(csvOf(failedRow("x.com", error), COLUMNS));
    assertEquals(row.length, COLUMNS.length);
    return row[COLUMNS.indexOf("reason")];
  };
  fc.assert(fc.property(fc.string({ unit: "binary" }), (error) => {
    const cell = errorOf(error);
    assertEquals(cell === sanitize(error) || cell === `'${sanitize(error)}`, true);
  }));
  for (const start of ["=", "+", "-", "@", "＝", "＋", "－", "＠"]) {
    const error = `${start}HYPERLINK("https://evil.example","x")`;
    assertEquals(errorOf(error), `'${error}`);
  }
  const cleaned = errorOf("a\x1b]0;b\x07\x9b2J\u202ec\t=\r\nd\0");
  assertEquals(cleaned, "a?]0;b??2J?c?=??d?".replaceAll("?", "\uFFFD"));
});

const request = (label: string, ...tlds: string[]) => ({ label, tlds });

Deno.test("createTextFormatter() writes a line for each finished name: icons of all TLDs in their places, and reasons", async () => {
  const { write, written } = recordedTerminal();
  const { add, finish, end } = createTextFormatter(write, { colour: false, layout: "names", now });
  const longer = "a-name-of-25-characters-x";
  const [a, b] = [request("a", "com", "io"), request(longer, "com", "io", "me")];
  const [c, d] = [request("c", "dev"), request("d", "com", "io")];
  await add(b, found(`${longer}.me`, "taken"));
  await add(b, likelyAvailable(`${longer}.io`));
  await add(a, found("a.io", "unknown"));
  await add(a, found("a.com", "available"));
  assertEquals(written.out, "");
  await add(c, found("c.dev", "taken"));
  await finish(c);
  await finish(a);
  // With --available a name may be left without rows.
  await finish(d);
  await end("sum");
  assertEquals(written.out.split("\n"), [
    `✗ Taken      ${"c.dev".padEnd(24)}  found in DNS · 7 ms`,
    `${"a".padEnd(24)}  ✓ .com  ? .io  .io: ${BUSY}`,
    // What stands beside a longer name moves to the right.
    `${longer}          ≈ .io  ✗ .me  .io: ${BUSY}`,
    "",
    "sum",
    "",
  ]);
  written.out = "";
  const coloured = createTextFormatter(write, { colour: true, layout: "names", now });
  await coloured.add(a, found("a.com", "taken"));
  await coloured.finish(a);
  assertEquals(written.out, `${"a".padEnd(24)}  \x1b[31m✗ .com\x1b[0m\n`);
});

Deno.test("createTextFormatter() shows each of several names with its rows, also of one that is not finished at the end", async () => {
  const { write, written } = recordedTerminal();
  const layout = { colour: false, layout: "groups", now } as const;
  const { add, finish, end } = createTextFormatter(write, layout);
  const [a, b, c] = [request("a", "com", "net"), request("b", "org", "dev"), request("c", "me")];
  await add(a, found("a.net", "taken"));
  await add(b, found("b.dev", "taken"));
  await add(c, found("c.me", "taken"));
  await add(a, found("a.com", "taken"));
  await finish(a);
  await end("sum");
  const lines = written.out.replaceAll(/✗ Taken +| +found in DNS · 7 ms/g, "").split("\n");
  assertEquals(lines, ["c.me", "", "a", "  a.net", "  a.com", "", "b", "  b.dev", "", "sum", ""]);
  written.out = "";
  const coloured = createTextFormatter(write, { ...layout, colour: true });
  await coloured.add(a, found("a.net", "taken"));
  await coloured.finish(a);
  assertEquals(written.out.split("  ", 1), ["\x1b[1ma\x1b[0m\n"]);
});

Deno.test("createSortedFormatter() passes the rows on at the end, by name, state or TLD", async () => {
  const rows = [
    found("b.io", "taken"),
    found("b.com", "available"),
    found("a.io", "unknown"),
    found("a.com", "taken"),
    found("ab.com", "available"),
    likelyAvailable("0.com"),
    found("a.co.uk", "taken"),
  ];
  const sorted = async (order: "name" | "state" | "tld") => {
    const { write, written } = recordedTerminal();
    const inner = createRecordFormatter("csv", write, ["domain"]);
    const { add, end } = createSortedFormatter(inner, order);
    for (const row of rows) await add(request("x", "com", "io"), row);
    assertEquals(written.out, "");
    await end("sum");
    return written.out.trim().split("\r\n").slice(1).join(" ");
  };
  assertEquals(await sorted("name"), "0.com a.co.uk a.com a.io ab.com b.com b.io");
  assertEquals(await sorted("state"), "ab.com b.com a.co.uk a.com b.io 0.com a.io");
  assertEquals(await sorted("tld"), "a.co.uk 0.com a.com ab.com b.com a.io b.io");
  const { write, written } = recordedTerminal();
  await createSortedFormatter(createRecordFormatter("json", write), "name").end("");
  assertEquals(written.out, "[\n\n]\n");
});
