/** What the demo answers, by path: the documents show it, and a test keeps it true. */
import type * as z from "zod/mini";
import type { Operation } from "./operation.ts";
import type { Operations } from "./operations.ts";

/** A question and its answer. */
export interface Example<Query, Answer> {
  /** In a word or two. */
  readonly shows: string;
  readonly query: Query;
  readonly answer: Answer;
}

/** The examples of an operation; the first shows the usual case. */
type ExamplesOf<Op> = Op extends Operation<infer Query, infer Answer> ? readonly [
    Example<z.input<Query>, z.input<Answer>>,
    ...Example<z.input<Query>, z.input<Answer>>[],
  ]
  : never;

const EXAMPLES: { readonly [Op in Operations as Op["path"]]: ExamplesOf<Op> } = {
  "/check": [
    {
      shows: "taken",
      query: { name: "taken", tld: "com" },
      answer: {
        name: "taken",
        results: [{
          domain: "taken.com",
          tld: "com",
          available: false,
          status: ["active"],
          premium: false,
          source: "dns",
          checkedAt: "2026-11-21T13:50:10.167Z",
          responseMs: 24,
        }],
        totalMs: 24,
        timestamp: "2026-11-21T13:50:10.168Z",
      },
    },
    {
      shows: "free",
      query: { name: "free-for-you", tld: "dev" },
      answer: {
        name: "free-for-you",
        results: [{
          domain: "free-for-you.dev",
          tld: "dev",
          available: true,
          status: ["undelegated", "inactive"],
          premium: false,
          source: "rdap",
          checkedAt: "2026-11-21T13:50:11.021Z",
          responseMs: 176,
        }],
        totalMs: 176,
        timestamp: "2026-11-21T13:50:11.022Z",
      },
    },
    {
      shows: "unknown",
      query: { name: "failing", tld: "org" },
      answer: {
        name: "failing",
        results: [{
          domain: "failing.org",
          tld: "org",
          available: false,
          status: ["unknown"],
          premium: false,
          source: "rdap",
          checkedAt: "2026-11-21T13:50:11.625Z",
          responseMs: 597,
          error: "The registry answered 429 (too many requests); try again in 30 s",
        }],
        totalMs: 597,
        timestamp: "2026-11-21T13:50:11.625Z",
      },
    },
  ],
  "/tlds": [{
    shows: "of countries",
    query: { type: "ccTLD" },
    answer: {
      count: 5,
      tlds: [
        {
          tld: "ai",
          type: "ccTLD",
          rdapServer: "rdap.identitydigital.services/rdap",
          enabled: true,
        },
        { tld: "cc", type: "ccTLD", rdapServer: "tld-rdap.verisign.com/cc/v1", enabled: true },
        {
          tld: "io",
          type: "ccTLD",
          rdapServer: "rdap.identitydigital.services/rdap",
          enabled: true,
        },
        {
          tld: "me",
          type: "ccTLD",
          rdapServer: "rdap.identitydigital.services/rdap",
          enabled: true,
        },
        { tld: "tv", type: "ccTLD", rdapServer: "rdap.nic.tv", enabled: true },
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
      }],
      timestamp: "2026-11-21T13:50:12.004Z",
    },
  }],
  "/health": [{
    shows: "after a start",
    query: {},
    answer: {
      status: "ok",
      version: "0.1.0",
      uptimeSeconds: 1,
      checks: { kv: "ok", dns: "unused", rdap: "unused", rpc: "unused" },
    },
  }],
  "/health/ready": [{ shows: "ready", query: {}, answer: { status: "ready" } }],
};

/** The examples of the operation at a path. */
export function examplesOf(path: string): readonly Example<Query, unknown>[] {
  const byPath: Readonly<Record<string, readonly Example<Query, unknown>[]>> = EXAMPLES;
  return byPath[path] ?? [];
}

/** A query as it is sent. */
type Query = Readonly<Record<string, string | undefined>>;
