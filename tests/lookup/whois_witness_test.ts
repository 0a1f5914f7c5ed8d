import { assertEquals } from "@std/assert";
import { createBackground } from "../../src/flow/process.ts";
import type { WaitOptions } from "../../src/flow/upstream_host.ts";
import type { Witnesses } from "../../src/lookup/judge.ts";
import type { Domain } from "../../src/rules/name.ts";
import { createServerTests } from "../../src/lookup/server_tests.ts";
import { createWhoisWitness, whoisKind } from "../../src/lookup/whois_witness.ts";
import type { WhoisAnswer, WhoisFault, WhoisText } from "../../src/rules/answer.ts";
import type { ServerRecord } from "../../src/rules/tested_server.ts";
import { WHOIS_FORMS } from "../lab/whois_forms.ts";
import type { WhoisQueries } from "../../src/lookup/registries.ts";
import { whoisServerOf } from "../../src/rules/tables/hosts.ts";
import { checksBy } from "../support/checks.ts";
import { NO_DETAILS } from "../support/no_details.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const form = WHOIS_FORMS.com!;

const text = (text: string): WhoisText => ({ kind: "text", text, askedAt: 0 });
const DOWN: WhoisText = { kind: "failed", fault: "down", why: "silent" };

/** How the server answers for a domain; undefined: the query is not sent. */
type Answer = (domain: string) => WhoisText | undefined | Promise<WhoisText | undefined>;

const usual: Answer = (domain) =>
  text(/^(google|kept)\./.test(domain) ? form.record(domain) : form.denial(domain));

/** A witness on a server that answers like this, and on a clock that the test sets. */
function openWitness(
  { labels = ["google", "nic", "amazon"], stored = new Map() }: {
    labels?: string[];
    /** The records in KV. */
    stored?: Map<string, ServerRecord>;
  } = {},
) {
  const server = {
    answer: usual,
    now: 0,
    retryMs: 500,
    isCooling: false,
    asked: [] as string[],
    noted: [] as (WhoisFault | undefined)[],
    logged: [] as unknown[],
  };
  const background = createBackground((error) => {
    throw error;
  });
  const queries: WhoisQueries = {
    async ask(_, domain) {
      if (server.isCooling) return undefined;
      server.asked.push(domain.replace(/^(?:[a-z]{30}|[a-z]{12})\./, "<made-up>."));
      const askedAt = clock.now();
      const reply = await server.answer(domain);
      return reply?.kind === "text" ? { ...reply, askedAt } : reply;
    },
    note: (_, failure) => void server.noted.push(failure?.fault),
    retryMs: () => Promise.resolve(server.retryMs),
  };
  const clock = { now: () => DAY_MS + server.now, monotonic: () => server.now };
  const log = (_: string, fields?: Readonly<Record<string, unknown>>) =>
    void server.logged.push(fields?.kind);
  const tests = createServerTests(whoisKind(queries, () => undefined), {
    store: {
      version: () => Promise.resolve(JSON.stringify([...stored])),
      list: () => Promise.resolve(new Map(stored)),
      change(tld, next) {
        stored.set(tld, next(stored.get(tld)));
        return Promise.resolve(stored.get(tld));
      },
    },
    names: { delegated: () => Promise.resolve(labels) },
    background,
    ending: new AbortController().signal,
    log: { debug: log, info: log, warn: log },
    ...clock,
  });
  const witness = createWhoisWitness({
    serverOf: (tld) => Promise.resolve(whoisServerOf(tld)),
    queries,
    tests,
    background,
    now: clock.now,
  });
  /** As a check does after RDAP gave no usable answer. */
  const ask = (domain: Domain, wait: WaitOptions, isFallback = true) =>
    witness.ask(domain, wait, isFallback);
  const kindOf = async (label: string, wait: WaitOptions = {}) =>
    (await ask({ label, tld: "com" }, wait))?.kind;
  return { server, ask, kindOf, needed: witness.needed, settled: background.settled };
}

const TEST = ["<made-up>.com", "<made-up>.com", "google.com"];

Deno.test("askWhois() tests a server beside the first question, once for all callers and for 90 minutes", async () => {
  const { server, kindOf } = openWitness();
  const kinds = await Promise.all(["zebra", "kept", "yak"].map((label) => kindOf(label)));
  assertEquals(kinds, ["notFound", "registered", "notFound"]);
  assertEquals(server.asked.toSorted(), [...TEST, "kept.com", "yak.com", "zebra.com"]);
  server.asked.length = 0;
  server.now = 90 * MINUTE_MS - 1;
  assertEquals([await kindOf("xerus"), server.asked], ["notFound", ["xerus.com"]]);
  server.asked.length = 0;
  server.now++;
  assertEquals(await kindOf("wolf"), "notFound");
  assertEquals(server.asked.toSorted(), [...TEST, "wolf.com"]);
});

/** Servers that fail the test, or of which it finds out nothing. */
const FAILING: [string, Answer, "failed" | "undecided"][] = [
  ["does not answer", () => DOWN, "undecided"],
  ["has a record of every name", (domain) => text(form.record(domain)), "failed"],
  ["denies every name", (domain) => text(form.denial(domain)), "failed"],
  ["repeats the name", (domain) => text(domain), "failed"],
  ["reserves every name", () => text("This name is not available for registration."), "failed"],
  [
    "does not answer for a made-up name",
    (domain) => domain.length > 30 ? DOWN : usual(domain),
    "undecided",
  ],
];

for (const [how, answer, result] of FAILING) {
  Deno.test(`askWhois() believes no word of a server that ${how}, and tests it again later`, async () => {
    const { server, ask, kindOf, settled } = openWitness();
    server.answer = answer;
    const said = await ask({ label: "zebra", tld: "com" }, {});
    const isRecord = how === "has a record of every name";
    const [kind, test] = isRecord ? ["registered", "failed"] : [];
    assertEquals([said?.kind, said && "test" in said ? said.test : undefined], [kind, test]);
    assertEquals(server.logged, [result]);
    server.now += (result === "failed" ? 10 : 1) * MINUTE_MS - 1;
    server.answer = usual;
    server.asked.length = 0;
    assertEquals(await kindOf("zebra"), undefined);
    assertEquals(server.asked.filter((name) => name !== "zebra.com"), []);
    server.now++;
    // What was asked between a failure and the pass after it is not believed.
    assertEquals(await kindOf("zebra"), result === "failed" ? undefined : "notFound");
    server.now++;
    assertEquals(await kindOf("zebra"), "notFound");
    await settled();
  });
}

Deno.test("askWhois() does not believe a denial that waited in the queue while the server failed a test", async () => {
  const { server, ask, settled } = await openNeeded();
  const queue = Promise.withResolvers<WhoisText>();
  server.answer = (domain) => domain === "zebra.io" ? queue.promise : text(form.record(domain));
  const waiting = ask(IO, {});
  server.now += 90 * MINUTE_MS;
  assertEquals((await ask({ label: "yak", tld: "io" }, {}))?.kind, "missing");
  queue.resolve(text(form.denial("zebra.io")));
  assertEquals((await waiting)?.kind, "missing");
  await settled();
});

Deno.test("askWhois() marks a record from a server that has not passed its test, and gives none where its word is needed", async () => {
  const { server, ask } = openWitness();
  const recordOf = async (tld: string) => {
    const said = await ask({ label: "kept", tld }, {});
    return said?.kind === "registered" ? said.test : said?.kind;
  };
  server.answer = (domain) => domain.startsWith("google.") ? undefined : usual(domain);
  assertEquals([await recordOf("com"), await recordOf("io")], ["undecided", "missing"]);
  server.now = MINUTE_MS;
  server.answer = usual;
  assertEquals([await recordOf("com"), await recordOf("io")], [undefined, undefined], "passed");
});

Deno.test("askWhois() asks nothing for a TLD without a server, a server in a cooldown and a client that has left", async () => {
  const { server, ask, kindOf } = openWitness();
  assertEquals(await ask({ label: "zebra", tld: "dev" }, {}), undefined);
  assertEquals(await kindOf("zebra", { signal: AbortSignal.abort() }), undefined);
  server.isCooling = true;
  assertEquals(await kindOf("zebra"), "missing");
  assertEquals(server.asked, []);
});

Deno.test("askWhois() asks about a random name where words may be about the query or about the name", async () => {
  const { server, ask, kindOf } = openWitness();
  await kindOf("zebra");
  const words = "This domain name is on the registry's blacklist and cannot be registered";
  server.answer = (domain) => domain === "kept.com" ? text(words) : usual(domain);
  server.asked.length = server.noted.length = 0;
  assertEquals(await ask({ label: "kept", tld: "com" }, {}), {
    kind: "reserved",
    askedAt: DAY_MS,
    words,
    host: "whois.verisign-grs.com",
    said: words,
  });
  assertEquals(server.asked, ["kept.com", "<made-up>.com", "google.com"]);
  assertEquals(server.noted, [undefined], "the server refused nothing");
  server.now += MINUTE_MS;
  server.answer = () => text(words);
  assertEquals(await kindOf("zebra"), "failed");
  assertEquals(server.noted.slice(1), ["limited", "limited"]);
});

Deno.test("askWhois() learns what varies from the text for another random name, once a minute", async () => {
  const { server, kindOf } = openWitness();
  await kindOf("zebra");
  server.answer = (domain) => domain === "kept.com" ? text("Gesperrt") : usual(domain);
  const learning = ["kept.com", "<made-up>.com", "google.com"];
  for (const asked of [learning, ["kept.com"], learning]) {
    server.asked.length = 0;
    assertEquals([await kindOf("kept"), server.asked], ["unread", asked]);
    server.now += MINUTE_MS / 2;
  }
  server.answer = (domain) =>
    text(domain === "google.com" ? form.record(domain) : `Nothing here for ${domain}.`);
  assertEquals(await kindOf("yak"), "unread");
  server.now += MINUTE_MS;
  assertEquals(await kindOf("yak"), "notFound");
});

Deno.test("askWhois() learns no words of a server in trouble, which has them for a registered name, too", async () => {
  for (const trouble of ["The WHOIS system is under maintenance.", "Server overload"]) {
    const { server, ask } = await openNeeded();
    server.answer = () => text(trouble);
    const kindNow = async () => (await ask(IO, {}))?.kind;
    assertEquals((await kindNow()) === "notFound", false);
    assertEquals(server.asked.slice(1), ["<made-up>.io", "google.io"]);
    server.now += MINUTE_MS;
    assertEquals(await kindNow(), "missing");
  }
});

Deno.test("askWhois() reports how the server answered, and a question that was not sent", async () => {
  const { server, kindOf } = openWitness();
  await kindOf("zebra");
  server.noted.length = 0;
  const fault = async (answer: Answer) => {
    server.answer = answer;
    return await kindOf("zebra");
  };
  assertEquals(await fault(() => DOWN), "failed");
  assertEquals(await fault(() => undefined), "missing");
  assertEquals(await fault(usual), "notFound");
  assertEquals(server.noted, ["down", undefined]);
});

Deno.test("askWhois() reads an IDN in the form that the server prints", async () => {
  const { server, kindOf } = openWitness();
  const printed = (name: string): Answer => (domain) =>
    domain.startsWith("xn--") ? text(form.record(name)) : usual(domain);
  server.answer = printed("bücher.com");
  assertEquals(await kindOf("xn--bcher-kva"), "registered");
  assertEquals(await kindOf("xn--invalid-"), "unread");
});

const IO = { label: "zebra", tld: "io" };

/** A needed server that has passed its test. */
async function openNeeded(options: Parameters<typeof openWitness>[0] = {}) {
  const opened = openWitness(options);
  assertEquals((await opened.ask(IO, {}))?.kind, "notFound");
  opened.server.asked.length = 0;
  return opened;
}

Deno.test("askWhois() says that a needed server is missing, and when to ask again, where it was not asked or did not answer", async () => {
  const { server, ask } = await openNeeded();
  server.retryMs = 7_000;
  const missing = async (answer: Answer, isCooling = false) => {
    server.answer = answer;
    server.isCooling = isCooling;
    const said = await ask(IO, {});
    return said?.kind === "missing" ? [said.fault, said.retryAfterMs, said.host] : said?.kind;
  };
  const host = "whois.nic.io";
  assertEquals(await missing(usual, true), ["unasked", 7_000, host], "a pause");
  assertEquals(await missing(() => undefined), ["unasked", 7_000, host], "its queue");
  assertEquals(await missing(() => DOWN), ["down", 7_000, host]);
  const limited = () => text("Query limit exceeded");
  assertEquals(await missing(limited), ["limited", 7_000, host]);
  assertEquals(await missing(usual), "notFound");
});

Deno.test("askWhois() never goes without a needed server because it refuses our queries", async () => {
  const closed: Answer = () => ({ ...DOWN, isClosed: true });
  for (const refuse of [() => text("Query limit exceeded"), closed]) {
    const { server, ask } = openWitness();
    server.answer = refuse;
    const kindNow = async () => (await ask(IO, {}))?.kind;
    assertEquals(await kindNow(), "missing");
    server.now += DAY_MS - MINUTE_MS;
    assertEquals(await kindNow(), "missing");
    server.now += DAY_MS - MINUTE_MS;
    assertEquals(await kindNow(), "missing");
    server.now += MINUTE_MS;
    server.answer = usual;
    assertEquals(await kindNow(), "notFound", "the client that comes back waits for the test");
  }
});

Deno.test("askWhois() goes without a needed server that has not passed a test for a day, or has been out of reach for 15 minutes", async () => {
  const never = openWitness();
  never.server.answer = () => text(form.record("zebra.io"));
  assertEquals((await never.ask(IO, {}))?.kind, "missing");
  never.server.now += DAY_MS;
  assertEquals(await never.ask(IO, {}), {
    kind: "absent",
    why: "Its WHOIS server has a record of a made-up name",
    host: "whois.nic.io",
  });
  await never.settled();
  const { server, ask, needed, kindOf, settled } = await openNeeded();
  assertEquals(needed(), [{ tld: "io", host: "whois.nic.io" }]);
  server.answer = () => ({ ...DOWN, isUnreachable: true });
  assertEquals((await ask(IO, {}))?.kind, "missing");
  await settled();
  server.now += 15 * MINUTE_MS - 1;
  assertEquals((await ask(IO, {}))?.kind, "missing");
  server.now += MINUTE_MS;
  assertEquals((await ask(IO, {}))?.kind, "absent");
  const why = `It could not be reached since ${new Date(DAY_MS).toISOString()}`;
  assertEquals(needed(), [{ tld: "io", host: "whois.nic.io", outOfService: why }]);
  // Another server's fault says nothing of this one.
  server.answer = usual;
  assertEquals(await kindOf("zebra"), "notFound");
  // Its test in the background shows that it is back.
  server.now += MINUTE_MS;
  await ask(IO, {});
  await settled();
  assertEquals((await ask(IO, {}))?.kind, "notFound");
  assertEquals(needed(), [{ tld: "io", host: "whois.nic.io" }]);
});

Deno.test("askWhois() of another process waits for no test that KV has the result of", async () => {
  const stored = new Map<string, ServerRecord>();
  const { server, ask, settled } = await openNeeded({ stored });
  await settled();
  const other = openWitness({ stored });
  assertEquals((await other.ask(IO, {}))?.kind, "notFound");
  assertEquals(other.server.asked, ["zebra.io"]);
  server.answer = () => ({ ...DOWN, isUnreachable: true });
  await ask(IO, {});
  await settled();
  server.now += 15 * MINUTE_MS;
  await ask(IO, {});
  await settled();
  const second = openWitness({ stored });
  second.server.now = server.now;
  second.server.answer = () => new Promise<never>(() => {});
  assertEquals((await second.ask(IO, {}))?.kind, "absent");
});

Deno.test("askWhois() asks a needed server again that could not be reached when it was last asked, long ago", async () => {
  for (const [faults, idleMs] of [[1, 16 * MINUTE_MS], [2, HOUR_MS]] as const) {
    const { server, ask, settled } = await openNeeded();
    for (let n = 0; n < faults; n++) {
      if (n > 0) server.now += 16 * MINUTE_MS;
      server.answer = () => ({ ...DOWN, isUnreachable: true });
      assertEquals((await ask(IO, {}))?.kind, n === 0 ? "missing" : "absent");
    }
    await settled();
    server.now += idleMs;
    server.answer = usual;
    assertEquals((await ask(IO, {}))?.kind, "notFound");
  }
});

Deno.test("askWhois() asks where WHOIS is not needed only if RDAP has no usable answer", async () => {
  const { server, ask } = openWitness();
  const kept = { label: "kept", tld: "com" };
  assertEquals([await ask(kept, {}, false), server.asked], [undefined, []]);
  assertEquals((await ask(kept, {}))?.kind, "registered");
  assertEquals((await ask(IO, {}, false))?.kind, "notFound", "it is needed");
});

/** The checks of domains on these sources, and the source and time of each answer that was cached. */
function openChecks(sources: Pick<Witnesses, "registries" | "askWhois">) {
  const stored: unknown[] = [];
  const checks = checksBy({
    sources: {
      isDelegated: (domain) =>
        Promise.resolve({ kind: domain === "taken.com" ? "delegated" : "none", askedAt: 3 }),
      ...sources,
    },
    cache: {
      peek: () => undefined,
      get: () => Promise.resolve(undefined),
      set(_, kept) {
        stored.push([kept.value.source, kept.askedAt]);
        return Promise.resolve(kept);
      },
    },
    now: () => 9,
  });
  return { ...checks, stored };
}

Deno.test("renewDomain() asks WHOIS with background priority, and a name in DNS asks nothing", async () => {
  const asked: (string | undefined)[] = [];
  const reserved: WhoisAnswer = { kind: "reserved", askedAt: 5, words: "Blocked" };
  const { checkDomain, renewDomain, stored } = openChecks({
    registries: { ask: () => Promise.resolve({ kind: "notFound", askedAt: 4, statements: [] }) },
    askWhois({ label }, { priority }) {
      asked.push(`${label} ${priority}`);
      return Promise.resolve(reserved);
    },
  });
  assertEquals(await renewDomain("zebra", "com", 10), "renewed");
  assertEquals((await checkDomain("taken", "com")).state, "taken");
  assertEquals((await checkDomain("yak", "com")).state, "reserved");
  assertEquals(asked, ["zebra background", "yak undefined"]);
  assertEquals(stored, [["whois", 5], ["dns", 3], ["whois", 5]]);
});

Deno.test("checkDomain() asks WHOIS after RDAP's question is queued, and does not wait for it if RDAP has a record", async () => {
  const asked: string[] = [];
  const { checkDomain } = openChecks({
    registries: {
      ask() {
        asked.push("rdap");
        return Promise.resolve({ kind: "registered", askedAt: 4, details: NO_DETAILS });
      },
    },
    askWhois() {
      asked.push("whois");
      return new Promise(() => {});
    },
  });
  const { state, source } = await checkDomain("zebra", "com");
  assertEquals([state, source, asked], ["taken", "rdap", ["rdap", "whois"]]);
});
