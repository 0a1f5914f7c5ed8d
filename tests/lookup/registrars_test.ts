import { assert, assertEquals, assertMatch } from "@std/assert";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import type { EvidenceEntry } from "../../src/rules/evidence.ts";
import type { HttpBehaviour } from "../lab/http_behaviour.ts";
import { startLab } from "../lab/lab.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import {
  json,
  REGISTRAR_KEYS,
  REGISTRAR_SLUGS,
  type RegistrarLab,
  type RegistrarSlug,
  startRegistrars,
  type Stock,
} from "../lab/registrars.ts";
import { until } from "../support/until.ts";
import { type RunningService, startService } from "../support/service.ts";

/** A check waits for all registrars: how long they take is not what these tests are about. */
const PATIENT = { answerMs: 60_000, lingerMs: 1 };

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

const NAMES: Readonly<Record<RegistrarSlug, string>> = { porkbun: "Porkbun", namecom: "Name.com" };

// deno-fmt-ignore -- a table
const OFFERS: Readonly<Record<RegistrarSlug, object>> = {
  porkbun: { registrar: "Porkbun", price: 28.12, renewal: 51.8, premium: false, years: 1 },
  namecom: { registrar: "Name.com", price: 39.99, premium: false },
};

// deno-fmt-ignore -- a table
const PREMIUM_OFFERS: Readonly<Record<RegistrarSlug, object>> = {
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
    const rows: [Stock, object][] = [
      ["sold", { state: "available", offer: OFFERS[slug] }],
      ["premium", { state: "premium", offer: PREMIUM_OFFERS[slug] }],
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
      rows.map(([stock]) => [`name-${stock.toLowerCase()}.com`]),
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
    // A name or a key in a URL would be in logs of proxies.
    assert(registrars.calls.every(({ path }) => !/hush|\.com/.test(path)));
  });
}

Deno.test("a registrar with a wrong key is asked once in ten minutes, and changes nothing", async () => {
  await using lab = await startLab();
  await using registrars = await startRegistrars();
  let time = 0;
  const env = { PORKBUN_SECRET_KEY: "hush-wrong", NAMECOM_TOKEN: "hush-wrong" };
  const slugs = REGISTRAR_SLUGS;
  await using service = await startWith(registrars, slugs, { lab, env, addedMs: () => time });
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
    times: { answerMs: 20, lingerMs: 1 },
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
  const states = body.results.map(({ state }: DomainResult) => state);
  assertEquals(states, Array(3).fill("available"));
  await service.services.jobs.dependencies.prices.refresh();
  assertEquals(trap.calls, []);
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

Deno.test("a renewal asks registrars too, and caches no available name that one refuses", async () => {
  await using lab = await startLab();
  await using registrars = await startRegistrars();
  await using service = await startWith(registrars, ["porkbun"], { lab });
  const { warmers } = service.services.jobs.dependencies;
  const lookups = await warmers.find(({ kind }) => kind === "domain")?.lookupsOf("renewed") ?? [];
  registrars.stock("porkbun", "renewed.com", "refused");
  const outcomes = await Promise.all(
    lookups.map((lookup) => lookup.renew(Date.now() + 10 * 60_000)),
  );
  assertEquals(outcomes.toSorted(), ["renewed", "renewed", "unfounded"]);
  assertEquals((await service.check("renewed.ai")).offer?.registrar, "Porkbun");
  assertEquals(registrars.calls.flatMap(({ domains }) => domains).toSorted(), [
    "renewed.ai",
    "renewed.com",
    "renewed.io",
  ]);
});

/** A TLD's row where its WHOIS server is needed and says nothing, beside a registrar with this stock. */
async function checkWithoutWhois(domain: string, stock: Stock): Promise<DomainResult> {
  await using lab = await startLab();
  await using registrars = await startRegistrars();
  lab.script(domain, { dns: "nxdomain", rdap: "free", whois: "reset" });
  registrars.stock("porkbun", domain, stock);
  await using service = await startWith(registrars, ["porkbun"], {
    lab,
    env: { TLDS: "io,org", ...whoisEnv(lab) },
  });
  return await service.check(domain);
}

Deno.test("a registrar's yes stands in for .io's WHOIS that does not answer, and adds an offer to an unknown .org name", async () => {
  const io = await checkWithoutWhois("stand-in.io", "sold");
  assertEquals([io.state, io.offer?.registrar], ["available", "Porkbun"]);
  const refused = await checkWithoutWhois("stand-in.io", "refused");
  assertEquals([refused.state, refused.likely], ["unknown", undefined]);
  const silent = await checkWithoutWhois("stand-in.io", "unresolved");
  assertEquals([silent.state, silent.likely], ["unknown", "available"]);
  const org = await checkWithoutWhois("stand-in.org", "sold");
  assertEquals([org.state, org.likely, org.offer?.registrar], ["unknown", "available", "Porkbun"]);
  assert(org.retryAfter !== undefined);
});

Deno.test("no part of a registrar's key is in any answer, log line, metric or health report", async () => {
  await using lab = await startLab();
  await using registrars = await startRegistrars();
  let time = 0;
  const wrong = { PORKBUN_API_KEY: "hush-wrong-1", NAMECOM_TOKEN: "hush-wrong-2" };
  for (const env of [{}, wrong]) {
    await using service = await startWith(registrars, REGISTRAR_SLUGS, {
      lab,
      env,
      addedMs: () => time,
    });
    const outputs: string[] = [];
    const get = async (path: string, accept = "application/json") => {
      const response = await fetch(`${service.url}${path}`, { headers: { accept } });
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
      await get(`/check?name=leak-too-${place}`, "text/event-stream");
      time += 3_600_000;
    }
    for (const slug of REGISTRAR_SLUGS) registrars.behave(slug, undefined);
    for (const path of ["/health", "/metrics", "/openapi.json", "/register?domain=a.io"]) {
      await get(path);
    }
    const all = [...outputs, JSON.stringify(service.events)].join("\n");
    assert(all.includes("127.0.0.1"), "metrics name the host");
    assert(service.events.some(({ event }) => event === "registrar.cooldown"));
    const secrets = [...Object.values(REGISTRAR_KEYS), "hush"];
    for (const secret of [...secrets, btoa(`${REGISTRAR_KEYS.NAMECOM_USERNAME}:`).slice(0, 16)]) {
      assertEquals(all.includes(secret), false, secret);
    }
  }
});

Deno.test("a name is not available for others when the client has left before a registrar was asked", async () => {
  await using lab = await startLab();
  await using registrars = await startRegistrars();
  await using service = await startWith(registrars, ["porkbun"], { lab });
  lab.script("kept.com", { dns: "nxdomain", rdap: "free", delayMs: 300 });
  registrars.stock("porkbun", "kept.com", "refused");
  const leaving = new AbortController();
  const row = service.services.checkDomain("kept", "com", {
    signal: leaving.signal,
    client: "one",
  });
  await until("RDAP is asked", () => lab.requests.some(({ path }) => path.includes("kept")));
  leaving.abort();
  assertEquals((await row).state, "unknown");
  assertEquals((await service.check("kept.com")).state, "unknown");
});
