import { assert, assertEquals } from "@std/assert";
import type { Report } from "../../src/flow/report.ts";
import { createUpstreamHosts } from "../../src/flow/upstream_host.ts";
import {
  createRegistrarWitness,
  type RegistrarSource,
} from "../../src/lookup/registrar_witness.ts";
import type { RegistrarAnswer } from "../../src/rules/answer.ts";
import type { Quote, QuoteReading } from "../../src/rules/readers/registrar_reply.ts";
import { createGuardedPost } from "../../src/sources/http.ts";
import { createQuoteQuestion, namecomApi, porkbunApi } from "../../src/sources/registrars.ts";
import { REGISTRAR_SLUGS, startRegistrars } from "../lab/registrars.ts";

const HOST = "api.shop.example";
const OFFER = { price: 9, premium: false, years: 1 };
const SOLD: Quote = { kind: "sells", offer: OFFER };
const PACE = { concurrency: 1_000, burst: 1_000, everyMs: 0 };

/** A registrar that answers when the test says so. */
function heldRegistrar(options: Partial<RegistrarSource> = {}) {
  const batches: { domains: readonly string[]; reply(reading: QuoteReading): void }[] = [];
  const registrar: RegistrarSource = {
    name: "Shop",
    host: HOST,
    ask: (domains) => new Promise((reply) => batches.push({ domains, reply })),
    batchSize: 25,
    pace: PACE,
    ...options,
  };
  return { registrar, batches };
}

function quotesOf(domains: readonly string[], quote: Quote = SOLD): QuoteReading {
  return { kind: "quotes", quotes: new Map(domains.map((domain) => [domain, quote])) };
}

/** A registrar that answers at once. */
function promptRegistrar(
  quote: Quote | undefined,
  options: Partial<RegistrarSource> = {},
) {
  const asked: string[][] = [];
  const ask: RegistrarSource["ask"] = (domains) => {
    asked.push([...domains]);
    return Promise.resolve(quotesOf(quote === undefined ? ["other.com"] : domains, quote));
  };
  return { registrar: { ...heldRegistrar().registrar, ask, ...options }, asked };
}

function witnessOf(
  registrars: readonly RegistrarSource[],
  { answerMs = 60_000, monotonic = () => 0, report = () => {} }: {
    answerMs?: number;
    monotonic?: () => number;
    report?: Report;
  } = {},
) {
  const stopping = new AbortController();
  const ask = createRegistrarWitness(registrars, {
    hosts: createUpstreamHosts({ report, now: () => 1_000, monotonic, stop: stopping.signal }),
    now: () => 1_000,
    monotonic,
    answerMs,
    lingerMs: 0,
  });
  assert(ask !== undefined);
  const askAbout = (domain: string, signal?: AbortSignal) => {
    const [label = "", tld = ""] = domain.split(".");
    return ask({ label, tld }, { signal });
  };
  return Object.assign(askAbout, { close: () => stopping.abort() });
}

/** Waits for the next batch of a held registrar. */
async function batchOf<T>(batches: T[], place: number): Promise<T> {
  for (;;) {
    const batch = batches[place];
    if (batch !== undefined) return batch;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

const sells: RegistrarAnswer = {
  kind: "sells",
  askedAt: 1_000,
  offer: { registrar: "Shop", ...OFFER },
  host: HOST,
};
const failed = (why: string): RegistrarAnswer => ({
  kind: "failed",
  registrar: "Shop",
  host: HOST,
  why,
});

Deno.test("createRegistrarWitness() returns nothing without a registrar", () => {
  const options = { hosts: {} as never, now: () => 0, monotonic: () => 0 };
  assertEquals(createRegistrarWitness([], options), undefined);
});

Deno.test("a registrar is asked about the TLDs of a check in one request, and about more names in several", async () => {
  const { registrar, asked } = promptRegistrar(SOLD);
  const ask = witnessOf([registrar]);
  const tlds = Array.from({ length: 19 }, (_, place) => `check.tld${place}`);
  const answers = await Promise.all(tlds.map((domain) => ask(domain)));
  assertEquals(answers, tlds.map(() => [sells]));
  assertEquals(asked, [tlds]);
  asked.length = 0;
  const names = Array.from({ length: 101 }, (_, place) => `name${place}.com`);
  await Promise.all(names.map((name) => ask(name)));
  assertEquals(asked.map(({ length }) => length), [25, 25, 25, 25, 1]);
  assertEquals(asked.flat(), names);
});

Deno.test("an answer about other names only is no answer", async () => {
  const { registrar } = promptRegistrar(undefined);
  const [answer] = await witnessOf([registrar])("a.com");
  assertEquals(answer, failed("it did not answer about the name"));
});

Deno.test("every kind of quote is passed on with the registrar's name, host and words", async () => {
  const answersTo = async (quote: Quote) => {
    const { registrar } = promptRegistrar(quote);
    return await witnessOf([registrar])("a.com");
  };
  const named = { askedAt: 1_000, registrar: "Shop", host: HOST };
  assertEquals(await answersTo(SOLD), [sells]);
  const said = "words";
  assertEquals(await answersTo({ ...SOLD, said }), [{ ...sells, said }]);
  assertEquals(await answersTo({ kind: "premium", said }), [{ kind: "premium", ...named, said }]);
  assertEquals(await answersTo({ kind: "refuses" }), [{ kind: "refuses", ...named }]);
  assertEquals(await answersTo({ kind: "failed", why: "why" }), [failed("why")]);
  assertEquals(await answersTo({ kind: "failed", why: "why", said }), [{ ...failed("why"), said }]);
  assertEquals(await answersTo({ kind: "novel" } as never), [
    failed("its answer is not readable"),
  ]);
});

Deno.test("a registrar that asks for a pause is not asked again before its end, and its waiting names fail", async () => {
  let time = 0;
  const reported: unknown[] = [];
  const { registrar, batches } = heldRegistrar({
    pace: { concurrency: 1, burst: 9, everyMs: 0 },
  });
  const ask = witnessOf([registrar], {
    monotonic: () => time,
    report: (event, facts) => reported.push([event, facts]),
  });
  const answers = ["a.com", "b.com"].map((name) => ask(name));
  (await batchOf(batches, 0)).reply({ kind: "failed", why: "429", pauseMs: 5_000 });
  assertEquals((await Promise.all(answers)).flat(), [
    failed("429"),
    failed("it is not asked for 5 s"),
  ]);
  time = 4_999;
  assertEquals(await ask("d.com"), [failed("it is not asked for 1 s")]);
  assertEquals(batches.length, 1);
  time = 5_000;
  const asking = ask("d.com");
  (await batchOf(batches, 1)).reply(quotesOf(["d.com"]));
  assertEquals(await asking, [sells]);
  const facts = { host: HOST, reason: "429", ms: 5_000 };
  assertEquals(reported, [["registrar.cooldown", facts]]);
});

Deno.test("a failure without a pause leaves the registrar askable", async () => {
  let replies = 0;
  const { registrar } = heldRegistrar({
    ask: (domains) =>
      Promise.resolve(
        replies++ === 0 ? { kind: "failed", why: "refused", pauseMs: 0 } : quotesOf(domains),
      ),
  });
  const ask = witnessOf([registrar]);
  assertEquals(await ask("a.com"), [failed("refused")]);
  assertEquals(await ask("a.com"), [sells]);
});

Deno.test("only a refusal is remembered, for five minutes", async () => {
  let time = 0;
  const quotes = new Map<string, Quote>([["no.com", { kind: "refuses" }], ["yes.com", SOLD]]);
  const asked: string[] = [];
  const { registrar } = heldRegistrar({
    ask(domains) {
      asked.push(...domains);
      return Promise.resolve({ kind: "quotes", quotes });
    },
  });
  const ask = witnessOf([registrar], { monotonic: () => time });
  for (const at of [0, 299_999, 300_000]) {
    time = at;
    for (const name of ["no.com", "yes.com"]) await ask(name);
  }
  assertEquals(asked, ["no.com", "yes.com", "yes.com", "no.com", "yes.com"]);
});

Deno.test("a silent registrar fails at its deadline, and a bug in its adapter like a fault", async () => {
  const silent = heldRegistrar();
  assertEquals(await witnessOf([silent.registrar], { answerMs: 5 })("a.com"), [
    failed("it gave no answer in time"),
  ]);
  const { registrar } = heldRegistrar({ ask: () => Promise.reject(new Error("hush")) });
  const reported: unknown[] = [];
  const ask = witnessOf([registrar], { report: (_, facts) => reported.push(facts) });
  assertEquals(await ask("a.com"), [failed("internal error")]);
  assertEquals(JSON.stringify(reported).includes("hush"), false);
});

Deno.test("names of clients that have left a registrar's queue are not asked", async () => {
  const { registrar, batches } = heldRegistrar({
    pace: { concurrency: 9, burst: 2, everyMs: 1_000 },
  });
  const ask = witnessOf([registrar]);
  const gone = new AbortController();
  const asking = ["a.com", "b.com"].map((name) => ask(name));
  const waiting = ask("c.com", gone.signal);
  const rejected = failed("too many names are queued for it");
  gone.abort();
  assertEquals(await waiting, [rejected]);
  const { domains, reply } = await batchOf(batches, 0);
  assertEquals(domains, ["a.com", "b.com"]);
  reply(quotesOf(domains));
  assertEquals(await Promise.all(asking), [[sells], [sells]]);
  ask.close();
});

Deno.test("the rows of registrars ask their APIs as published, and no more names than one request takes", async () => {
  await using lab = await startRegistrars();
  const env = lab.env(...REGISTRAR_SLUGS);
  const base = (name: string) => env[name] ?? "";
  const apis = {
    porkbun: porkbunApi({
      base: base("PORKBUN_API_URL"),
      apiKey: base("PORKBUN_API_KEY"),
      secretKey: base("PORKBUN_SECRET_KEY"),
    }),
    namecom: namecomApi({
      base: base("NAMECOM_API_URL"),
      username: base("NAMECOM_USERNAME"),
      token: base("NAMECOM_TOKEN"),
    }),
  };
  const client = Deno.createHttpClient({ http2: false });
  const post = createGuardedPost({
    fetch: (url, init) => fetch(url, { ...init, client }),
    allowInsecure: true,
    stop: new AbortController().signal,
  });
  const names = (count: number) => Array.from({ length: count }, (_, place) => `n${place}.com`);
  for (const slug of REGISTRAR_SLUGS) {
    const { batchSize } = apis[slug];
    const ask = createQuoteQuestion(post, apis[slug], () => 0);
    const full = await ask(names(batchSize));
    assertEquals(full.kind === "quotes" && full.quotes.size, batchSize, slug);
    assertEquals(lab.calls.map(({ isTrespass }) => isTrespass), [false], slug);
    assertEquals((await ask(names(batchSize + 1))).kind, "failed", slug);
    lab.calls.length = 0;
    assert(apis[slug].pace.concurrency >= 2 * batchSize, slug);
  }
  client.close();
});
