import { assertEquals } from "@std/assert";
import { createLocalChecker } from "../../src/cli/local_checker.ts";
import { rowState } from "../../src/cli/row.ts";
import type { DomainResult } from "../../src/lookup/check_domain.ts";

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

const never = () => Promise.reject(new Error("Not expected"));

/** Checks x.com, whose registry asks for these pauses before it answers. */
async function check(pausesMs: number[], { waits: hasPauses }: { waits: boolean }) {
  const waits: string[] = [];
  let checks = 0;
  const checker = await createLocalChecker({
    checkDomain: () => Promise.resolve(checks++ < pausesMs.length ? UNKNOWN : AVAILABLE),
    ens: { check: never, profile: never },
    tlds: { enabled: () => Promise.resolve(["com"]), fresh: () => Promise.resolve([]) },
    pauseOf: () => Promise.resolve({ host: "rdap.example", ms: pausesMs[checks - 1] ?? 0 }),
  }, {
    pauses: hasPauses
      ? { wait: (host, ms) => (waits.push(`${host} ${ms}`), Promise.resolve()) }
      : undefined,
    stop: new AbortController().signal,
  });
  const rows = await Array.fromAsync(checker.check({ label: "x", tlds: ["com"] }));
  return { waits, states: rows.map(rowState) };
}

Deno.test("createLocalChecker() waits for a registry that asks for a pause only when it has pauses", async () => {
  assertEquals(await check([30_000, 60_000], { waits: true }), {
    waits: ["rdap.example 30000", "rdap.example 60000"],
    states: ["available"],
  });
  assertEquals(await check([30_000], { waits: false }), { waits: [], states: ["unknown"] });
});

Deno.test("createLocalChecker() does not wait without a pause to wait for, nor beyond 90 s", async () => {
  assertEquals(await check([0], { waits: true }), { waits: [], states: ["unknown"] });
  assertEquals(await check([3_600_000], { waits: true }), { waits: [], states: ["unknown"] });
  const { waits, states } = await check([40_000, 40_000, 40_000], { waits: true });
  assertEquals([waits.length, states], [2, ["unknown"]]);
});

Deno.test("createLocalChecker() queues TLDs by the host of their registry, in the table in use", async () => {
  const checker = await createLocalChecker({
    checkDomain: never,
    ens: { check: never, profile: never },
    tlds: {
      enabled: () => Promise.resolve(["one", "two"]),
      fresh: () =>
        Promise.resolve(
          ["one", "two"].map((tld) => ({ tld, rdapBase: "https://rdap.example/v1/" })),
        ),
    },
    pauseOf: never,
  }, { pauses: undefined, stop: new AbortController().signal });
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
});
