import { assert, assertEquals, assertMatch } from "@std/assert";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import type { EvidenceEntry } from "../../src/rules/evidence.ts";
import type { HttpBehaviour } from "../lab/http_behaviour.ts";
import { startLab } from "../lab/lab.ts";
import {
  json,
  REGISTRAR_KEYS,
  REGISTRAR_SLUGS,
  type RegistrarLab,
  type RegistrarSlug,
  startRegistrars,
  type Stock,
} from "../lab/registrars.ts";
import { createKvFile } from "../support/kv_file.ts";
import { type RunningService, startService } from "../support/service.ts";
import { until } from "../support/until.ts";

/** A check waits for all registrars: how long they take is not what these tests are about. */
const PATIENT = { waitMs: 60_000, lingerMs: 1, deadlineMs: 60_000 };

/** Starts a service with some registrars, whose registries are tested already. */
async function startWith(
  registrars: RegistrarLab,
  slugs: readonly RegistrarSlug[],
  { lab, env = {}, times = PATIENT, addedMs = () => 0, ...options }: {
    lab: Parameters<typeof startService>[0];
    env?: Record<string, string>;
    times?: typeof PATIENT;
    /** Moves the clocks of the service forward. */
    addedMs?: () => number;
    kv?: Deno.Kv;
  },
): Promise<RunningService> {
  const service = await startService(lab, {
    env: { TLDS: "com,io,ai", ...registrars.env(...slugs), ...env },
    timeouts: { registrars: times },
    now: () => Date.now() + addedMs(),
    monotonic: () => performance.now() + addedMs(),
    ...options,
  });
  await service.services.renewCanaries();
  return service;
}

const shown = ({ state, offer, error }: DomainResult) => ({
  state,
  ...(offer && { offer }),
  ...(error !== undefined && { error }),
});

const NAMES = {
  porkbun: "Porkbun",
  namecom: "Name.com",
} satisfies Record<RegistrarSlug, string>;

// deno-fmt-ignore -- a table
const OFFERS: Readonly<Record<RegistrarSlug, object>> = {
  porkbun: { registrar: "Porkbun", price: 28.12, renewal: 51.8, premium: false, years: 1 },
  namecom: { registrar: "Name.com", price: 39.99, premium: false },
};

// deno-fmt-ignore -- a table
const PREMIUM_OFFERS: Readonly<Record<RegistrarSlug, object | undefined>> = {
  porkbun: { registrar: "Porkbun", price: 2_450, renewal: 2_450, premium: true, years: 1 },
  namecom: { registrar: "Name.com", price: 2_450, premium: true },
};

for (const slug of REGISTRAR_SLUGS) {
  Deno.test(`${NAMES[slug]} as a witness changes an available row by what it says, and no other row`, async () => {
    await using lab = await startLab();
    await using registrars = await startRegistrars();
    await using service = await startWith(registrars, [slug], { lab });
    const unknown = {
      state: "unknown",
      error: `The registry has no such name, but ${
        NAMES[slug]
      } does not sell it: it may be reserved, blocked, or just registered`,
    };
    const premiumOffer = PREMIUM_OFFERS[slug];
    const rows: [Stock, object][] = [
      ["sold", { state: "available", offer: OFFERS[slug] }],
      ["premium", { state: "premium", ...(premiumOffer && { offer: premiumOffer }) }],
      ["refused", unknown],
      ["tldNotSold", { state: "available" }],
      ["unresolved", { state: "available" }],
    ];
    for (const [stock, row] of rows) {
      registrars.stock(slug, `name-${stock.toLowerCase()}.com`, stock);
      assertEquals(shown(await service.check(`name-${stock.toLowerCase()}.com`)), row, stock);
    }
    assertEquals(
      registrars.calls.map(({ domains }) => domains),
      rows.map(([stock]) => [
        `name-${stock.toLowerCase()}.com`,
      ]),
    );
    const { body } = await service.get("/check?name=name-sold&tld=com&evidence=1");
    const words = body.results[0].evidence.filter(({ witness }: EvidenceEntry) =>
      witness.startsWith("registrar:")
    );
    assertEquals(words.map(({ means }: EvidenceEntry) => means), ["sells"]);
    assertMatch(words[0].host, /^127\.0\.0\.1:\d+$/);
    assertMatch(words[0].said, /^\{".*(price|cost)/i);
    // The registrar sells all of these: it may resell what is taken, and does not know what the registry says.
    registrars.calls.length = 0;
    for (const name of ["taken.com", "undelegated.com", "reserved.com", "failing.com"]) {
      const { available, offer } = await service.check(name);
      assertEquals([available, offer], [false, undefined], name);
    }
    assertEquals(registrars.calls, []);
  });

  Deno.test(`${NAMES[slug]} as a witness changes nothing when it fails, and gets a cooldown`, async () => {
    await using lab = await startLab();
    await using registrars = await startRegistrars();
    let time = 0;
    await using service = await startWith(registrars, [slug], {
      lab,
      addedMs: () => time,
    });
    const big = "x".repeat(5 * 1024 * 1024);
    // deno-fmt-ignore -- a table
    const faults: [HttpBehaviour, seconds: number][] = [
      [json(429, {}, { "retry-after": "7" }), 7],
      [json(500, {}), 30],
      [json(200, {}), 30],
      [json(200, [["sold"]]), 30],
      [{ kind: "text", status: 200, contentType: "application/json", body: "{\"status\":" }, 30],
      [{ kind: "text", status: 200, contentType: "text/html", body: "<html>sold</html>" }, 30],
      [{ kind: "text", status: 200, contentType: "application/json", body: big }, 30],
      [{ kind: "gzipBomb" }, 30],
      [{ kind: "redirect", status: 307, location: "/elsewhere" }, 30],
      [{ kind: "redirect", status: 302, location: "http://127.0.0.1:9/" }, 30],
      [{ kind: "garbage" }, 30],
      [{ kind: "reset" }, 30],
      [{ kind: "cut" }, 30],
    ];
    for (const [place, [behaviour, seconds]] of faults.entries()) {
      const what = `${place}: ${behaviour.kind}`;
      registrars.calls.length = 0;
      registrars.behave(slug, behaviour);
      // Name.com leaves out an empty list, so that this is a reply of it.
      const isEmpty = slug === "namecom" && (place === 2 || place === 3);
      assertEquals(shown(await service.check(`fault-${place}.com`)), { state: "available" }, what);
      const asked = registrars.calls.length;
      // Deno's client repeats a request on a connection that was used before and is reset.
      assert(asked === 1 || (behaviour.kind === "reset" && asked === 2), what);
      registrars.behave(slug, undefined);
      if (isEmpty) continue;
      const next = shown(await service.check(`pause-${place}.com`));
      assertEquals([next, registrars.calls.length], [{ state: "available" }, asked], what);
      time += (seconds - 2) * 1_000;
      await service.check(`pause-end-${place}.com`);
      assertEquals(registrars.calls.length, asked, what);
      time += 2_000;
      assertEquals((await service.check(`after-${place}.com`)).offer, OFFERS[slug] as never, what);
    }
    assert(registrars.calls.every(({ isTrespass }) => !isTrespass));
  });
}

Deno.test("a registrar with a wrong key is asked once in ten minutes, and changes nothing", async () => {
  await using lab = await startLab();
  await using registrars = await startRegistrars();
  let time = 0;
  const wrong = {
    PORKBUN_SECRET_KEY: "hush-wrong",
    NAMECOM_TOKEN: "hush-wrong",
  };
  const slugs = ["porkbun", "namecom"] as const;
  await using service = await startWith(registrars, slugs, {
    lab,
    env: wrong,
    addedMs: () => time,
  });
  for (const name of ["one.com", "two.com"]) {
    assertEquals(shown(await service.check(name)), { state: "available" });
  }
  assertEquals(registrars.calls.length, slugs.length);
  time += 10 * 60_000;
  await service.check("three.com");
  assertEquals(registrars.calls.length, 2 * slugs.length);
  const logged = service.events.filter(({ event }) => event === "registrar.cooldown");
  assertEquals(
    logged.slice(0, slugs.length).map(({ reason, ms }) => [reason, ms]),
    slugs.map(() => ["it does not accept the key", 600_000]),
  );
});

Deno.test("a silent registrar delays a check by its wait only, and changes nothing", async () => {
  await using lab = await startLab();
  await using registrars = await startRegistrars();
  await using service = await startWith(registrars, ["porkbun"], {
    lab,
    times: { waitMs: 1, lingerMs: 1, deadlineMs: 20 },
  });
  registrars.behave("porkbun", { kind: "silent" });
  assertEquals(shown(await service.check("quiet.com")), { state: "available" });
});

Deno.test("several registrars are asked at once, and the first that sells a name gives the offer", async () => {
  await using lab = await startLab();
  await using registrars = await startRegistrars();
  await using service = await startWith(registrars, REGISTRAR_SLUGS, { lab });
  const check = async (name: string, stocks: Partial<Record<RegistrarSlug, Stock>>) => {
    for (const slug of REGISTRAR_SLUGS) registrars.stock(slug, name, stocks[slug] ?? "sold");
    const { state, offer } = await service.check(name);
    return [state, offer?.registrar];
  };
  assertEquals(await check("all.com", {}), ["available", "Porkbun"]);
  assertEquals(new Set(registrars.calls.map(({ slug }) => slug)).size, REGISTRAR_SLUGS.length);
  assertEquals(await check("second.com", { porkbun: "refused" }), ["available", "Name.com"]);
  assertEquals(await check("dear.com", { namecom: "premium" }), ["premium", "Name.com"]);
  const none = { porkbun: "refused", namecom: "refused" } as const;
  assertEquals(await check("none.com", none), ["unknown", undefined]);
  const silent = { porkbun: "unresolved", namecom: "tldNotSold" } as const;
  assertEquals(await check("quiet.com", silent), ["available", undefined]);
});

Deno.test("without a key, and without the opt-in, no request leaves for a registrar", async () => {
  await using lab = await startLab();
  await using trap = await startRegistrars();
  const env = { TLDS: "com,io,ai", ...trap.addresses };
  await using service = await startService(lab, { env });
  await service.services.renewCanaries();
  const { body } = await service.get("/check?name=trapped");
  assertEquals(body.results.map(({ state }: DomainResult) => state), [
    "available",
    "available",
    "available",
  ]);
  await service.get("/check", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ names: ["trapped-2", "trapped-3.com"] }),
  });
  await (await fetch(`${service.url}/check?name=trapped-4`, {
    headers: { accept: "text/event-stream" },
  })).text();
  await service.services.jobs.dependencies.prices.refresh();
  assertEquals(trap.calls, []);
});

Deno.test("a registrar is asked only its availability question, with its key in a header", async () => {
  await using lab = await startLab();
  await using registrars = await startRegistrars();
  await using service = await startWith(registrars, REGISTRAR_SLUGS, { lab });
  await service.get("/check?name=asked");
  assert(registrars.calls.length >= REGISTRAR_SLUGS.length);
  assert(registrars.calls.every(({ isTrespass }) => !isTrespass));
  for (const { path } of registrars.calls) {
    assertEquals(path.includes("hush"), false);
    assertEquals(path.includes("asked"), false, "a name in a URL would be in logs of proxies");
  }
});

Deno.test("a registrar's refusal is remembered for five minutes, its offer as long as the row is cached", async () => {
  await using lab = await startLab();
  await using registrars = await startRegistrars();
  let time = 0;
  await using service = await startWith(registrars, ["porkbun"], {
    lab,
    addedMs: () => time,
  });
  registrars.stock("porkbun", "refused.com", "refused");
  for (let times = 0; times < 3; times++) {
    assertEquals((await service.check("refused.com")).state, "unknown");
  }
  assertEquals(registrars.calls.length, 1);
  time += 5 * 60_000;
  registrars.stock("porkbun", "refused.com", "sold");
  const first = await service.check("refused.com");
  const cached = await service.check("refused.com");
  assertEquals([first.state, first.source], ["available", "rdap"]);
  assertEquals([cached.source, cached.offer], ["rdap+cache", first.offer]);
  assertEquals(registrars.calls.length, 2);
});

Deno.test("an offer is cached in KV, from where another process reads it", async () => {
  await using lab = await startLab();
  await using registrars = await startRegistrars();
  await using file = await createKvFile();
  await using one = await startWith(registrars, ["porkbun"], {
    lab,
    kv: await file.open(),
  });
  await using other = await startWith(registrars, ["porkbun"], {
    lab,
    kv: await file.open(),
  });
  const found = await one.check("shared.ai");
  assertEquals(found.offer?.years, 2);
  await one.check("shared.ai");
  const read = await other.check("shared.ai");
  assertEquals([read.source, read.offer, read.checkedAt], [
    "rdap+cache",
    found.offer,
    found.checkedAt,
  ]);
  assertEquals(registrars.calls.length, 1);
});

Deno.test("a renewal asks no registrar, and caches no available name that none was asked about", async () => {
  await using lab = await startLab();
  await using registrars = await startRegistrars();
  let time = 0;
  await using service = await startWith(registrars, ["porkbun"], {
    lab,
    addedMs: () => time,
  });
  const { warmers } = service.services.jobs.dependencies;
  const lookups = await warmers.find(({ kind }) => kind === "domain")?.lookupsOf("renewed") ?? [];
  assertEquals(lookups.length, 3);
  const until = () => Date.now() + time + 10 * 60_000;
  for (const lookup of lookups) assertEquals(await lookup.renew(until()), "unfounded");
  assertEquals(registrars.calls, []);
  registrars.stock("porkbun", "renewed.com", "refused");
  assertEquals((await service.check("renewed.com")).state, "unknown");
  lab.script("renewed.com", { dns: "delegated", rdap: "registered" });
  time += 60_000;
  const outcomes = await Promise.all(lookups.map((lookup) => lookup.renew(until())));
  assertEquals(outcomes.filter((outcome) => outcome === "renewed").length, 1, "taken names are");
  assertEquals(registrars.calls.length, 1);
});

/** The events of a stream of server-sent events, as they come. */
async function* eventsOf(response: Response): AsyncGenerator<{ name: string; row: DomainResult }> {
  let text = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const [name = "", data = ""] = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      yield { name: name.slice("event: ".length), row: JSON.parse(data.slice("data: ".length)) };
    }
  }
}

const SSE = { accept: "text/event-stream" };
const QUICK = { waitMs: 1, lingerMs: 0, deadlineMs: 60_000 };

/** Reads events until one of this name has come, and returns it. */
async function next(
  events: AsyncGenerator<{ name: string; row: DomainResult }>,
  name: string,
): Promise<DomainResult> {
  for (;;) {
    const { value } = await events.next();
    if (value === undefined || value.name === name) return value?.row as DomainResult;
  }
}

for (
  const [stock, state] of [["sold", "available"], ["premium", "premium"], [
    "refused",
    "unknown",
  ]] as const
) {
  Deno.test(`a late answer of a registrar that leads to ${state} corrects the row in each open stream, and the cache`, async () => {
    await using lab = await startLab();
    await using registrars = await startRegistrars();
    await using service = await startWith(registrars, ["porkbun"], { lab, times: QUICK });
    registrars.stock("porkbun", "late.com", stock);
    const answerNow = registrars.hold("porkbun");
    const first = eventsOf(await fetch(`${service.url}/check?name=late&tld=com`, { headers: SSE }));
    const row = await next(first, "result");
    assertEquals([row.state, row.offer], ["available", undefined]);
    // A client that comes later is answered from the cache, and corrected all the same.
    const second = eventsOf(
      await fetch(`${service.url}/check?name=late&tld=com`, { headers: SSE }),
    );
    const again = await next(second, "result");
    assertEquals([again.state, again.checkedAt], ["available", row.checkedAt]);
    const { body } = await service.get("/check?name=late&tld=com");
    assertEquals(body.results[0].state, "available", "JSON does not wait");
    answerNow();
    const [one, two] = [await next(first, "correction"), await next(second, "correction")];
    for (const corrected of [one, two]) {
      assertEquals([corrected.domain, corrected.state], ["late.com", state]);
      assertEquals(
        corrected.offer?.price,
        { sold: 28.12, premium: 2_450, refused: undefined }[stock],
      );
      assert(corrected.checkedAt > row.checkedAt);
    }
    assertEquals({ ...one, responseMs: 0 }, { ...two, responseMs: 0 });
    await next(first, "summary");
    await next(second, "summary");
    assertEquals([(await first.next()).done, (await second.next()).done], [true, true]);
    const after = await service.check("late.com");
    const source = stock === "refused" ? "rdap" : "rdap+cache";
    assertEquals([after.state, after.source, after.offer], [state, source, one.offer]);
    assertEquals(registrars.calls.length, 1, "a refusal is remembered");
  });
}

Deno.test("a late answer that changes nothing corrects nothing, and the stream ends", async () => {
  await using lab = await startLab();
  await using registrars = await startRegistrars();
  await using service = await startWith(registrars, ["porkbun", "namecom"], { lab, times: QUICK });
  registrars.behave("porkbun", json(500, {}));
  registrars.stock("namecom", "late.com", "unresolved");
  const answers = [registrars.hold("porkbun"), registrars.hold("namecom")];
  const events = eventsOf(await fetch(`${service.url}/check?name=late&tld=com`, { headers: SSE }));
  await next(events, "result");
  for (const answerNow of answers) answerNow();
  const rest = await Array.fromAsync(events);
  assertEquals(rest.map(({ name }) => name), ["summary"]);
});

Deno.test("a silent registrar keeps a stream open until its deadline only", async () => {
  await using lab = await startLab();
  await using registrars = await startRegistrars();
  await using service = await startWith(registrars, ["porkbun"], {
    lab,
    times: { ...QUICK, deadlineMs: 50 },
  });
  const answerNow = registrars.hold("porkbun");
  const response = await fetch(`${service.url}/check?name=late&tld=com`, { headers: SSE });
  const events = await Array.fromAsync(eventsOf(response));
  assertEquals(events.map(({ name }) => name), ["pending", "result", "summary"]);
  answerNow();
});

Deno.test("a correction of POST /check has the row's input", async () => {
  await using lab = await startLab();
  await using registrars = await startRegistrars();
  await using service = await startWith(registrars, ["porkbun"], { lab, times: QUICK });
  const answerNow = registrars.hold("porkbun");
  const events = eventsOf(
    await fetch(`${service.url}/check`, {
      method: "POST",
      headers: { ...SSE, "content-type": "application/json" },
      body: JSON.stringify({ names: ["late", "late.com"], tlds: ["com"] }),
    }),
  );
  const inputs = [await next(events, "result"), await next(events, "result")];
  answerNow();
  const corrected = [await next(events, "correction"), await next(events, "correction")];
  for (const rows of [inputs, corrected] as (DomainResult & { input?: string })[][]) {
    assertEquals(rows.map(({ input }) => input).toSorted(), ["late", "late.com"]);
  }
  assertEquals(corrected.map(({ offer }) => offer?.price), [28.12, 28.12]);
});

Deno.test("a late answer does not undo what another process has found out since the row", async () => {
  await using lab = await startLab();
  await using registrars = await startRegistrars();
  await using file = await createKvFile();
  await using slow = await startWith(registrars, ["porkbun"], {
    lab,
    times: QUICK,
    kv: await file.open(),
  });
  await using other = await startService(lab, {
    env: { TLDS: "com,io,ai" },
    kv: await file.open(),
  });
  const answerNow = registrars.hold("porkbun");
  // Two requests are under way, so that the third is sent after the other process has found the name taken.
  for (const [place, name] of ["busy-1.com", "busy-2.com"].entries()) {
    await slow.check(name);
    await until("the request is sent", () => registrars.calls.length > place);
  }
  const events = eventsOf(await fetch(`${slow.url}/check?name=late&tld=com`, { headers: SSE }));
  await next(events, "result");
  lab.script("late.com", { dns: "delegated", rdap: "registered" });
  const { warmers } = other.services.jobs.dependencies;
  const lookups = await warmers.find(({ kind }) => kind === "domain")?.lookupsOf("late") ?? [];
  await Promise.all(lookups.map((lookup) => lookup.renew(Date.now() + 30 * 60_000)));
  assertEquals(registrars.calls.length, 2);
  answerNow();
  const rest = await Array.fromAsync(events);
  assertEquals(rest.map(({ name }) => name), ["correction", "summary"]);
  await slow.check("late.com");
  await using third = await startService(lab, {
    env: { TLDS: "com,io,ai" },
    kv: await file.open(),
  });
  assertEquals((await third.check("late.com")).state, "taken");
});

Deno.test("a late refusal takes an available name back within three seconds from a process that has read it", async () => {
  await using lab = await startLab();
  await using registrars = await startRegistrars();
  await using file = await createKvFile();
  let time = 0;
  const options = { lab, times: QUICK };
  await using slow = await startWith(registrars, ["porkbun"], {
    ...options,
    kv: await file.open(),
  });
  await using other = await startWith(registrars, ["porkbun"], {
    ...options,
    kv: await file.open(),
    addedMs: () => time,
  });
  registrars.stock("porkbun", "late.com", "refused");
  const answerNow = registrars.hold("porkbun");
  const events = eventsOf(await fetch(`${slow.url}/check?name=late&tld=com`, { headers: SSE }));
  assertEquals((await next(events, "result")).state, "available");
  // The second request returns when the finding is stored.
  await slow.check("late.com");
  const read = await other.check("late.com");
  assertEquals([read.state, read.source], ["available", "rdap+cache"]);
  answerNow();
  const rest = await Array.fromAsync(events);
  assertEquals(rest.map(({ name }) => name), ["correction", "summary"]);
  time = 3_000;
  assertEquals((await other.check("late.com")).state, "unknown");
  assertEquals((await slow.check("late.com")).state, "unknown");
});

Deno.test("no part of a registrar's key is in any answer, log line, metric or health report", async () => {
  await using lab = await startLab();
  await using registrars = await startRegistrars();
  let time = 0;
  const wrong = {
    PORKBUN_API_KEY: "hush-wrong-1",
    NAMECOM_TOKEN: "hush-wrong-2",
  };
  for (const env of [{}, wrong]) {
    await using service = await startWith(registrars, REGISTRAR_SLUGS, {
      lab,
      env: { ...env, LOG_LEVEL: "debug" },
      addedMs: () => time,
    });
    const outputs: string[] = [];
    const get = async (path: string, init?: RequestInit) => {
      const response = await fetch(`${service.url}${path}`, init);
      outputs.push(JSON.stringify([...response.headers]), await response.text());
    };
    // deno-fmt-ignore -- a list
    const behaviours: (HttpBehaviour | undefined)[] = [
      undefined, json(429, {}), json(401, {}), json(403, {}), json(500, {}), json(200, {}),
      { kind: "garbage" }, { kind: "cut" }, { kind: "redirect", status: 308, location: "/else" },
    ];
    for (const [place, behaviour] of behaviours.entries()) {
      for (const slug of REGISTRAR_SLUGS) registrars.behave(slug, behaviour);
      await get(`/check?name=leak-${place}`);
      await get(`/check?name=leak-too-${place}`, { headers: SSE });
      time += 3_600_000;
    }
    for (const slug of REGISTRAR_SLUGS) registrars.behave(slug, undefined);
    for (
      const path of ["/health", "/metrics", "/openapi.json", "/llms.txt", "/register?domain=a.io"]
    ) {
      await get(path);
    }
    const all = [...outputs, JSON.stringify(service.events)].join("\n");
    assert(all.includes("127.0.0.1"), "metrics name the host");
    assert(service.events.some(({ event }) => event === "registrar.cooldown"));
    const secrets = [...Object.values(REGISTRAR_KEYS), ...Object.values(wrong), "hush"];
    for (const secret of [...secrets, btoa(`${REGISTRAR_KEYS.NAMECOM_USERNAME}:`).slice(0, 16)]) {
      assertEquals(all.includes(secret), false, secret);
    }
  }
});
