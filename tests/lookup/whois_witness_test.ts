import { assertEquals } from "@std/assert";
import { createBackground } from "../../src/flow/background.ts";
import type { WaitOptions } from "../../src/flow/upstream_host.ts";
import { createCheckDomain } from "../../src/lookup/check_domain.ts";
import type { Domain, Witnesses } from "../../src/lookup/judge.ts";
import { createWhoisWitness } from "../../src/lookup/whois_witness.ts";
import type { WhoisAnswer, WhoisFault, WhoisText } from "../../src/rules/answer.ts";
import { mergeServices, type WhoisService } from "../../src/rules/whois_service.ts";
import { WHOIS_FORMS } from "../lab/whois_forms.ts";
import { TRUSTED } from "../support/trusted_sources.ts";
import { whoisServerOf } from "../../src/rules/tables/whois_servers.ts";
import { suffixesAt } from "../support/suffixes.ts";
import { NO_DETAILS } from "../support/no_details.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const form = WHOIS_FORMS.com!;

const text = (text: string): WhoisText => ({ kind: "text", text, askedAt: 7 });
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
    stored?: Map<string, WhoisService>;
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
  const witness = createWhoisWitness({
    serverOf: (tld) => Promise.resolve(whoisServerOf(tld)),
    queries: {
      async ask(_, domain) {
        if (server.isCooling) return undefined;
        server.asked.push(domain.replace(/^[a-z]{30}\./, "<made-up>."));
        return await server.answer(domain);
      },
      note: (_, failure) => void server.noted.push(failure?.fault),
      retryMs: () => Promise.resolve(server.retryMs),
    },
    store: {
      get: (tld) => Promise.resolve(stored.get(tld)),
      merge: (tld, service) =>
        Promise.resolve(void stored.set(tld, mergeServices(stored.get(tld), service))),
    },
    labelsOf: () => Promise.resolve(labels),
    background,
    report: (_, fields) => void server.logged.push(fields?.kind),
    onReading() {},
    now: () => DAY_MS + server.now,
    monotonic: () => server.now,
  });
  /** As a check does after RDAP gave no usable answer. */
  const ask = (domain: Domain, wait: WaitOptions, isFallback = true) =>
    witness.ask(domain, wait, isFallback);
  const kindOf = async (label: string, wait: WaitOptions = {}) =>
    (await ask({ label, tld: "com" }, wait))?.kind;
  return { server, ask, kindOf, needed: witness.needed, settled: background.settled };
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
  Deno.test(`askWhois() believes no word of a server that ${how}, and tests it again after a minute, then after longer`, async () => {
    const { server, ask, kindOf, settled } = openWitness();
    server.answer = answer;
    const said = await ask({ label: "zebra", tld: "com" }, {});
    const isRecord = how === "has a record of every name";
    const [kind, test] = isRecord ? ["registered", "failed"] : [];
    assertEquals([said?.kind, said && "test" in said ? said.test : undefined], [kind, test]);
    assertEquals(server.logged, ["failed"]);
    server.asked.length = 0;
    for (const minutes of [1, 2, 4, 8]) {
      server.asked.length = 0;
      server.now += minutes * MINUTE_MS - 1;
      assertEquals([await kindOf("zebra"), server.asked], [undefined, []]);
      server.now++;
      await kindOf("zebra");
      await settled();
      assertEquals(server.asked.length > 0, true);
    }
    server.asked.length = 0;
    server.answer = usual;
    server.now += 10 * MINUTE_MS;
    // No client waits for the test of a server that has failed.
    assertEquals(await kindOf("zebra"), undefined);
    await settled();
    assertEquals(server.asked.toSorted(), TEST);
    assertEquals(await kindOf("zebra"), "notFound");
  });
}

Deno.test("askWhois() tests again before an answer that changes results, unless a test passed within a minute", async () => {
  const { server, ask, kindOf } = openWitness();
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
  const said = await ask({ label: "other", tld: "com" }, {});
  assertEquals(said?.kind === "registered" && said.test, "failed");
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

Deno.test("askWhois() passes on what a server says against a name when its queue leaves no room for a further test", async () => {
  const { server, kindOf } = openWitness();
  assertEquals(await kindOf("zebra"), "notFound");
  server.now = 2 * MINUTE_MS;
  const says = async (words: string) => {
    server.answer = (domain) => domain.startsWith("zebra.") ? text(words) : undefined;
    return await kindOf("zebra");
  };
  assertEquals(
    await says("This name is reserved by the registry"),
    "unread",
    "no reserved for a day",
  );
  assertEquals(await says("This platinum domain is available for purchase"), "premium");
  server.answer = (domain) => domain.startsWith("zebra.") ? text("reserved") : DOWN;
  assertEquals(await kindOf("zebra"), undefined, "its test has failed");
});

Deno.test("askWhois() marks a record from a server that has not passed its test, and gives none where its word is needed", async () => {
  const { server, ask } = openWitness();
  const recordOf = async (tld: string) => {
    const said = await ask({ label: "kept", tld }, {});
    return said?.kind === "registered" ? said.test : said?.kind;
  };
  server.answer = (domain) => domain.startsWith("google.") ? undefined : usual(domain);
  assertEquals([await recordOf("com"), await recordOf("io")], ["undecided", "missing"]);
  server.answer = usual;
  assertEquals([await recordOf("com"), await recordOf("io")], [undefined, undefined], "passed");
  server.now = MINUTE_MS;
  server.answer = (domain) => domain.startsWith("google.") ? DOWN : usual(domain);
  assertEquals(await recordOf("com"), "failed", "since");
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
  assertEquals(await missing(limited), ["limited", MINUTE_MS, host]);
  // The test that followed the refusal failed, too, and is repeated after a minute: a client that waits gets its answer.
  server.now += 1;
  assertEquals(await missing(usual), ["limited", MINUTE_MS - 1, host]);
  server.now += MINUTE_MS - 1;
  assertEquals(await missing(limited), ["limited", 2 * MINUTE_MS, host]);
  server.now += 2 * MINUTE_MS;
  assertEquals(await missing(usual), "notFound");
});

Deno.test("askWhois() does not go without a needed server that refuses the queries of its first test, within a day", async () => {
  const closed: Answer = () => ({ ...DOWN, isClosed: true });
  const begins = (): Answer => {
    let queries = 0;
    return (domain) => ++queries % 3 === 1 ? usual(domain) : text("Query limit exceeded");
  };
  const limited: Answer = () => text("Query limit exceeded");
  for (const refuse of [limited, closed, begins()]) {
    const { server, ask, settled } = openWitness();
    server.answer = refuse;
    const kindNow = async () => (await ask(IO, {}))?.kind;
    await kindNow();
    const refused = await ask(IO, {});
    assertEquals([refused?.kind, refused?.kind === "missing" && refused.fault], [
      "missing",
      "limited",
    ]);
    server.now += DAY_MS - MINUTE_MS;
    assertEquals(await kindNow(), "missing");
    server.now += MINUTE_MS;
    await kindNow();
    assertEquals(await kindNow(), "absent");
    server.now += DAY_MS;
    server.answer = usual;
    assertEquals(await kindNow(), "notFound", "the client that comes back waits for the test");
    await settled();
  }
});

Deno.test("askWhois() goes without a needed server that never passed, or has been out of reach for 15 minutes", async () => {
  const never = openWitness();
  never.server.answer = () => text(form.record("zebra.io"));
  assertEquals(await never.ask(IO, {}), {
    kind: "absent",
    why: "It has a record of a random name",
    host: "whois.nic.io",
  });
  const { server, ask, needed, kindOf, settled } = await openNeeded();
  assertEquals(needed(), [{ tld: "io", host: "whois.nic.io" }]);
  server.answer = () => ({ ...DOWN, isUnreachable: true });
  assertEquals((await ask(IO, {}))?.kind, "missing");
  server.now += 15 * MINUTE_MS - 1;
  assertEquals((await ask(IO, {}))?.kind, "missing");
  server.now++;
  assertEquals((await ask(IO, {}))?.kind, "absent");
  const why = `It could not be reached since ${new Date(DAY_MS).toISOString()}`;
  assertEquals(needed(), [{ tld: "io", host: "whois.nic.io", outOfService: why }]);
  // Another server's fault says nothing of this one.
  server.answer = usual;
  assertEquals(await kindOf("zebra"), "notFound");
  server.now += 60 * MINUTE_MS;
  assertEquals((await ask(IO, {}))?.kind, "notFound");
  assertEquals(needed(), [{ tld: "io", host: "whois.nic.io" }]);
  await settled();
});

Deno.test("askWhois() of another process waits for no test that KV has the result of", async () => {
  const stored = new Map<string, WhoisService>();
  const { settled } = await openNeeded({ stored });
  await settled();
  const other = openWitness({ stored });
  assertEquals((await other.ask(IO, {}))?.kind, "notFound");
  assertEquals(other.server.asked, ["zebra.io"]);
  const shut = new Map<string, WhoisService>();
  const first = openWitness({ stored: shut });
  first.server.answer = () => ({ ...DOWN, isUnreachable: true });
  assertEquals((await first.ask(IO, {}))?.kind, "absent");
  await first.settled();
  const second = openWitness({ stored: shut });
  second.server.answer = () => new Promise<never>(() => {});
  assertEquals((await second.ask(IO, {}))?.kind, "absent");
  assertEquals(second.server.asked, []);
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
  const checks = createCheckDomain({
    sources: {
      isDelegated: (domain) =>
        Promise.resolve({ kind: domain === "taken.com" ? "delegated" : "none", askedAt: 3 }),
      ...TRUSTED,
      ...sources,
    },
    suffixes: suffixesAt("https://registry.example/"),
    cache: {
      peek: () => undefined,
      get: () => Promise.resolve(undefined),
      set(_, kept) {
        stored.push([kept.value.source, kept.askedAt]);
        return Promise.resolve(kept);
      },
    },
    background: createBackground(() => {}),
    stop: new AbortController().signal,
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
