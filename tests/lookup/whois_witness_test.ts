import { assertEquals } from "@std/assert";
import { createBackground } from "../../src/flow/process.ts";
import type { Domain } from "../../src/rules/name.ts";
import { createServerTests } from "../../src/lookup/server_tests.ts";
import { createWhoisWitness, whoisKind } from "../../src/lookup/whois_witness.ts";
import type { WhoisFault, WhoisText } from "../../src/rules/answer.ts";
import type { ServerRecord } from "../../src/rules/tested_server.ts";
import { WHOIS_FORMS } from "../lab/whois_forms.ts";
import type { WhoisQueries } from "../../src/lookup/registries.ts";
import { whoisServerOf } from "../../src/rules/tables/hosts.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const form = WHOIS_FORMS.com!;
const IO = { label: "zebra", tld: "io" };

const text = (text: string): WhoisText => ({ kind: "text", text, askedAt: 0 });
const DOWN: WhoisText = { kind: "failed", fault: "down", why: "silent" };

/** How the server answers for a domain. */
type Answer = (domain: string) => WhoisText | Promise<WhoisText>;

const usual: Answer = (domain) =>
  text(/^(google|kept)\./.test(domain) ? form.record(domain) : form.denial(domain));

/** A witness on a server that answers like this, and on a clock that the test sets. */
function openWitness() {
  const stored = new Map<string, ServerRecord>();
  const server = {
    answer: usual,
    now: 0,
    asked: [] as string[],
    noted: [] as (WhoisFault | undefined)[],
  };
  const background = createBackground((error) => {
    throw error;
  });
  const queries: WhoisQueries = {
    async ask(_, domain) {
      server.asked.push(domain.replace(/^(?:[a-z]{24}|[a-z]{12})\./, "<made-up>."));
      const askedAt = clock.now();
      const reply = await server.answer(domain);
      return reply.kind === "text" ? { ...reply, askedAt } : reply;
    },
    note: (_, failure) => void server.noted.push(failure?.fault),
    retryMs: () => Promise.resolve(500),
  };
  const clock = { now: () => DAY_MS + server.now, monotonic: () => server.now };
  const tests = createServerTests(whoisKind(queries), {
    store: {
      version: () => Promise.resolve(JSON.stringify([...stored])),
      list: () => Promise.resolve(new Map(stored)),
      change(tld, next) {
        stored.set(tld, next(stored.get(tld)));
        return Promise.resolve(stored.get(tld));
      },
    },
    names: { delegated: () => Promise.resolve(["google", "nic", "amazon"]) },
    background,
    ending: new AbortController().signal,
    log: { debug() {}, info() {}, warn() {} },
    ...clock,
  });
  const witness = createWhoisWitness({
    serverOf: (tld) => Promise.resolve(whoisServerOf(tld)),
    queries,
    tests,
    isOff: false,
    background,
    now: clock.now,
  });
  /** As a check does after RDAP gave no usable answer. */
  const ask = (domain: Domain) => witness.ask(domain, {}, true);
  const kindOf = async (label: string) => (await ask({ label, tld: "com" }))?.kind;
  /** What the needed server of io says of a name. */
  const kindNow = async () => (await ask(IO))?.kind;
  return { server, ask, kindOf, kindNow, needed: witness.needed, settled: background.settled };
}

Deno.test("askWhois() does not believe a denial that was asked before the first pass after a failure", async () => {
  const { server, kindOf } = openWitness();
  server.answer = (domain) => text(form.denial(domain));
  assertEquals(await kindOf("zebra"), undefined);
  server.answer = usual;
  server.now += 10 * MINUTE_MS;
  assertEquals(await kindOf("zebra"), undefined);
  server.now++;
  assertEquals(await kindOf("zebra"), "notFound");
});

Deno.test("askWhois() does not believe a denial that waited in the queue while the server failed a test", async () => {
  const { server, ask, settled } = await openNeeded();
  const queue = Promise.withResolvers<WhoisText>();
  server.answer = (domain) => domain === "zebra.io" ? queue.promise : text(form.record(domain));
  const waiting = ask(IO);
  server.now += 90 * MINUTE_MS;
  assertEquals((await ask({ label: "yak", tld: "io" }))?.kind, "missing");
  queue.resolve(text(form.denial("zebra.io")));
  assertEquals((await waiting)?.kind, "missing");
  await settled();
});

Deno.test("askWhois() needs the word of a TLD's server about names under its suffixes, too", async () => {
  const { server, ask } = openWitness();
  const below = { label: "zebra", tld: "com.io" };
  assertEquals((await ask(below))?.kind, "notFound");
  server.answer = () => DOWN;
  assertEquals((await ask(below))?.kind, "missing");
});

Deno.test("askWhois() asks about a random name where words may be about the query or about the name", async () => {
  const { server, ask, kindOf } = openWitness();
  await kindOf("zebra");
  const words = "This domain name is on the registry's blacklist and cannot be registered";
  server.answer = (domain) => domain === "kept.com" ? text(words) : usual(domain);
  server.asked.length = server.noted.length = 0;
  assertEquals(await ask({ label: "kept", tld: "com" }), {
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
    const { server, kindNow } = await openNeeded();
    server.answer = () => text(trouble);
    assertEquals((await kindNow()) === "notFound", false);
    assertEquals(server.asked.slice(1), ["<made-up>.io", "google.io"]);
    server.now += MINUTE_MS;
    assertEquals(await kindNow(), "missing");
  }
});

Deno.test("askWhois() takes other words for a form of names for no denial, and has them for names of no form", async () => {
  const { server, kindOf } = openWitness();
  const held = /^held\.|[-\d].*\./;
  server.answer = (domain) => held.test(domain) ? text("No watch") : usual(domain);
  for (const label of ["one-two-three", "12345", "held", "zebra"]) {
    assertEquals(await kindOf(label), label === "zebra" ? "notFound" : "unread", label);
    server.now += MINUTE_MS;
  }
});

/** A needed server that has passed its test. */
async function openNeeded() {
  const opened = openWitness();
  assertEquals((await opened.ask(IO))?.kind, "notFound");
  opened.server.asked.length = 0;
  return opened;
}

Deno.test("askWhois() never goes without a needed server because it refuses our queries", async () => {
  const closed: Answer = () => ({ ...DOWN, testFault: "refused" });
  const refusal = text("Query limit exceeded");
  const lately: Answer = (domain) => /^google/.test(domain) ? refusal : usual(domain);
  for (const refuse of [() => refusal, closed, lately]) {
    const { server, kindNow } = openWitness();
    server.answer = refuse;
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

Deno.test("askWhois() goes without a needed server that has been out of reach for 15 minutes", async () => {
  const { server, ask, kindNow, needed, kindOf, settled } = await openNeeded();
  assertEquals(needed(), [{ tld: "io", host: "whois.nic.io" }]);
  server.answer = () => ({ ...DOWN, testFault: "unreachable" });
  assertEquals(await kindNow(), "missing");
  await settled();
  server.now += 15 * MINUTE_MS - 1;
  assertEquals(await kindNow(), "missing");
  server.now += MINUTE_MS;
  assertEquals(await kindNow(), "absent");
  server.asked.length = 0;
  assertEquals(await kindNow(), "absent");
  assertEquals(server.asked.includes("zebra.io"), false, "no client waits for it");
  const why = `It could not be reached since ${new Date(DAY_MS).toISOString()}`;
  assertEquals(needed(), [{ tld: "io", host: "whois.nic.io", outOfService: why }]);
  // Another server's fault says nothing of this one.
  server.answer = usual;
  assertEquals(await kindOf("zebra"), "notFound");
  // Its test in the background shows that it is back.
  server.now += MINUTE_MS;
  await ask(IO);
  await settled();
  assertEquals(await kindNow(), "notFound");
  assertEquals(needed(), [{ tld: "io", host: "whois.nic.io" }]);
});

Deno.test("askWhois() asks a needed server again that could not be reached when it was last asked, long ago", async () => {
  for (const [faults, idleMs] of [[1, 16 * MINUTE_MS], [2, HOUR_MS]] as const) {
    const { server, kindNow, settled } = await openNeeded();
    for (let n = 0; n < faults; n++) {
      if (n > 0) server.now += 16 * MINUTE_MS;
      server.answer = () => ({ ...DOWN, testFault: "unreachable" });
      assertEquals(await kindNow(), n === 0 ? "missing" : "absent");
    }
    await settled();
    server.now += idleMs;
    server.answer = usual;
    assertEquals(await kindNow(), "notFound");
  }
});
