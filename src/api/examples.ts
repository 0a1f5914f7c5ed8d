/**
 * Examples by path of all but feeds and the state of the service, for the documents; a test compares them with the answers of the
 * demo, but for times and durations, which are the same in all.
 */
import { type DatedPrice, quotePrice } from "../rules/prices.ts";

/** A query and its answer. */
export interface Example {
  /** In a word or two. */
  readonly shows: string;
  readonly query: Readonly<Record<string, string>>;
  readonly answer: unknown;
}

const AT = "2026-11-21T13:50:10.167Z";
const ASKED = { askedAt: AT, ms: 21, cached: false };
const TIMED = { checkedAt: AT, responseMs: 24 };

const TAKEN = {
  domain: "taken.com",
  tld: "com",
  state: "taken",
  available: false,
  status: ["active"],
  premium: false,
  source: "dns",
  ...TIMED,
};

/** A body of `POST /check`, and its answer. */
export const NAMES_EXAMPLE = {
  body: { names: ["taken.com", "no_name"] },
  answer: {
    results: [
      { input: "taken.com", ...TAKEN },
      {
        input: "no_name",
        error: "invalid_name",
        message:
          "Invalid name: Use 1 to 63 letters a-z, digits and hyphens, such as no-name or noname",
        code: 400,
      },
    ],
    count: 2,
    totalMs: 24,
    timestamp: AT,
  },
};

const ALICE = {
  name: "alice.eth",
  owner: "0x00000000000000000000000000000000000A11cE",
  resolver: "0x595e872D3dB0359B7E792EbD8907Fb017c3B71a2",
};

const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  "/check": [
    {
      shows: "taken",
      query: { name: "taken", tld: "com" },
      answer: answerOf(TAKEN),
    },
    {
      shows: "available",
      query: { name: "free-for-you", tld: "dev" },
      answer: answerOf({
        domain: "free-for-you.dev",
        tld: "dev",
        state: "available",
        available: true,
        status: ["undelegated", "inactive"],
        premium: false,
        source: "rdap",
        ...TIMED,
      }),
    },
    {
      shows: "unknown",
      query: { name: "failing", tld: "org" },
      answer: answerOf({
        domain: "failing.org",
        tld: "org",
        state: "unknown",
        available: false,
        status: ["unknown"],
        premium: false,
        source: "rdap",
        ...TIMED,
        error: "The registry answered 429 (too many requests); retry in 30 s",
        retryAfter: 30,
      }),
    },
    {
      shows: "reserved, with evidence",
      query: { name: "reserved", tld: "online", evidence: "1" },
      answer: answerOf({
        domain: "reserved.online",
        tld: "online",
        state: "reserved",
        available: false,
        status: ["undelegated"],
        premium: false,
        source: "rdap",
        ...TIMED,
        reason:
          'The registry says: "This name is not available for registration: Registry Reserved"',
        evidence: [
          {
            witness: "dns",
            host: "resolver",
            said: "",
            means: "not_delegated",
            ...ASKED,
          },
          {
            witness: "rdap",
            host: "rdap.radix.host",
            said: "404 This name is not available for registration: Registry Reserved",
            means: "reserved",
            ...ASKED,
            canary: { found: "passed", testedAt: AT },
          },
        ],
      }),
    },
  ],
  "/tlds": [{
    shows: "country codes",
    query: { type: "ccTLD" },
    answer: {
      count: 5,
      tlds: [
        listed("ai", "rdap.identitydigital.services/rdap", { usd: 82.7, renewUsd: 82.7 }),
        listed("cc", "tld-rdap.verisign.com/cc/v1", { usd: 8.03, renewUsd: 8.03 }),
        listed("io", "rdap.identitydigital.services/rdap", { usd: 28.12, renewUsd: 51.8 }),
        listed("me", "rdap.identitydigital.services/rdap", { usd: 9.27, renewUsd: 17.51 }),
        // Not in the registrar's list: the built-in price.
        listed("tv", "rdap.nic.tv", { usd: 26.24, renewUsd: 26.24, asOf: "2025-03-22" }),
      ],
    },
  }],
  "/register": [{
    shows: "one registrar",
    query: { domain: "free-for-you.com", registrar: "porkbun" },
    answer: {
      domain: "free-for-you.com",
      registrars: [{
        name: "Porkbun",
        slug: "porkbun",
        url: "https://porkbun.com/checkout/search?q=free-for-you.com",
        estimatedPrice: 11.08,
        prices: quoted("com", { usd: 11.08, renewUsd: 11.08 }),
      }],
      timestamp: AT,
    },
  }],
  "/details": [
    {
      shows: "taken",
      query: { domain: "for-sale.com" },
      answer: {
        domain: "for-sale.com",
        state: "taken",
        available: false,
        source: "dns",
        checkedAt: AT,
        registrar: { name: "RESERVED-Internet Assigned Numbers Authority", ianaId: 9999 },
        createdAt: "2011-03-04T05:06:07.000Z",
        expiresAt: "2031-03-04T05:06:07.000Z",
        status: [],
        nameServers: ["ns1.hosting.example", "ns2.hosting.example"],
        dnssec: false,
        drop: {
          phase: "registered",
          earliest: "2031-04-08",
          latest: "2031-05-24",
          rule: "generic TLDs: up to 45 days of renewal, 30 of redemption, 5 of pending delete",
        },
        forSale: { price: "USD750", url: "https://example.com/offer" },
        prices: quoted("com", { usd: 11.08, renewUsd: 11.08 }),
      },
    },
  ],
  "/v1/ens/check": [
    {
      shows: "available",
      query: { name: "freename" },
      answer: {
        name: "freename.eth",
        available: true,
        registrationPrice: {
          wei: "2000000000002233",
          eth: "0.002000000000002233",
          usdEstimate: 5,
        },
        source: "rpc",
        ...TIMED,
      },
    },
    {
      shows: "taken",
      query: { name: "alice" },
      answer: {
        ...ALICE,
        available: false,
        expiresAt: "2027-06-09T16:10:31.000Z",
        graceEndsAt: "2027-09-07T16:10:31.000Z",
        premiumEndsAt: "2027-09-28T16:10:31.000Z",
        premiumBelow: [
          { usd: 1_000, on: "2027-09-24" },
          { usd: 100, on: "2027-09-27" },
          { usd: 10, on: "2027-09-28" },
        ],
        source: "rpc",
        ...TIMED,
      },
    },
  ],
  "/v1/ens/metadata": [{
    shows: "a profile",
    query: { name: "alice" },
    answer: {
      ...ALICE,
      address: "0x0000000000000000000000000000000000000B0b",
      records: {
        avatar: "eip155:1/erc721:0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d/1",
        url: "https://alice.example",
        description: "Alice of the test chain",
        twitter: "alice",
        github: "alice-codes",
        email: "alice@alice.example",
        contenthash: "ipfs://bafybeibj6lixxzqtsb45ysdjnupvqkufgdvzqbnvmhw2kf7cfkesy7r7d4",
      },
      source: "rpc",
      ...TIMED,
    },
  }],
};

function answerOf(row: typeof TAKEN & Readonly<Record<string, unknown>>) {
  const [name = ""] = row.domain.split(".");
  return { name, results: [row], totalMs: row.responseMs, timestamp: AT };
}

/** A price as the demo quotes it. */
function quoted(tld: string, price: Omit<DatedPrice, "asOf"> & Partial<DatedPrice>) {
  return quotePrice(tld, { asOf: "2026-11-21", ...price });
}

function listed(tld: string, rdapServer: string, price: Parameters<typeof quoted>[1]) {
  return { tld, type: "ccTLD", rdapServer, enabled: true, prices: quoted(tld, price) };
}

/** The examples of the operation at a path; the first shows the usual case. */
export function examplesOf(path: string): readonly Example[] {
  return EXAMPLES[path] ?? [];
}
