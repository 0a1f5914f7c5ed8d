import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  FAULT_PAUSE_MS,
  type Quote,
  type QuoteReading,
  readNamecomQuotes,
  readPorkbunQuotes,
  type ReadQuotes,
} from "../../src/rules/readers/registrar_reply.ts";

const NOW = 1_000_000;
const READERS = {
  porkbun: readPorkbunQuotes,
  namecom: readNamecomQuotes,
} satisfies Record<string, ReadQuotes>;

function read(reader: ReadQuotes, body: unknown, { status = 200, headers }: ResponseInit = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return reader({ status, headers: new Headers(headers), body: text }, NOW);
}

/** The quote without its words. */
function quoteOf(reading: QuoteReading, domain = "new.io"): Quote | undefined {
  const quote = reading.kind === "quotes" ? reading.quotes.get(domain) : undefined;
  if (quote === undefined) return undefined;
  const { said: _, ...rest } = quote;
  return rest;
}

const porkbun = (entry: unknown) =>
  quoteOf(read(readPorkbunQuotes, { status: "SUCCESS", domains: { "New.io": entry } }));
const namecom = (entry: object) =>
  quoteOf(read(readNamecomQuotes, { results: [null, { domainName: "new.io", ...entry }] }));
const sells = (offer: object): Quote => ({ kind: "sells", offer: offer as never });
const SOLD = {
  avail: "yes",
  type: "registration",
  price: "28.12",
  firstYearPromo: "no",
  regularPrice: "28.12",
  premium: "no",
  minDuration: 1,
  additional: { renewal: { price: "51.80", regularPrice: "51.80" } },
};
const REFUSES: Quote = { kind: "refuses" };
const NO_PRICE: Quote = { kind: "failed", why: "its price is not readable" };
const NOT_SOLD: Quote = { kind: "failed", why: "it does not sell names of the TLD" };
const CANNOT_CHECK = "it cannot check the name now, or does not sell the TLD";
const NOT_CHECKABLE: Quote = { kind: "failed", why: CANNOT_CHECK };
const NOT_CHECKED: Quote = { kind: "failed", why: "it did not check the name" };

Deno.test("readPorkbunQuotes() reads price, renewal, premium and term", () => {
  const io = { price: 28.12, renewal: 51.8, premium: false, years: 1 };
  // deno-fmt-ignore -- a table
  const cases: [unknown, Quote][] = [
    [SOLD, sells(io)],
    [{ ...SOLD, premium: "yes", price: "2450.00" }, sells({ ...io, price: 2450, premium: true })],
    [{ ...SOLD, additional: { renewal: "51.80" } }, sells({ price: 28.12, premium: false, years: 1 })],
    // Two years at least: both are paid; a promotional price is for the first.
    [{ ...SOLD, minDuration: 2 }, sells({ ...io, price: 56.24, years: 2 })],
    [{ ...SOLD, minDuration: 2, firstYearPromo: "yes", price: "10.00" }, sells({ ...io, price: 38.12, years: 2 })],
    [{ ...SOLD, minDuration: 2, price: "10", regularPrice: "99" }, sells({ ...io, price: 20, years: 2 })],
    [{ ...SOLD, premium: "?" }, sells({ price: 28.12, renewal: 51.8, years: 1 })],
    [{ ...SOLD, minDuration: 0, premium: "yes" }, { kind: "premium" }],
    [{ ...SOLD, price: null, premium: "yes" }, { kind: "premium" }],
  ];
  for (const [entry, quote] of cases) assertEquals(porkbun(entry), quote, JSON.stringify(entry));
});

Deno.test("readPorkbunQuotes() returns a refusal for any entry but a yes, and no price that it cannot read", () => {
  for (const avail of ["no", "maybe", true, false, "No", "reserved", undefined]) {
    assertEquals(porkbun({ ...SOLD, avail }), REFUSES, `${avail}`);
  }
  for (const entry of [null, "yes", 1, true]) assertEquals(porkbun(entry), REFUSES);
  for (const type of ["transfer", "renewal"]) {
    assertEquals(porkbun({ ...SOLD, type }), REFUSES, type);
  }
  for (const minDuration of [0, 1.5, 11, "1"]) {
    assertEquals(porkbun({ ...SOLD, minDuration }), NO_PRICE);
  }
  for (const price of ["1e3", " 12", ["12"], true, "-1", "0.00", "99999999", ""]) {
    assertEquals(porkbun({ ...SOLD, price }), NO_PRICE);
  }
  assertEquals(porkbun({ ...SOLD, price: "?", firstYearPromo: "yes" }), NO_PRICE);
  assertEquals(porkbun({ ...SOLD, firstYearPromo: "yes", regularPrice: "?" }), NO_PRICE);
});

Deno.test("readPorkbunQuotes() returns failed for domains that were not checked, and a quote quotes its entry, cut at 200 characters, and no other part of the reply", () => {
  const reading = read(readPorkbunQuotes, {
    status: "SUCCESS",
    echo: "the key",
    domains: {
      "new.io": SOLD,
      "a.io": { avail: "no\u200b\n" },
      "b.io": { long: "x".repeat(300) },
      "e.io.": { avail: "no" },
      " bücher.io": { avail: "no" },
    },
    unresolved: ["slow.io", 7],
    invalid: [{ domain: "c.nonsense", reason: "Unsupported TLD." }, { domain: "d.io" }, null],
  });
  assertEquals(quoteOf(reading)?.kind, "sells");
  assertEquals(quoteOf(reading, "slow.io"), NOT_CHECKED);
  assertEquals(quoteOf(reading, "c.nonsense"), NOT_SOLD);
  for (const name of ["d.io", "e.io", "xn--bcher-kva.io"]) {
    assertEquals(quoteOf(reading, name), REFUSES, name);
  }
  assertEquals(quoteOf(reading, "other.io"), undefined);
  const quoted = (reading: QuoteReading, domain: string) =>
    reading.kind === "quotes" && reading.quotes.get(domain)?.said;
  const said = ["a.io", "b.io", "d.io", "slow.io"].map((domain) => quoted(reading, domain));
  const long = `{"long":"${"x".repeat(190)}…`;
  assertEquals(said, ['{"avail":"no\\n"}', long, '{"domain":"d.io"}', undefined]);
  const entry = { domainName: "a.io", purchasable: false };
  const namecom = read(readNamecomQuotes, { echo: "the key", results: [entry] });
  assertEquals(quoted(namecom, "a.io"), JSON.stringify(entry));
});

Deno.test("readNamecomQuotes() reads price and premium, and no renewal, whose time it does not tell", () => {
  // deno-fmt-ignore -- a table
  const cases: [object, Quote][] = [
    [{ purchasable: true, premium: false, purchasePrice: 39.99, purchaseType: "registration", renewalPrice: 60 }, sells({ price: 39.99, premium: false })],
    [{ purchasable: true, purchasePrice: 39.999 }, sells({ price: 40 })],
    [{ purchasable: true, premium: true, purchasePrice: 2450 }, sells({ price: 2450, premium: true })],
    [{ purchasable: true, premium: true }, { kind: "premium" }],
    [{ purchasable: true }, NO_PRICE],
    [{ purchasable: true, purchasePrice: 0.009 }, NO_PRICE],
    [{ purchasable: true, purchasePrice: 0.01 }, sells({ price: 0.01 })],
    [{ purchasable: true, purchasePrice: 1e7 + 1 }, NO_PRICE],
    [{ purchasable: true, purchasePrice: 5, purchaseType: "aftermarket" }, REFUSES],
    [{ purchasable: true, purchasePrice: 5, reason: "Reserved by the TLD registry" }, REFUSES],
    [{ purchasable: true, purchasePrice: 5, premium: "yes" }, sells({ price: 5 })],
  ];
  for (const [entry, quote] of cases) assertEquals(namecom(entry), quote, JSON.stringify(entry));
  assertEquals(read(readNamecomQuotes, {}), { kind: "quotes", quotes: new Map() });
});

Deno.test("readNamecomQuotes() returns a refusal unless the whole reason says that it cannot check the name", () => {
  const refusals = [
    undefined,
    "Reserved by the TLD registry",
    "extension.io is unavailable at this time",
    "Extension not supported.com is reserved",
    "Reserved: unsupported TLD",
    "Unsupported TLD.com is reserved",
  ];
  for (const reason of refusals) assertEquals(namecom({ purchasable: false, reason }), REFUSES);
  assertEquals(namecom({ purchasable: "no", reason: "TLD not supported" }), REFUSES);
  const others = [
    "The registry is in maintenance",
    "TLD not supported",
    "This extension is currently unavailable at this time.",
    "Unsupported TLD",
  ];
  for (const reason of others) assertEquals(namecom({ purchasable: false, reason }), NOT_CHECKABLE);
});

Deno.test("every reader returns a refusal for a name that stands in a reply twice, in any letter case", () => {
  const yes = { ...SOLD, purchasable: true, purchasePrice: 28.12 };
  const domains = { "new.io": yes, "New.io": yes };
  const results = ["new.io", "NEW.io", "new.io"].map((domainName) => ({ ...yes, domainName }));
  assertEquals(quoteOf(read(readPorkbunQuotes, { status: "SUCCESS", domains })), REFUSES);
  assertEquals(quoteOf(read(readNamecomQuotes, { results })), REFUSES);
  const invalid = [{ domain: "new.io", reason: "Unsupported TLD." }];
  const both = { status: "SUCCESS", domains: { "new.io": yes }, invalid };
  assertEquals(quoteOf(read(readPorkbunQuotes, both)), REFUSES);
});

Deno.test("every reader takes a limit's pause from Retry-After, at least a second and at most an hour, and else of a minute", () => {
  const pauseMs = (reader: ReadQuotes, headers: Record<string, string>) => {
    const reading = read(reader, "slow down", { status: 429, headers });
    return reading.kind === "failed" && reading.isLimited ? reading.pauseMs : undefined;
  };
  for (const [name, reader] of Object.entries(READERS)) {
    for (const [seconds, ms] of [["7", 7_000], ["0", 1_000], ["999999", 60 * 60_000]] as const) {
      assertEquals(pauseMs(reader, { "retry-after": seconds }), ms, name);
    }
    assertEquals(pauseMs(reader, {}), 60_000, name);
  }
  const limited = read(readPorkbunQuotes, { status: "ERROR", code: "RATE_LIMIT_EXCEEDED" });
  assertEquals(limited.kind === "failed" && limited.isLimited, true);
});

// deno-fmt-ignore -- a table
const FAILURES: [reader: ReadQuotes, body: object, status: number, why: string, pauseMs: number][] = [
  [readPorkbunQuotes, { status: "ERROR", code: "INVALID_API_KEYS_001" }, 400, "it does not accept the key", 600_000],
  [readNamecomQuotes, { message: "Unauthorized" }, 401, "it does not accept the key", 600_000],
  [readNamecomQuotes, { message: "Permission denied" }, 403, "it does not accept the key", 600_000],
  [readPorkbunQuotes, { status: "ERROR", code: "BULK_CHECK_TOO_SLOW" }, 400, "it refused the request", 0],
  [readNamecomQuotes, { message: "Unprocessable Entity" }, 422, "it does not sell names of the TLD", 0],
];

Deno.test("every reader pauses after a wrong key and a reply that is not what its API sends, and not after a batch that the API refuses", () => {
  for (const [reader, body, status, why, pauseMs] of FAILURES) {
    assertEquals(read(reader, body, { status }), { kind: "failed", why, pauseMs });
  }
  const why = "its answer is not readable";
  const unreadable = { kind: "failed", why, pauseMs: FAULT_PAUSE_MS } as const;
  const others = ["", "<html>", "null", "7", { results: {} }];
  for (const body of others) assertEquals(read(readNamecomQuotes, body), unreadable, `${body}`);
  for (const body of [...others, "[]", {}, { status: "SUCCESS" }]) {
    assertEquals(read(readPorkbunQuotes, body), unreadable, `${body}`);
  }
  for (const [name, reader] of Object.entries(READERS)) {
    for (const status of [302, 400, 404, 500, 503]) {
      const reading = read(reader, status === 500 ? { status: "ERROR" } : "<html>", { status });
      assertEquals(reading.kind === "failed" && reading.why, `it answered ${status}`, name);
    }
  }
});

Deno.test("no reader throws, or returns a price that is not one, with any JSON", () => {
  const [price, premium] = [fc.oneof(fc.string(), fc.double()), fc.constantFrom("yes", "no", true)];
  const years = fc.oneof(fc.integer(), fc.constant(1));
  const known = fc.record({ price, premium, minDuration: years, purchasePrice: fc.double() })
    .map((facts) => ({ ...SOLD, domainName: "new.io", purchasable: true, ...facts }));
  const body = fc.oneof(fc.jsonValue(), known)
    .map((one) => ({ status: "SUCCESS", domains: { "new.io": one }, results: [one] }));
  const status = fc.constantFrom(200, 203, 400, 401, 422, 429, 500);
  fc.assert(fc.property(fc.oneof(fc.jsonValue(), body), status, (body, status) => {
    for (const reader of Object.values(READERS)) {
      const reading = read(reader, body, { status });
      if (reading.kind === "failed") {
        assert(reading.pauseMs >= 0 && reading.pauseMs <= 60 * 60_000);
        continue;
      }
      for (const quote of reading.quotes.values()) {
        if (quote.kind !== "sells") continue;
        const { price, renewal = 1, years = 1 } = quote.offer;
        assert(price >= 0.01 && price <= 1e8 && renewal >= 0 && renewal <= 1e7);
        assert(Number.isInteger(years) && years >= 1 && years <= 10);
      }
    }
  }));
});

Deno.test("readPorkbunQuotes() and readNamecomQuotes() take no yes of an entry that says no besides", () => {
  const doubled = JSON.stringify({ status: "SUCCESS", domains: { "new.io": SOLD } })
    .replace('"avail":"yes"', '"avail":"no","avail":"yes"');
  assertEquals(quoteOf(read(readPorkbunQuotes, doubled))?.kind === "sells", false);
  for (const reason of [["Reserved"], { code: 3 }, 17]) {
    assertEquals(namecom({ purchasable: true, purchasePrice: 10, reason }), REFUSES);
  }
});
