import { assertEquals } from "@std/assert";
import { createBackground } from "../../src/flow/background.ts";
import type { WaitOptions } from "../../src/flow/queue/gate.ts";
import { createCheckDomain } from "../../src/lookup/check_domain.ts";
import type { Witnesses } from "../../src/lookup/judge.ts";
import type { WhoisFault, WhoisText } from "../../src/lookup/whois_queries.ts";
import { createWhoisWitness } from "../../src/lookup/whois_witness.ts";
import type { WhoisAnswer } from "../../src/rules/answer.ts";
import { WHOIS_FORMS } from "../lab/whois_forms.ts";
import { FakeTime } from "../support/fake_time.ts";
import { TRUSTED } from "../support/trusted_sources.ts";

const MINUTE_MS = 60_000;
const form = WHOIS_FORMS.com!;

const text = (text: string): WhoisText => ({ kind: "text", text, askedAt: 7 });
const DOWN: WhoisText = { kind: "failed", fault: "down", why: "silent" };

/** How the server answers for a domain; undefined: the query is not sent. */
type Answer = (domain: string) => WhoisText | undefined | Promise<WhoisText | undefined>;

const usual: Answer = (domain) =>
  text(/^(google|kept)\./.test(domain) ? form.record(domain) : form.denial(domain));

/** A witness on a server that answers like this, and on a clock that the test sets. */
function openWitness({ labels = ["google", "nic", "amazon"] } = {}) {
  const server = {
    answer: usual,
    now: 0,
    isCooling: false,
    asked: [] as string[],
    noted: [] as (WhoisFault | undefined)[],
    logged: [] as unknown[],
  };
  const background = createBackground((error) => {
    throw error;
  });
  const ask = createWhoisWitness({
    queries: {
      async ask(_, domain) {
        server.asked.push(domain.replace(/^[a-z]{30}\./, "<made-up>."));
        return await server.answer(domain);
      },
      note: (_, failure) => void server.noted.push(failure?.fault),
      isCooling: () => server.isCooling,
    },
    labelsOf: () => Promise.resolve(labels),
    background,
    report: (_, fields) => void server.logged.push(fields?.kind),
    onReading() {},
    monotonic: () => server.now,
    maxWaitMs: 1_000,
  });
  const kindOf = async (label: string, wait: WaitOptions = {}) =>
    (await ask({ label, tld: "com" }, wait))?.kind;
  return { server, ask, kindOf, settled: background.settled };
}

const TEST = ["<made-up>.com", "google.com"];

Deno.test("askWhois() tests a server beside the first question, once for all callers and for an hour", async () => {
  const { server, kindOf } = openWitness();
  const kinds = await Promise.all(["zebra", "kept", "yak"].map((label) => kindOf(label)));
  assertEquals(kinds, ["notFound", "registered", "notFound"]);
  assertEquals(server.asked.toSorted(), [...TEST, "kept.com", "yak.com", "zebra.com"]);
  server.asked.length = 0;
  server.now = 60 * MINUTE_MS - 1;
  assertEquals([await kindOf("xerus"), server.asked], ["notFound", ["xerus.com"]]);
  server.asked.length = 0;
  server.now++;
  assertEquals(await kindOf("wolf"), "notFound");
  assertEquals(server.asked.toSorted(), [...TEST, "wolf.com"]);
});

Deno.test("askWhois() tries a second registered name, and no third", async () => {
  const { server, kindOf } = openWitness({ labels: ["seen", "google", "nic"] });
  assertEquals(await kindOf("zebra"), "notFound");
  assertEquals(server.asked.filter((domain) => /seen|google|nic/.test(domain)), [
    "seen.com",
    "google.com",
  ]);
  const other = openWitness({ labels: ["seen", "nic", "google"] });
  assertEquals(await other.kindOf("zebra"), undefined);
});

/** Servers that fail the test. */
const FAILING: [string, Answer][] = [
  ["does not answer", () => DOWN],
  ["has a record of every name", (domain) => text(form.record(domain))],
  ["denies every name", (domain) => text(form.denial(domain))],
  ["repeats the name", (domain) => text(domain)],
  ["reserves every name", () => text("This name is not available for registration.")],
  ["does not answer for a made-up name", (domain) => domain.length > 30 ? DOWN : usual(domain)],
];

for (const [how, answer] of FAILING) {
  Deno.test(`askWhois() does not read a server that ${how}, and tests it again after ten minutes`, async () => {
    const { server, kindOf, settled } = openWitness();
    server.answer = answer;
    assertEquals(await kindOf("zebra"), undefined);
    assertEquals(server.logged, ["failed"]);
    server.asked.length = 0;
    server.now = 10 * MINUTE_MS - 1;
    assertEquals([await kindOf("zebra"), server.asked], [undefined, []]);
    server.answer = usual;
    server.now++;
    // No client waits for the test of a server that has failed.
    assertEquals(await kindOf("zebra"), undefined);
    await settled();
    assertEquals(server.asked.toSorted(), TEST);
    assertEquals(await kindOf("zebra"), "notFound");
  });
}

Deno.test("askWhois() tests again before an answer that changes results, unless a test passed within a minute", async () => {
  const { server, kindOf } = openWitness();
  await kindOf("zebra");
  server.now = MINUTE_MS - 1;
  server.asked.length = 0;
  assertEquals([await kindOf("kept"), server.asked], ["registered", ["kept.com"]]);
  server.now++;
  server.asked.length = 0;
  assertEquals([await kindOf("zebra"), server.asked], ["notFound", ["zebra.com"]]);
  server.asked.length = 0;
  assertEquals(await kindOf("kept"), "registered");
  assertEquals(server.asked.toSorted(), [...TEST, "kept.com"]);
  server.now += MINUTE_MS;
  // A parking server has taken the address.
  server.answer = (domain) => text(form.record(domain));
  assertEquals(await kindOf("other"), undefined);
});

Deno.test("askWhois() keeps no result of a test whose queries were not sent", async () => {
  const { server, kindOf } = openWitness();
  server.answer = () => undefined;
  assertEquals(await kindOf("zebra"), undefined);
  server.answer = usual;
  assertEquals(await kindOf("zebra"), "notFound");
  assertEquals(server.logged, ["passed"]);
  server.answer = (domain) => domain === "google.com" ? undefined : usual(domain);
  server.now = 60 * MINUTE_MS;
  assertEquals(await kindOf("zebra"), undefined);
});

Deno.test("askWhois() asks nothing for a TLD without a server, a server in a cooldown and a client that has left", async () => {
  const { server, ask, kindOf } = openWitness();
  assertEquals(await ask({ label: "zebra", tld: "dev" }, {}), undefined);
  assertEquals(await kindOf("zebra", { signal: AbortSignal.abort() }), undefined);
  server.isCooling = true;
  assertEquals(await kindOf("zebra"), undefined);
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
    askedAt: 7,
    words,
    host: "whois.verisign-grs.com",
    said: words,
  });
  assertEquals(server.asked, ["kept.com", ...TEST]);
  assertEquals(server.noted, [undefined], "the server refused nothing");
  server.answer = () => text(words);
  assertEquals(await kindOf("zebra"), "failed");
  assertEquals(server.noted, [undefined, "limited"]);
});

Deno.test("askWhois() learns what varies from the text for another random name", async () => {
  const { server, kindOf } = openWitness();
  let count = 0;
  server.answer = (domain) =>
    domain === "google.com" ? usual(domain) : text(`No match for ${domain}.\nSerial ${++count}`);
  assertEquals(await kindOf("zebra"), "notFound");
  assertEquals(server.asked, ["<made-up>.com", "zebra.com", "google.com", ...TEST]);
  server.asked.length = 0;
  assertEquals([await kindOf("yak"), server.asked], ["notFound", ["yak.com"]]);
  server.answer = (domain) => domain === "kept.com" ? text("Gesperrt") : usual(domain);
  for (const asked of [["kept.com"], ["kept.com"], ["kept.com", ...TEST]]) {
    server.asked.length = 0;
    assertEquals([await kindOf("kept"), server.asked], ["unread", asked]);
    server.now += MINUTE_MS / 2;
  }
});

Deno.test("askWhois() reports how the server answered, and a question that was not sent", async () => {
  const { server, kindOf, settled } = openWitness();
  await kindOf("zebra");
  server.noted.length = 0;
  const fault = async (answer: Answer) => {
    server.answer = answer;
    return await kindOf("zebra");
  };
  assertEquals(await fault(() => DOWN), "failed");
  assertEquals(await fault(() => text("Query limit exceeded")), "failed");
  assertEquals(await fault(() => undefined), undefined);
  server.now = 10 * MINUTE_MS;
  server.answer = usual;
  await kindOf("zebra");
  await settled();
  assertEquals(
    await fault((domain) => domain === "zebra.com" ? text("zebra.com") : usual(domain)),
    "unread",
  );
  assertEquals(await fault(usual), "notFound");
  assertEquals(server.noted, ["down", "limited", undefined, undefined]);
});

Deno.test("askWhois() reads an IDN in the form that the server prints", async () => {
  const { server, kindOf } = openWitness();
  const printed = (name: string): Answer => (domain) =>
    domain.startsWith("xn--") ? text(form.record(name)) : usual(domain);
  server.answer = printed("bücher.com");
  assertEquals(await kindOf("xn--bcher-kva"), "registered");
  assertEquals(await kindOf("xn--invalid-"), "unread");
});

Deno.test("askWhois() ends the wait after its time, while the query continues", async () => {
  using time = new FakeTime(0);
  const { server, ask, settled } = openWitness();
  const answer = Promise.withResolvers<WhoisText>();
  server.answer = () => answer.promise;
  const asking = ask({ label: "zebra", tld: "com" }, {});
  // And the grace for an answer that has arrived.
  await time.tickAsync(1_000 + 10);
  assertEquals(await asking, {
    kind: "failed",
    why: "The registry's WHOIS server did not answer in time",
  });
  answer.resolve(DOWN);
  await settled();
  assertEquals(server.logged, ["failed"]);
});

/** The checks of domains on these sources, and the source and time of each answer that was cached. */
function openChecks(sources: Pick<Witnesses, "registries" | "askWhois">) {
  const stored: unknown[] = [];
  const checks = createCheckDomain({
    sources: {
      isDelegated: (domain) =>
        Promise.resolve({ kind: domain === "taken.com" ? "delegated" : "none", askedAt: 3 }),
      ...TRUSTED,
      ...sources,
    },
    rowOf: (tld) => Promise.resolve({ tld, rdapBase: "https://registry.example/" }),
    cache: {
      get: () => Promise.resolve(undefined),
      set(_, kept) {
        stored.push([kept.value.source, kept.askedAt]);
        return Promise.resolve(kept);
      },
    },
    background: createBackground(() => {}),
    report() {},
    reportUnread() {},
    reportFault() {},
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
        return Promise.resolve({ kind: "registered", askedAt: 4 });
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
