import { assertEquals } from "@std/assert";
import { createLocalChecker } from "../../src/cli/local_checker.ts";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import { suffixesAt } from "../support/suffixes.ts";

const UNKNOWN: DomainResult = {
  domain: "x.com",
  tld: "com",
  state: "unknown",
  available: false,
  status: ["unknown"],
  premium: false,
  source: "rdap",
  checkedAt: "2026-11-21T12:00:00.000Z",
  responseMs: 7,
  error: "The host is rate-limiting us",
};
const AVAILABLE: DomainResult = {
  ...UNKNOWN,
  available: true,
  status: ["undelegated", "inactive"],
};

const NO_SUFFIXES = {
  ...suffixesAt(),
  find: () => Promise.resolve({ kind: "enabled" as const }),
};

const never = () => Promise.reject(new Error("Not expected"));

/** The retry of a row, where its registry is in a cooldown of this length. */
async function retryOf(result: DomainResult, { pausedMs }: { pausedMs: number }) {
  const checker = await createLocalChecker({
    checkDomain: () => Promise.resolve(result),
    ens: { check: never, details: never, profile: never },
    findDetails: never,
    tlds: { enabled: () => Promise.resolve(["com"]), fresh: () => Promise.resolve([]) },
    suffixes: NO_SUFFIXES,
    pauseOf: () => Promise.resolve({ host: "rdap.example", ms: pausedMs }),
  });
  const [row] = await Array.fromAsync(checker.check({ label: "x", tlds: ["com"] }));
  return row?.kind === "domain" ? row.retry : row;
}

Deno.test("createLocalChecker() adds when to check again if a pause or a queue left a domain unknown", async () => {
  const host = "rdap.example";
  const queued = { ...UNKNOWN, retryAfter: 15 };
  assertEquals(await retryOf(queued, { pausedMs: 0 }), { host, ms: 15_000 });
  // The host may have asked for a pause since.
  assertEquals(await retryOf(queued, { pausedMs: 30_000 }), { host, ms: 30_000 });
  assertEquals(await retryOf(UNKNOWN, { pausedMs: 30_000 }), { host, ms: 30_000 });
  assertEquals(await retryOf(UNKNOWN, { pausedMs: 0 }), undefined);
  assertEquals(await retryOf(AVAILABLE, { pausedMs: 30_000 }), undefined);
});

Deno.test("createLocalChecker() queues TLDs by the host of their registry, in the table in use", async () => {
  const checker = await createLocalChecker({
    checkDomain: never,
    ens: { check: never, details: never, profile: never },
    findDetails: never,
    tlds: {
      enabled: () => Promise.resolve(["one", "two"]),
      fresh: () =>
        Promise.resolve(
          ["one", "two"].map((tld) => ({ tld, rdapBase: "https://rdap.example/v1/" })),
        ),
    },
    suffixes: NO_SUFFIXES,
    pauseOf: never,
  });
  const request = { label: "x", tlds: ["one", "two", "eth"] };
  assertEquals(checker.hostsOf(request), ["rdap.example", "rdap.example", "eth"]);
  assertEquals([0, 1, 2].map((place) => checker.partOf(request, place)), [
    { label: "x", tlds: ["one"] },
    { label: "x", tlds: ["two"] },
    { label: "x", tlds: ["eth"] },
  ]);
  const host = "rdap.identitydigital.services";
  assertEquals([checker.atOnce(host, undefined), checker.atOnce(host, 2)], [4, 2]);
  assertEquals(checker.atOnce("rdap.verisign.com", 1_000), 64);
  assertEquals(checker.atOnce("rdap.centralnic.com", undefined), 4);
});
