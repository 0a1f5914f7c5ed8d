import { assertEquals } from "@std/assert";
import { createUpstreamHosts, type UpstreamHost } from "../../src/flow/upstream_host.ts";
import type { DnsAnswer, DnsFault } from "../../src/rules/answer.ts";
import {
  createDelegationCheck,
  createForSaleQuestion,
  type ResolveNs,
  type ResolveTxt,
} from "../../src/sources/dns.ts";

type Host = Pick<UpstreamHost, "ask">;

const { signal: NEVER } = new AbortController();
const hosts = createUpstreamHosts({ report() {}, now: Date.now, monotonic: Date.now });
const OPEN = hosts.ofKind("dns")("open");
const FULL: Host = {
  ask: () => Promise.resolve({ kind: "unasked", why: "full", retryAfterMs: 0 }),
};

function ask(name: string, resolveNs: ResolveNs, host: Host = OPEN): Promise<DnsAnswer> {
  return createDelegationCheck({ resolveNs, host, stop: NEVER, now: () => 7 })(name);
}

const failing = (error: Error): ResolveNs => () => Promise.reject(error);

/** Port 9 of loopback, where no server is needed: Deno sends no packet for these names. */
const toNoServer: ResolveNs = (name, type, options) =>
  Deno.resolveDns(name, type, { ...options, nameServer: { ipAddr: "127.0.0.1", port: 9 } });

const NOT_FOUND = new Deno.errors.NotFound("proto error: no records found");
const LATE = new Deno.errors.TimedOut("proto error: request timed out");
const BROKEN = new Error("proto error: io error: Too many open files (os error 24)");

const delegated = (said: string): DnsAnswer => ({ kind: "delegated", askedAt: 7, said });
const failed = (fault: DnsFault, why: string): DnsAnswer => ({ kind: "failed", fault, why });
const finding = (...servers: string[]): ResolveNs => () =>
  Promise.resolve(servers.map((server) => `${server}.`));
const MANY = Array.from({ length: 60 }, (_, n) => `ns${n}.example.com`);
const QUOTED = `${MANY.slice(0, 16).join(", ").slice(0, 199)}…`;

const ROWS: [what: string, resolveNs: ResolveNs, answer: DnsAnswer][] = [
  ["name servers", finding("ns1.a.com"), delegated("ns1.a.com")],
  ["more name servers than can be quoted", finding(...MANY), delegated(QUOTED)],
  ["a name server with odd characters", finding("a\u202e\n.example"), delegated("a .example")],
  ["no such name", failing(NOT_FOUND), { kind: "none", askedAt: 7 }],
  ["a resolver that is too slow", failing(LATE), failed("down", "it did not answer in time")],
  ["a resolver that cannot be reached", failing(BROKEN), failed("down", "the look-up failed")],
];

Deno.test("checkDelegation() reports what DNS finds, or why it finds nothing", async () => {
  for (const [what, resolveNs, answer] of ROWS) {
    assertEquals(await ask("a.com", resolveNs), answer, what);
  }
  const invalid = failed("invalid", "it cannot resolve such a name");
  assertEquals(await ask("xn--a.com", toNoServer), invalid);
  const unasked = { ...failed("unasked", "too many look-ups are queued"), retryAfterMs: 0 };
  assertEquals(await ask("a.com", failing(BROKEN), FULL), unasked);
});

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

function askForSale(resolveTxt: ResolveTxt, host: Host = OPEN) {
  const options = { host, stop: NEVER, now: () => 7, monotonic: () => 0 };
  return createForSaleQuestion({ resolveTxt, ...options })("a.com");
}

Deno.test("askForSale() asks for the TXT records below _for-sale", async () => {
  const asked: unknown[] = [];
  const answer = await askForSale((name, type) => {
    asked.push([name, type]);
    return Promise.resolve([["v=FORSALE1;"]]);
  });
  assertEquals(answer, { records: [["v=FORSALE1;"]], askedAt: 7, ms: 0, lifetimeMs: 300_000 });
  assertEquals(asked, [["_for-sale.a.com.", "TXT"]]);
});

Deno.test("askForSale() finds nothing when DNS has no such records, fails, or its queue is full", async () => {
  for (const error of [NOT_FOUND, LATE, BROKEN]) {
    const answer = await askForSale(() => Promise.reject(error));
    const lifetimeMs = error === NOT_FOUND ? 300_000 : 60_000;
    assertEquals([answer.records, answer.lifetimeMs], [[], lifetimeMs]);
  }
  const unasked = await askForSale(() => Promise.resolve([["not to be asked"]]), FULL);
  assertEquals([unasked.records, unasked.lifetimeMs], [[], 0]);
});
