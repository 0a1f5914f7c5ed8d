import { assertEquals, assertMatch } from "@std/assert";
import { createResolvers } from "../../src/lookup/resolvers.ts";
import type { DnsAnswer } from "../../src/rules/answer.ts";
import { stateOf } from "../../src/rules/verdict.ts";
import type { DnsBehaviour } from "../lab/dns_behaviour.ts";
import { startDnsServer } from "../lab/dns_server.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { createKvFile } from "../support/kv_file.ts";
import { type RunningService, startService } from "../support/service.ts";
import { verdictOfEntries } from "../support/verdict_of_entries.ts";

const SHOWN: DnsAnswer = { kind: "delegated", askedAt: 0 };
const NONE: DnsAnswer = { kind: "none", askedAt: 0 };
const DOWN: DnsAnswer = { kind: "failed", fault: "down", why: "it did not answer in time" };

/** A resolver that gives a name its answer, and any other name `none`; it records its questions. */
function createResolver(answers: Readonly<Record<string, DnsAnswer>>) {
  const asked: string[] = [];
  const ask = (domain: string) => (asked.push(domain), Promise.resolve(answers[domain] ?? NONE));
  return { asked, ask, answers };
}

/** Both resolvers as one witness, by their answers. */
function createBoth(
  byFirst: Readonly<Record<string, DnsAnswer>>,
  byFallback: Readonly<Record<string, DnsAnswer>>,
) {
  const [first, fallback] = [byFirst, byFallback].map(createResolver) as [
    ReturnType<typeof createResolver>,
    ReturnType<typeof createResolver>,
  ];
  const resolvers = createResolvers({
    first: first.ask,
    fallback: fallback.ask,
    monotonic: () => 0,
  });
  return { resolvers, first, fallback };
}

Deno.test("isDelegated() asks the second resolver only when the first gave no answer, and marks its answers", async () => {
  const full: DnsAnswer = { kind: "failed", fault: "unasked", why: "full" };
  const invalid: DnsAnswer = { kind: "failed", fault: "invalid", why: "no such name" };
  const byFirst = {
    "shown.com": SHOWN,
    "full.com": full,
    "xn--a.com": invalid,
    "mute.com": DOWN,
    "mute-shown.com": DOWN,
    "mute-twice.com": DOWN,
  };
  const late: DnsAnswer = { ...DOWN, why: "the look-up failed" };
  const { resolvers, first, fallback } = createBoth(byFirst, {
    "mute-shown.com": { ...SHOWN, said: "ns1.example" },
    "mute-twice.com": late,
  });
  const names = ["free.com", ...Object.keys(byFirst)];
  assertEquals(await Promise.all(names.map((name) => resolvers.isDelegated(name))), [
    NONE,
    SHOWN,
    full,
    invalid,
    { ...NONE, resolver: "fallback" },
    { ...SHOWN, said: "ns1.example", resolver: "fallback" },
    DOWN,
  ]);
  assertEquals(first.asked, names);
  assertEquals(fallback.asked, ["mute.com", "mute-shown.com", "mute-twice.com"]);
});

Deno.test("isDelegated() passes its wait on to both resolvers", async () => {
  const waits: unknown[] = [];
  const ask = (_: string, wait: unknown) => (waits.push(wait), Promise.resolve(DOWN));
  const resolvers = createResolvers({ first: ask, fallback: ask, monotonic: () => 0 });
  const wait = { client: "a" };
  await resolvers.isDelegated("mute.com", wait);
  assertEquals(waits, [wait, wait]);
});

Deno.test("isDelegated() returns the first resolver's failure when there is no second one", async () => {
  const { ask } = createResolver({ "mute.com": DOWN });
  const resolvers = createResolvers({ first: ask, fallback: undefined, monotonic: () => 0 });
  assertEquals([await resolvers.isDelegated("mute.com"), resolvers.hasFallback], [DOWN, false]);
});

Deno.test("canaryOf() tests each resolver with its own answers only", async () => {
  const byFirst = { "mute.com": DOWN, "google.com": DOWN, "google.net": SHOWN, "mute.net": DOWN };
  const { resolvers, first, fallback } = createBoth(byFirst, { "google.com": SHOWN });
  const [answer, mute] = [
    await resolvers.isDelegated("free.com"),
    await resolvers.isDelegated("mute.com"),
  ];
  const shows = (answer: DnsAnswer, tld: string) =>
    resolvers.canaryOf(answer).showsDelegations(tld, ["google"]);
  assertEquals([await shows(answer, "com"), await shows(mute, "com")], [false, true]);
  assertEquals([await shows(answer, "net"), await shows(mute, "net")], [true, false]);
  assertEquals(first.asked, ["free.com", "mute.com", "google.com", "google.net"]);
  assertEquals(fallback.asked, ["mute.com", "google.com", "google.net"]);
  assertEquals(resolvers.blindFor(), ["com"], "of the first resolver");
});

Deno.test("noteAnswers() records for each resolver that answered whether it shows a delegation", async () => {
  const { resolvers, first, fallback } = createBoth({}, {});
  const [byFirst, byFallback] = [NONE, { ...NONE, resolver: "fallback" as const }];
  const shows = (answer: DnsAnswer) =>
    resolvers.canaryOf(answer).showsDelegations("com", ["google"]);
  const shown = { ...SHOWN, resolver: "fallback" as const };
  resolvers.noteAnswers("com", [NONE, DOWN, shown]);
  assertEquals(resolvers.blindFor(), ["com"]);
  assertEquals([await shows(byFirst), await shows(byFallback)], [false, true]);
  resolvers.noteAnswers("com", [NONE, SHOWN]);
  assertEquals([await shows(byFirst), await shows(byFallback)], [true, true], "no news of it");
  resolvers.noteAnswers("com", [SHOWN, byFallback]);
  assertEquals([await shows(byFirst), await shows(byFallback)], [true, false]);
  assertEquals([first.asked, fallback.asked], [["google.com"], ["google.com"]]);
});

/** No packet can be sent to this address, so that a question to such a resolver fails at once. */
const UNREACHABLE = "255.255.255.255";

/** A service whose first resolver fails; the second one is the lab's unless given. */
function startWithFallback(lab: Lab, { fallback = lab.dnsServer, now = Date.now } = {}) {
  const env = { TLDS: "com", DNS_SERVER: UNREACHABLE, DNS_FALLBACK_SERVER: fallback };
  return startService(lab, { env, now });
}

/** A row with the entry of DNS; the verdict must follow from its entries. */
async function explained(service: RunningService, label: string) {
  const { body } = await service.get(`/check?name=${label}&tld=com&evidence=1`);
  const [row] = body.results;
  assertEquals(stateOf(verdictOfEntries(row.evidence)), row.state);
  const [{ witness, host, means }] = row.evidence;
  return { state: row.state, error: row.error ?? "", dns: [witness, host, means] };
}

Deno.test("a name is available when the first resolver fails and the second shows no name servers", async () => {
  await using lab = await startLab();
  await using service = await startWithFallback(lab);
  assertEquals(await explained(service, "free-name"), {
    state: "available",
    error: "",
    dns: ["dns", "fallback", "not_delegated"],
  });
  const { body } = await service.get("/health");
  assertEquals([body.status, body.checks.dns], ["degraded", "failing"], "the first one");
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  assertMatch(metrics, /availability_gate_wait_seconds_count\{host="dns_fallback"\} [1-9]/);
});

Deno.test("a name is taken when the first resolver fails and the second shows name servers", async () => {
  await using lab = await startLab();
  await using service = await startWithFallback(lab);
  const { state, dns } = await explained(service, "taken");
  assertEquals([state, dns], ["taken", ["dns", "fallback", "delegated"]]);
  const { body } = await service.get("/check?name=taken&tld=com&depth=dns");
  assertEquals(body.results[0].state, "taken");
});

Deno.test("a second resolver that denies every name confirms no 404", async () => {
  await using lab = await startLab();
  let now = Date.now();
  await using service = await startWithFallback(lab, { now: () => now });
  assertEquals((await service.check("one-name.com")).state, "available");
  for (const seed of ["google", "nic", "amazon"]) {
    lab.script(seed, { dns: "nxdomain", rdap: "registered" });
  }
  now += 1_999;
  assertEquals((await service.check("in-time.com")).state, "available");
  now += 1;
  const { state, error, dns } = await explained(service, "another-name");
  assertEquals([state, dns], ["unknown", ["dns", "fallback", "blind"]]);
  assertMatch(error, /DNS could not confirm it: the fallback resolver does not show google\.com/);
});

Deno.test("a second resolver is not tested when it has just shown a client's name as delegated", async () => {
  await using lab = await startLab();
  let now = Date.now();
  await using service = await startWithFallback(lab, { now: () => now });
  await service.check("one-name.com");
  now += 2_000;
  await service.check("taken.com");
  lab.clear();
  assertEquals((await service.check("another-name.com")).state, "available");
  const names = lab.dnsQueries.map(({ name }) => name.replace(/^[a-z]{30}\./, "<random>."));
  assertEquals(names.toSorted(), ["<random>.com", "another-name.com"]);
});

Deno.test("a second resolver that denies every name does not help to test a registry", async () => {
  await using lab = await startLab();
  await using blind = await startDnsServer({ answer: () => ({ kind: "nxdomain" }) });
  await using service = await startWithFallback(lab, { fallback: blind.address });
  const { state, error } = await explained(service, "free-name");
  assertEquals(state, "unknown");
  assertMatch(error, /could not be tested: no registered name was found/);
});

Deno.test("a name is unknown when both resolvers fail", async () => {
  await using lab = await startLab();
  await using service = await startWithFallback(lab, { fallback: UNREACHABLE });
  const { state, error, dns } = await explained(service, "free-name");
  assertEquals([state, dns], ["unknown", ["dns", "resolver", "no_answer"]]);
  assertMatch(error, /DNS could not confirm it: the look-up failed$/);
  assertEquals((await service.check("undelegated.com")).state, "taken", "by the registry");
});

Deno.test("a second resolver gets no question while the first one answers", async () => {
  await using lab = await startLab();
  const answer = (): DnsBehaviour => ({ kind: "delegated" });
  await using fallback = await startDnsServer({ answer });
  const env = { TLDS: "com", DNS_FALLBACK_SERVER: fallback.address };
  await using service = await startService(lab, { env });
  const names = ["free-name", "taken", "undelegated", "dns-servfail", "dns-refused", "xn--a"];
  const states: string[] = [];
  for (const name of names) states.push((await service.check(`${name}.com`)).state);
  assertEquals(states, ["available", "taken", "taken", "taken", "taken", "reserved"]);
  assertEquals(fallback.queries, []);
  assertEquals((await service.get("/health")).body.checks.dns, "ok");
});

Deno.test("evidence=1 names no resolver for an answer from KV when there are two", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  const start = async (env: Record<string, string>) =>
    await startService(lab, { env: { TLDS: "com", ...env }, kv: await file.open() });
  await using one = await start({});
  assertEquals((await explained(one, "taken")).dns, ["dns", "resolver", "delegated"]);
  await using two = await start({ DNS_FALLBACK_SERVER: lab.dnsServer });
  assertEquals((await explained(two, "taken")).dns, ["dns", "", "delegated"]);
  await using three = await start({});
  assertEquals((await explained(three, "taken")).dns, ["dns", "resolver", "delegated"]);
});
