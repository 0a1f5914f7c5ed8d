import { assert, assertEquals, assertMatch } from "@std/assert";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import type { EvidenceEntry } from "../../src/rules/evidence.ts";
import type { HttpBehaviour } from "../lab/http_behaviour.ts";
import { json, REGISTRAR_KEYS, REGISTRAR_SLUGS, startRegistrars } from "../lab/registrars.ts";
import { onLab, type World } from "../support/on_lab.ts";
import { until } from "../support/until.ts";

/** A check waits for all registrars: how long they take is not what these tests are about. */
const PATIENT = { deadlineMs: 60_000, lingerMs: 1 };

/** Runs a test on a service with some registrars, Porkbun unless it says so, whose registries are tested already. */
async function withRegistrars(
  run: (
    world: World & { registrars: Awaited<ReturnType<typeof startRegistrars>> },
  ) => Promise<void>,
  { slugs = ["porkbun"], env = {}, times = PATIENT }: {
    slugs?: readonly (typeof REGISTRAR_SLUGS[number])[];
    env?: Record<string, string>;
    times?: typeof PATIENT;
  } = {},
): Promise<void> {
  await using registrars = await startRegistrars();
  await onLab(async (world) => {
    await world.services.renewCanaries();
    await run({ ...world, registrars });
  }, {
    env: { TLDS: "com,io,ai", ...registrars.env(...slugs), ...env },
    timeouts: { registrars: times },
  });
}

const test = (name: string, run: Parameters<typeof withRegistrars>[0]) =>
  Deno.test(name, () => withRegistrars(run));

const shown = ({ state, offer, error }: DomainResult) => ({
  state,
  ...(offer && { offer }),
  ...(error !== undefined && { error }),
});

/** Each registrar's name, and what it offers at its usual and at a premium price. */
// deno-fmt-ignore -- a table
const SELLERS = {
  porkbun: {
    name: "Porkbun",
    offer: { registrar: "Porkbun", price: 28.12, renewal: 51.8, premium: false, years: 1 },
    premium: { registrar: "Porkbun", price: 2_450, renewal: 2_450, premium: true, years: 1 },
  },
  namecom: {
    name: "Name.com",
    offer: { registrar: "Name.com", price: 39.99, premium: false },
    premium: { registrar: "Name.com", price: 2_450, premium: true },
  },
} as const;

for (const slug of REGISTRAR_SLUGS) {
  const { name, offer, premium } = SELLERS[slug];

  Deno.test(`${name} as a witness changes an available row by what it says, and no other row`, () =>
    withRegistrars(async ({ check, get, registrars }) => {
      const error = `The registry has no such name, but ${name} does not sell it: ` +
        "it may be reserved, blocked, or just registered";
      const rows = [
        ["sold", { state: "available", offer }],
        ["premium", { state: "premium", offer: premium }],
        ["refused", { state: "unknown", error }],
        ["tldNotSold", { state: "available" }],
      ] as const;
      for (const [stock, row] of rows) {
        const domain = `name-${stock.toLowerCase()}.com`;
        registrars.stock(slug, domain, stock);
        assertEquals<object>(shown(await check(domain)), row, stock);
        assertEquals(registrars.calls.splice(0).map(({ domains }) => domains), [[domain]]);
      }
      const { body } = await get("/check?name=name-sold&tld=com&evidence=1");
      const words = body.results[0].evidence.filter(({ witness }: EvidenceEntry) =>
        witness.startsWith("registrar:")
      );
      assertEquals(words.map(({ means }: EvidenceEntry) => means), ["sells"]);
      assertMatch(words[0].host, /^127\.0\.0\.1:\d+$/);
      assertMatch(words[0].said, /^\{".*(price|cost)/i);
      // The registrar sells all of these: it may resell what is taken, and does not know what the registry says.
      for (const domain of ["taken.com", "undelegated.com", "reserved.com", "failing.com"]) {
        const { available, offer } = await check(domain);
        assertEquals([available, offer], [false, undefined], domain);
      }
      assertEquals(registrars.calls, []);
    }, { slugs: [slug] }));

  Deno.test(`${name} as a witness changes nothing when it fails, and gets a cooldown`, () =>
    withRegistrars(async ({ check, clock, registrars }) => {
      const big = "x".repeat(5 * 1024 * 1024);
      // Of what is no reply of its API, tests/rules/registrar_reply_test.ts has more.
      const faults: HttpBehaviour[] = [
        json(429, {}, { "retry-after": "7" }),
        { kind: "text", status: 200, contentType: "application/json", body: big },
        { kind: "redirect", status: 307, location: "/elsewhere" },
      ];
      for (const [place, behaviour] of faults.entries()) {
        const what = `${place}: ${behaviour.kind}`;
        registrars.calls.length = 0;
        registrars.behave(slug, behaviour);
        assertEquals(shown(await check(`fault-${place}.com`)), { state: "available" }, what);
        assertEquals(registrars.calls.length, 1, what);
        registrars.behave(slug, undefined);
        const next = shown(await check(`pause-${place}.com`));
        assertEquals([next, registrars.calls.length], [{ state: "available" }, 1], what);
        clock.aheadMs += ((place === 0 ? 7 : 30) - 2) * 1_000;
        await check(`pause-end-${place}.com`);
        assertEquals(registrars.calls.length, 1, what);
        clock.aheadMs += 2_000;
        assertEquals((await check(`after-${place}.com`)).offer, offer as never, what);
        // A slowed host's next question waits for its turn.
        clock.aheadMs += 2_000;
      }
      assert(registrars.calls.every(({ domains }) => domains.length > 0));
      // A name or a key in a URL would be in logs of proxies.
      assert(registrars.calls.every(({ path }) => !/hush|\.com/.test(path)));
    }, { slugs: [slug] }));
}

Deno.test("a registrar with a wrong key is asked once in ten minutes, and changes nothing", () =>
  withRegistrars(async ({ check, events, clock, registrars: { calls } }) => {
    for (const name of ["one.com", "two.com"]) {
      assertEquals(shown(await check(name)), { state: "available" });
    }
    const count = REGISTRAR_SLUGS.length;
    assertEquals(calls.length, count);
    clock.aheadMs += 10 * 60_000;
    await check("three.com");
    assertEquals(calls.length, 2 * count);
    const logged = events.filter(({ event }) => event === "registrar.cooldown").slice(0, count);
    const told = ["it does not accept the key", 600_000];
    assertEquals(logged.map(({ reason, ms }) => [reason, ms]), REGISTRAR_SLUGS.map(() => told));
  }, {
    slugs: REGISTRAR_SLUGS,
    env: { PORKBUN_SECRET_KEY: "hush-wrong", NAMECOM_TOKEN: "hush-wrong" },
  }));

Deno.test("a silent registrar delays a check by its wait only, and changes nothing", () =>
  withRegistrars(async ({ check, registrars }) => {
    registrars.behave("porkbun", { kind: "silent" });
    for (const name of ["quiet.com", "still.com"]) {
      assertEquals(shown(await check(name)), { state: "available" });
    }
    // It pauses after the first.
    assertEquals(registrars.calls.length, 1);
  }, { times: { deadlineMs: 20, lingerMs: 1 } }));

Deno.test("without a key, and without the opt-in, no request leaves for a registrar", async () => {
  await using trap = await startRegistrars();
  await onLab(async ({ get, services }) => {
    await services.renewCanaries();
    const { body } = await get("/check?name=trapped");
    const states = body.results.map(({ state }: DomainResult) => state);
    assertEquals(states, Array(3).fill("available"));
    await services.jobs.dependencies.prices.refresh();
    assertEquals(trap.calls, []);
  }, { env: { TLDS: "com,io,ai", ...trap.env() } });
});

test("a registrar's refusal is remembered for five minutes, its offer as long as the row is cached", async ({ check, clock, registrars }) => {
  registrars.stock("porkbun", "refused.com", "refused");
  for (let times = 0; times < 3; times++) {
    assertEquals((await check("refused.com")).state, "unknown");
  }
  assertEquals(registrars.calls.length, 1);
  clock.aheadMs += 5 * 60_000;
  registrars.stock("porkbun", "refused.com", "sold");
  const first = await check("refused.com");
  const cached = await check("refused.com");
  assertEquals([first.state, first.source], ["available", "rdap"]);
  assertEquals([cached.source, cached.offer], ["rdap+cache", first.offer]);
  assertEquals(registrars.calls.length, 2);
});

test("a renewal asks registrars too, and caches no available name that one refuses", async ({ check, services, registrars }) => {
  registrars.stock("porkbun", "pizza.com", "refused");
  const outcomes = await Promise.all(
    ["ai", "com", "io"].map((tld) => services.renewDomain("pizza", tld, Date.now() + 10 * 60_000)),
  );
  assertEquals(outcomes.toSorted(), ["renewed", "renewed", "unfounded"]);
  assertEquals((await check("pizza.ai")).offer?.registrar, "Porkbun");
  const asked = registrars.calls.flatMap(({ domains }) => domains);
  assertEquals(asked.toSorted(), ["pizza.ai", "pizza.com", "pizza.io"]);
});

Deno.test("no part of a registrar's key is in any answer, log line, metric or health report", () =>
  withRegistrars(async ({ url, events, clock, registrars }) => {
    const outputs: string[] = [];
    const get = async (path: string, accept = "application/json") => {
      const response = await fetch(`${url}${path}`, { headers: { accept } });
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
      clock.aheadMs += 3_600_000;
    }
    for (const slug of REGISTRAR_SLUGS) registrars.behave(slug, undefined);
    for (const path of ["/health", "/metrics", "/openapi.json", "/register?domain=a.io"]) {
      await get(path);
    }
    const all = [...outputs, JSON.stringify(events)].join("\n");
    assert(all.includes("127.0.0.1"), "metrics name the host");
    assert(events.some(({ event }) => event === "registrar.cooldown"));
    const { NAMECOM_USERNAME } = REGISTRAR_KEYS;
    const encoded = btoa(`${NAMECOM_USERNAME}:`).slice(0, 16);
    for (const secret of [...Object.values(REGISTRAR_KEYS), "hush", encoded]) {
      assertEquals(all.includes(secret), false, secret);
    }
  }, { slugs: REGISTRAR_SLUGS }));

test("a name is not available for others when the client has left before a registrar was asked", async ({ check, services, lab, registrars }) => {
  lab.script("kept.com", { dns: "nxdomain", rdap: "free", delayMs: 300 });
  registrars.stock("porkbun", "kept.com", "refused");
  const leaving = new AbortController();
  const waiter = { signal: leaving.signal, client: "one" };
  const row = services.checkDomain("kept", "com", waiter);
  await until("RDAP is asked", () => lab.requests.some(({ path }) => path.includes("kept")));
  leaving.abort();
  assertEquals((await row).state, "unknown");
  assertEquals((await check("kept.com")).state, "unknown");
});
