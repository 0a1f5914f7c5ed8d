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

function read(
  reader: ReadQuotes,
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): QuoteReading {
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
const NOT_CHECKABLE: Quote = {
  kind: "failed",
  why: "it cannot check the name now, or does not sell the TLD",
};
const NOT_CHECKED: Quote = { kind: "failed", why: "it did not check the name" };

Deno.test("readPorkbunQuotes() reads price, renewal, premium and term", () => {
  const io = { price: 28.12, renewal: 51.8, premium: false, years: 1 };
  // deno-fmt-ignore -- a table
  const cases: [unknown, Quote][] = [
    [SOLD, sells(io)],
    [{ ...SOLD, premium: "yes", price: "2450.00" }, sells({ ...io, price: 2450, premium: true })],
    [{ ...SOLD, additional: undefined }, sells({ price: 28.12, premium: false, years: 1 })],
    [{ ...SOLD, additional: { renewal: "51.80" } }, sells({ price: 28.12, premium: false, years: 1 })],
    // Two years at least: both are paid; a promotional price is for the first.
    [{ ...SOLD, minDuration: 2 }, sells({ ...io, price: 56.24, years: 2 })],
    [{ ...SOLD, minDuration: 2, firstYearPromo: "yes", price: "10.00" }, sells({ ...io, price: 38.12, years: 2 })],
    [{ ...SOLD, minDuration: 2, price: "10", regularPrice: "99" }, sells({ ...io, price: 20, years: 2 })],
    [{ ...SOLD, minDuration: 10 }, sells({ ...io, price: 281.2, years: 10 })],
    [{ ...SOLD, avail: "no" }, { kind: "refuses" }],
    [{ avail: "no" }, { kind: "refuses" }],
    [{ ...SOLD, avail: "maybe" }, REFUSES],
    [{ ...SOLD, avail: true }, REFUSES],
    [{ ...SOLD, avail: false }, REFUSES],
    [{ ...SOLD, avail: "No" }, REFUSES],
    [{ ...SOLD, avail: "reserved" }, REFUSES],
    [{ ...SOLD, avail: undefined }, REFUSES],
    [{ ...SOLD, premium: undefined }, sells({ price: 28.12, renewal: 51.8, years: 1 })],
    [{ ...SOLD, premium: "?" }, sells({ price: 28.12, renewal: 51.8, years: 1 })],
    [{ ...SOLD, minDuration: 0 }, NO_PRICE],
    [{ ...SOLD, minDuration: 1.5 }, NO_PRICE],
    [{ ...SOLD, minDuration: 11 }, NO_PRICE],
    [{ ...SOLD, minDuration: "1" }, NO_PRICE],
    [{ ...SOLD, minDuration: 0, premium: "yes" }, { kind: "premium" }],
    [{ ...SOLD, price: "1e3" }, NO_PRICE],
    [{ ...SOLD, price: " 12" }, NO_PRICE],
    [{ ...SOLD, price: ["12"] }, NO_PRICE],
    [{ ...SOLD, price: true }, NO_PRICE],
    [{ ...SOLD, price: "?", firstYearPromo: "yes" }, NO_PRICE],
    [{ ...SOLD, price: "-1" }, NO_PRICE],
    [{ ...SOLD, price: "0.00" }, NO_PRICE],
    [{ ...SOLD, price: "99999999" }, NO_PRICE],
    [{ ...SOLD, price: "" }, NO_PRICE],
    [{ ...SOLD, price: null, premium: "yes" }, { kind: "premium" }],
    [{ ...SOLD, firstYearPromo: "yes", regularPrice: "?" }, NO_PRICE],
  ];
  for (const [entry, quote] of cases) assertEquals(porkbun(entry), quote, JSON.stringify(entry));
});

Deno.test("readPorkbunQuotes() returns a refusal for an entry that is no object", () => {
  assertEquals([null, "yes", 1, true].map(porkbun), Array(4).fill(REFUSES));
});

Deno.test("readPorkbunQuotes() returns failed for domains that were not checked", () => {
  const reading = read(readPorkbunQuotes, {
    status: "SUCCESS",
    domains: { "new.io": SOLD },
    unresolved: ["slow.io", 7],
    invalid: [
      { domain: "new.nonsense", reason: "Unsupported TLD." },
      { domain: "kept.io", reason: "Reserved by the registry." },
      null,
    ],
  });
  assertEquals(quoteOf(reading)?.kind, "sells");
  assertEquals(quoteOf(reading, "slow.io"), NOT_CHECKED);
  assertEquals(quoteOf(reading, "new.nonsense"), NOT_SOLD);
  assertEquals(quoteOf(reading, "kept.io"), REFUSES);
  assertEquals(quoteOf(reading, "other.io"), undefined);
  const bare = read(readPorkbunQuotes, { status: "SUCCESS", domains: { "new.io": SOLD } });
  assertEquals(bare.kind === "quotes" && [...bare.quotes.keys()], ["new.io"]);
});

Deno.test("a quote quotes its entry, cleaned and cut at 200 characters, and no other part of the reply", () => {
  const said = (reading: QuoteReading) =>
    reading.kind === "quotes" ? [...reading.quotes.values()].map(({ said }) => said) : [];
  const long = "x".repeat(300);
  assertEquals(
    said(read(readPorkbunQuotes, {
      status: "SUCCESS",
      echo: "the key",
      domains: { "a.io": { avail: "no\u200b\n" }, "b.io": 7, "c.io": { long } },
      unresolved: ["d.io"],
      invalid: [{ domain: "e.io" }],
    })),
    ['{"domain":"e.io"}', undefined, '{"avail":"no\\n"}', "7", `{"long":"${"x".repeat(190)}…`],
  );
  const entry = { domainName: "a.io", purchasable: false };
  assertEquals(said(read(readNamecomQuotes, { echo: "the key", results: [entry] })), [
    JSON.stringify(entry),
  ]);
});

Deno.test("readNamecomQuotes() reads price and premium, and no renewal, whose time it does not tell", () => {
  // deno-fmt-ignore -- a table
  const cases: [object, Quote][] = [
    [{ purchasable: true, premium: false, purchasePrice: 39.99, purchaseType: "registration", renewalPrice: 60 }, sells({ price: 39.99, premium: false })],
    [{ purchasable: true, purchasePrice: 39.999 }, sells({ price: 40 })],
    [{ purchasable: true, premium: true, purchasePrice: 2450 }, sells({ price: 2450, premium: true })],
    [{ purchasable: true, premium: true }, { kind: "premium" }],
    [{ purchasable: true }, NO_PRICE],
    [{ purchasable: true, purchasePrice: -1 }, NO_PRICE],
    [{ purchasable: true, purchasePrice: 0.009 }, NO_PRICE],
    [{ purchasable: true, purchasePrice: 0.01 }, sells({ price: 0.01 })],
    [{ purchasable: true, purchasePrice: 1e7 }, sells({ price: 1e7 })],
    [{ purchasable: true, purchasePrice: 1e7 + 1 }, NO_PRICE],
    [{ purchasable: true, purchasePrice: 5, purchaseType: "aftermarket_s" }, REFUSES],
    [{ purchasable: true, purchasePrice: 5, purchaseType: "aftermarket" }, REFUSES],
    [{ purchasable: true, purchasePrice: 5, premium: "yes" }, sells({ price: 5 })],
    [{ purchasable: false }, { kind: "refuses" }],
    [{ purchasable: false, reason: "Domain is reserved" }, { kind: "refuses" }],
    [{ purchasable: false, reason: "Reserved by the TLD registry" }, REFUSES],
    [{ purchasable: false, reason: "tldtools.com is reserved" }, REFUSES],
    [{ purchasable: false, reason: "extension.io is unavailable at this time" }, REFUSES],
    [{ purchasable: false, reason: "maintenance.io is not for sale" }, REFUSES],
    [{ purchasable: false, reason: "domain.extension is not supported" }, REFUSES],
    [{ purchasable: false, reason: "Extension not supported.com is reserved" }, REFUSES],
    [{ purchasable: false, reason: "Reserved: unsupported TLD" }, REFUSES],
    [{ purchasable: false, reason: "Unsupported TLD.com is reserved" }, REFUSES],
    [{ purchasable: false, reason: "The registry is in maintenance" }, NOT_CHECKABLE],
    [{ purchasable: false, reason: "TLD not supported" }, NOT_CHECKABLE],
    [{ purchasable: false, reason: "This extension is currently unavailable at this time." }, NOT_CHECKABLE],
    [{ purchasable: false, reason: "Unsupported TLD" }, NOT_CHECKABLE],
    [{ purchasable: "no" }, REFUSES],
    [{ purchasable: "no", reason: "TLD not supported" }, REFUSES],
    [{}, REFUSES],
  ];
  for (const [entry, quote] of cases) assertEquals(namecom(entry), quote, JSON.stringify(entry));
  assertEquals(read(readNamecomQuotes, {}), { kind: "quotes", quotes: new Map() });
});

Deno.test("every reader returns the stricter of two entries for one name, whichever comes first", () => {
  const yes = {
    ...SOLD,
    purchasable: true,
    purchasePrice: 28.12,
    registrable: true,
    pricing: { currency: "USD", registration_cost: "28.12" },
    available: true,
    years: 1,
  };
  const dearer = { ...yes, purchasePrice: 99 };
  const premium = { ...yes, premium: "yes" };
  const no = { avail: "no", purchasable: false, registrable: false, available: "no" };
  const kindOf = (name: string, reader: ReadQuotes, one: object, other: object) => {
    const named = { domainName: "new.io", name: "new.io", domain: "new.io" };
    const entries = [{ ...one, ...named }, { ...other, ...named, domainName: "NEW.io" }];
    const domains = { "new.io": entries[0], "New.io": entries[1] };
    return quoteOf(read(
      reader,
      name === "porkbun"
        ? { status: "SUCCESS", domains }
        : { success: true, results: entries, result: { domains: entries } },
    ));
  };
  for (const [name, reader] of Object.entries(READERS)) {
    assertEquals(kindOf(name, reader, yes, yes)?.kind, "sells", name);
    assertEquals(kindOf(name, reader, yes, no), REFUSES, name);
    assertEquals(kindOf(name, reader, no, yes), REFUSES, name);
  }
  // Of two that are equally strict, the first.
  for (const [one, other, price] of [[yes, dearer, 28.12], [dearer, yes, 99]] as const) {
    const quote = kindOf("namecom", readNamecomQuotes, one, other);
    assertEquals(quote?.kind === "sells" && quote.offer.price, price);
  }
  for (const [one, other] of [[yes, premium], [premium, yes]] as const) {
    const quote = kindOf("porkbun", readPorkbunQuotes, one, other);
    assertEquals(quote?.kind === "sells" && quote.offer.premium, true);
  }
});

Deno.test("every reader takes a limit's pause from Retry-After, at least a second and at most an hour", () => {
  for (const [name, reader] of Object.entries(READERS)) {
    const pauseMs = (headers: Record<string, string>) => {
      const reading = read(reader, "slow down", { status: 429, headers });
      return reading.kind === "failed" && reading.isLimited ? reading.pauseMs : undefined;
    };
    assertEquals(pauseMs({ "retry-after": "7" }), 7_000, name);
    assertEquals(pauseMs({ "retry-after": "0" }), 1_000, name);
    assertEquals(pauseMs({ "retry-after": "999999" }), 60 * 60_000, name);
    assertEquals(pauseMs({}), 60_000, name);
  }
});

Deno.test("readPorkbunQuotes() and readNamecomQuotes() take a limit's pause from where their API tells it", () => {
  const limited = { status: "ERROR", code: "RATE_LIMIT_EXCEEDED", ttlRemaining: 42 };
  for (const status of [200, 429]) {
    const reading = read(readPorkbunQuotes, limited, { status });
    assertEquals(reading.kind === "failed" && reading.pauseMs, 42_000);
  }
  const reset = (value: string) => {
    const headers = { "x-ratelimit-reset": value };
    const reading = read(readNamecomQuotes, "", { status: 429, headers });
    return reading.kind === "failed" ? reading.pauseMs : undefined;
  };
  assertEquals(reset(`${NOW / 1_000 + 9}`), 9_000);
  assertEquals(reset("soon"), 60_000);
  assertEquals(reset(""), 60_000);
  assertEquals(reset("0"), 1_000);
});

Deno.test("every reader with a key pauses for minutes after a wrong one", () => {
  const wrong: [ReadQuotes, unknown, number][] = [
    [readPorkbunQuotes, { status: "ERROR", code: "INVALID_API_KEYS_001" }, 400],
    [readNamecomQuotes, { message: "Unauthorized" }, 401],
    [readNamecomQuotes, { message: "Permission denied" }, 403],
  ];
  for (const [reader, body, status] of wrong) {
    assertEquals(read(reader, body, { status }), {
      kind: "failed",
      why: "it does not accept the key",
      pauseMs: 10 * 60_000,
    });
  }
});

Deno.test("a batch that an API refuses is no fault of the API", () => {
  const porkbun = read(readPorkbunQuotes, { status: "ERROR", code: "BULK_CHECK_TOO_SLOW" }, {
    status: 400,
  });
  assertEquals(porkbun, { kind: "failed", why: "it refused the request", pauseMs: 0 });
  const namecom = read(readNamecomQuotes, { message: "Unprocessable Entity" }, { status: 422 });
  assertEquals(namecom, { kind: "failed", why: NOT_SOLD.why, pauseMs: 0 });
});

Deno.test("every reader pauses after a reply that is not what its API sends", () => {
  const bodies: unknown[] = ["", "<html>", "[]", "null", "7", {}, { status: "SUCCESS" }];
  bodies.push({ success: false, result: { domains: [] } }, { results: {} }, {
    success: true,
    result: [],
  }, { success: false, result: {} });
  for (const [name, reader] of Object.entries(READERS)) {
    for (const body of bodies) {
      // Name.com leaves out an empty list.
      if (name === "namecom" && !("results" in Object(body)) && typeof body === "object") continue;
      if (name === "namecom" && body === "[]") continue;
      const reading = read(reader, body);
      assertEquals(
        reading,
        { kind: "failed", why: "its answer is not readable", pauseMs: FAULT_PAUSE_MS },
        `${name}: ${JSON.stringify(body)}`,
      );
    }
    for (const status of [302, 400, 404, 500, 503]) {
      const reading = read(reader, status === 500 ? { status: "ERROR" } : "<html>", { status });
      assertEquals(reading.kind === "failed" && reading.why, `it answered ${status}`, name);
    }
  }
});

Deno.test("no reader throws, or returns a price that is not one, with any JSON", () => {
  const entry = fc.oneof(
    fc.jsonValue(),
    fc.record({
      avail: fc.constantFrom("yes", "no", true),
      premium: fc.constantFrom("yes", "no", true, false),
      price: fc.oneof(fc.string(), fc.double(), fc.constant("12.50")),
      minDuration: fc.oneof(fc.integer(), fc.constant(1)),
      domain: fc.constant("new.io"),
      domainName: fc.constant("new.io"),
      name: fc.constant("new.io"),
      purchasable: fc.boolean(),
      purchasePrice: fc.double(),
      registrable: fc.boolean(),
      pricing: fc.record({ currency: fc.constant("USD"), registration_cost: fc.string() }),
      available: fc.boolean(),
      definitive: fc.boolean(),
      currency: fc.constant("USD"),
      period: fc.integer(),
      years: fc.integer(),
    }),
  );
  const body = fc.oneof(
    fc.jsonValue(),
    entry.map((entry) => ({
      status: "SUCCESS",
      success: true,
      domains: { "new.io": entry },
      results: [entry],
      result: { domains: [entry] },
    })),
    entry.map((entry) => ({ domains: [entry], errors: [entry] })),
  );
  const status = fc.constantFrom(200, 203, 400, 401, 422, 429, 500);
  fc.assert(fc.property(body, status, (body, status) => {
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
