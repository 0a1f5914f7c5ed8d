import { assertEquals } from "@std/assert";
import { createUpstreamHosts, type UpstreamHost } from "../../src/flow/upstream_host.ts";
import type { DnsAnswer } from "../../src/rules/answer.ts";
import {
  createDelegationCheck,
  createForSaleQuestion,
  type ForSaleAnswer,
  type ResolveNs,
  type ResolveTxt,
} from "../../src/sources/dns.ts";

const hosts = createUpstreamHosts({ report() {}, now: Date.now, monotonic: Date.now });
const OPEN = hosts.ofKind("dns")("open");
const FULL: Pick<UpstreamHost, "ask"> = {
  ask: () => Promise.resolve({ kind: "unasked", why: "full", retryAfterMs: 0 }),
};

async function ask(
  name: string,
  resolveNs: ResolveNs,
  host: Pick<UpstreamHost, "ask"> = OPEN,
): Promise<DnsAnswer> {
  const { signal } = new AbortController();
  return await createDelegationCheck({ resolveNs, host, stop: signal, now: () => 7 })(name);
}

function failing(error: Error): ResolveNs {
  return () => Promise.reject(error);
}

/** Port 9 of loopback, where no server is needed: Deno sends no packet for these names. */
const toNoServer: ResolveNs = (name, type, options) =>
  Deno.resolveDns(name, type, { ...options, nameServer: { ipAddr: "127.0.0.1", port: 9 } });

const manyServers: ResolveNs = () =>
  Promise.resolve(Array.from({ length: 60 }, (_, n) => `ns${n}.example.com.`));

const NOT_FOUND = new Deno.errors.NotFound("proto error: no records found");
const LATE = new Deno.errors.TimedOut("proto error: request timed out");
const BROKEN = new Error("proto error: io error: Too many open files (os error 24)");

const ROWS: [string, () => Promise<DnsAnswer>, DnsAnswer][] = [
  ["finds name servers", () => ask("a.com", () => Promise.resolve(["ns1.a.com."])), {
    kind: "delegated",
    askedAt: 7,
    said: "ns1.a.com",
  }],
  ["finds more name servers than can be quoted", () => ask("a.com", manyServers), {
    kind: "delegated",
    askedAt: 7,
    said: `${Array.from({ length: 16 }, (_, n) => `ns${n}.example.com`).join(", ").slice(0, 199)}…`,
  }],
  [
    "finds a name server with odd characters",
    () => ask("a.com", () => Promise.resolve(["a\u202e\n.example."])),
    {
      kind: "delegated",
      askedAt: 7,
      said: "a .example",
    },
  ],
  ["finds no such name", () => ask("a.com", failing(NOT_FOUND)), { kind: "none", askedAt: 7 }],
  ["is too slow", () => ask("a.com", failing(LATE)), {
    kind: "failed",
    fault: "down",
    why: "it did not answer in time",
  }],
  ["cannot be reached", () => ask("a.com", failing(BROKEN)), {
    kind: "failed",
    fault: "down",
    why: "the look-up failed",
  }],
  ["cannot resolve such a name", () => ask("xn--a.com", toNoServer), {
    kind: "failed",
    fault: "invalid",
    why: "it cannot resolve such a name",
  }],
  ["has too many look-ups waiting", () => ask("a.com", failing(BROKEN), FULL), {
    kind: "failed",
    fault: "unasked",
    why: "too many look-ups are queued",
  }],
];

for (const [fate, asking, answer] of ROWS) {
  Deno.test(`checkDelegation() reports it when DNS ${fate}`, async () => {
    assertEquals(await asking(), answer);
  });
}

Deno.test("checkDelegation() leaves the resolver's state as it is when a name cannot be queried", async () => {
  const host = hosts.ofKind("dns")("resolver");
  const states = [];
  for (const error of [undefined, NOT_FOUND, undefined, BROKEN, undefined]) {
    if (error === undefined) await ask("xn--a.com", toNoServer, host);
    else await ask("a.com", failing(error), host);
    states.push(host.isFailing());
  }
  assertEquals(states, [undefined, false, false, true, true]);
});

function askForSale(
  resolveTxt: ResolveTxt,
  host: Pick<UpstreamHost, "ask"> = OPEN,
): Promise<ForSaleAnswer> {
  const { signal } = new AbortController();
  const options = { host, stop: signal, now: () => 7, monotonic: () => 0 };
  return createForSaleQuestion({ resolveTxt, ...options })("a.com");
}

Deno.test("askForSale() asks for the TXT records below _for-sale", async () => {
  const asked: unknown[] = [];
  const answer = await askForSale((name, type) => {
    asked.push([name, type]);
    return Promise.resolve([["v=FORSALE1;"]]);
  });
  assertEquals(answer, {
    records: [["v=FORSALE1;"]],
    askedAt: 7,
    ms: 0,
    outcome: "answered",
  });
  assertEquals(asked, [["_for-sale.a.com.", "TXT"]]);
});

Deno.test("askForSale() finds nothing when DNS has no such records, fails, or its queue is full", async () => {
  for (
    const [error, outcome] of [
      [NOT_FOUND, "answered"],
      [LATE, "failed"],
      [BROKEN, "failed"],
    ] as const
  ) {
    const answer = await askForSale(() => Promise.reject(error));
    assertEquals([answer.records, answer.outcome], [[], outcome]);
  }
  const unasked = await askForSale(() => Promise.resolve([["not to be asked"]]), FULL);
  assertEquals([unasked.records, unasked.outcome], [[], "unasked"]);
});
