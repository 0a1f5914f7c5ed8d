/**
 * Examples by operation of all but feeds and the state of the service, for the documents; a test compares them with the answers of the
 * demo, but for times and durations, which are the same in all.
 */
import { type DatedPrice, quotePrice } from "../rules/prices.ts";

/** The parameters or the body of a request, and its answer. */
interface Example {
  /** In a word or two. */
  readonly shows: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly answer: unknown;
}

const AT = "2026-11-21T13:50:10.167Z";
const ASKED = { askedAt: AT, ms: 21, cached: false };
const TIMED = { checkedAt: AT, responseMs: 24 };
const ANSWERED = { totalMs: 24, timestamp: AT };

const TAKEN = { state: "taken", status: ["active"], source: "dns" };

const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  check: [
    checkOf("taken", "taken.com", TAKEN),
    checkOf("available", "free-for-you.dev", {
      state: "available",
      status: ["undelegated", "inactive"],
      source: "rdap",
    }),
    checkOf("unknown", "failing.org", {
      state: "unknown",
      status: ["unknown"],
      source: "rdap",
      error: "The registry answered 429 (too many requests); retry in 30 s",
      retryAfter: 30,
    }),
    checkOf("reserved, with evidence", "reserved.online", {
      state: "reserved",
      status: ["undelegated"],
      source: "rdap",
      reason: 'The registry says: "This name is not available for registration: Registry Reserved"',
      evidence: [
        { witness: "dns", host: "resolver", said: "", means: "not_delegated", ...ASKED },
        {
          witness: "rdap",
          host: "rdap.radix.host",
          said: "404 This name is not available for registration: Registry Reserved",
          means: "reserved",
          ...ASKED,
          canary: { found: "passed", testedAt: AT },
        },
      ],
    }, { evidence: "1" }),
  ],
  check_names: [{
    shows: "some names",
    input: { names: ["taken", "no_name"], tlds: ["com"] },
    answer: {
      results: [
        { input: "taken", ...rowOf("taken.com", TAKEN) },
        {
          input: "no_name",
          error: "invalid_name",
          message:
            "Invalid name: Use 1 to 63 letters a-z, digits and hyphens, such as no-name or noname",
          code: 400,
        },
      ],
      count: 2,
      ...ANSWERED,
    },
  }],
  tlds: [{
    shows: "a country code",
    input: { type: "ccTLD", q: "tv" },
    answer: {
      count: 1,
      tlds: [{
        tld: "tv",
        type: "ccTLD",
        rdapServer: "rdap.nic.tv",
        enabled: true,
        // Not in the registrar's list: the built-in price.
        prices: quoted("tv", { usd: 26.24, renewUsd: 26.24, asOf: "2025-03-22" }),
      }],
    },
  }],
  register: [{
    shows: "one registrar",
    input: { domain: "free-for-you.com", registrar: "porkbun" },
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
  details: [
    {
      shows: "taken",
      input: { domain: "for-sale.com" },
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
  ens_check: [{
    shows: "available",
    input: { name: "freename" },
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
  }],
  ens_metadata: [{
    shows: "a profile",
    input: { name: "alice" },
    answer: {
      name: "alice.eth",
      owner: "0x00000000000000000000000000000000000A11cE",
      resolver: "0x595e872D3dB0359B7E792EbD8907Fb017c3B71a2",
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

/** What differs between rows. */
interface Facts extends Readonly<Record<string, unknown>> {
  readonly state: string;
  readonly status: readonly string[];
  readonly source: string;
}

/** A check of one domain. */
function checkOf(shows: string, domain: string, facts: Facts, parameters = {}): Example {
  const [name, tld] = domain.split(".");
  const answer = { name, results: [rowOf(domain, facts)], ...ANSWERED };
  return { shows, input: { name, tld, ...parameters }, answer };
}

function rowOf(domain: string, { state, status, source, ...facts }: Facts) {
  const [, tld] = domain.split(".");
  const available = state === "available";
  return { domain, tld, state, available, status, premium: false, source, ...TIMED, ...facts };
}

/** A price as the demo quotes it. */
function quoted(tld: string, price: Omit<DatedPrice, "asOf"> & Partial<DatedPrice>) {
  return quotePrice(tld, { asOf: "2026-11-21", ...price });
}

/** The examples of an operation; the first shows the usual case. */
export function examplesOf(operation: string): readonly Example[] {
  return EXAMPLES[operation] ?? [];
}
