import { assert, assertEquals, assertMatch } from "@std/assert";
import { allSuffixes, coverageOf, divideName } from "../../src/rules/coverage.ts";
import { BUILT_IN_SUFFIXES } from "../../src/rules/tables/tlds.ts";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import { startDirectedLab } from "../lab/directed_lab.ts";
import type { HttpBehaviour } from "../lab/http_behaviour.ts";
import { RDAP_JSON } from "../lab/http_behaviour.ts";
import { notFoundReply, registeredReply, registryOf } from "../lab/registry_replies.ts";
import type { Registry } from "../lab/registries.ts";
import { runCli } from "../support/cli.ts";
import { type RunningService, startService } from "../support/service.ts";
import { IS_LONG_RUN } from "../support/long_run.ts";
import { withService } from "../support/with_service.ts";

const TLDS = allSuffixes().filter((suffix) => !suffix.includes("."));

/** Names of the lab that are registered; DNS shows those of the canaries. */
const DELEGATED = /^(?:google|nic|amazon|taken)\./;
const REGISTERED = /^(?:google|nic|amazon|taken|undelegated)\./;

const HTML = "<!doctype html><title>Not found</title><p>No such page</p>";

/** How each of the lab's hosts answers about a domain: the first is a registry, the others are invented hosts. */
const HOSTS: Readonly<Record<string, (registry: Registry, domain: string) => HttpBehaviour>> = {
  "registry.lab": registryOf(REGISTERED),
  "denies-all.lab": notFoundReply,
  "knows-all.lab": (registry, domain) => registeredReply(registry, domain),
  "html.lab": () => ({ kind: "text", status: 200, contentType: "text/html", body: HTML }),
  "html-404.lab": () => ({ kind: "text", status: 404, contentType: "text/html", body: HTML }),
  "catch-all.lab": () => ({ kind: "json", status: 200, body: { objectClassName: "help" } }),
  "empty-404.lab": (registry, domain) =>
    REGISTERED.test(domain)
      ? registeredReply(registry, domain)
      : { kind: "empty", status: 404, contentType: RDAP_JSON },
  "json-404.lab": () => ({
    kind: "json",
    status: 404,
    contentType: "application/json",
    body: { message: "route not found" },
  }),
  "elsewhere.lab": () => ({ kind: "redirect", status: 302, location: "http://denies-all.lab/" }),
  "broken.lab": () => ({ kind: "text", status: 500, contentType: "text/plain", body: "oops" }),
  "garbage.lab": () => ({ kind: "garbage" }),
  "forbidden.lab": () => ({ kind: "empty", status: 403 }),
};

const HOST_COUNT = Object.keys(HOSTS).length;

/** A lab in which every TLD of the root zone has a server at one of the hosts, by its place in the alphabet. */
async function startWorld() {
  const hosts = Object.keys(HOSTS);
  const hostOf = (tld: string) => hosts[TLDS.indexOf(tld) % hosts.length] ?? "";
  const hostsAsked = new Set<string>();
  const lab = await startDirectedLab({
    isDelegated: (name) => DELEGATED.test(name),
    answer(registry, domain) {
      hostsAsked.add(registry.host);
      return HOSTS[registry.host]?.(registry, domain) ?? { kind: "empty", status: 404 };
    },
  }, hosts.map((host) => [TLDS.filter((tld) => hostOf(tld) === host), [`http://${host}/`]]));
  return { lab, hostOf, hostsAsked };
}

/** A service in that lab. */
async function withWorld(
  run: (
    service: RunningService,
    world: Awaited<ReturnType<typeof startWorld>>,
  ) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const world = await startWorld();
  await using _ = world.lab;
  await using service = await startService(world.lab, { env });
  await run(service, world);
}

/** That lab and a service with a clock of its own, behind a proxy. */
async function startDatedWorld() {
  const world = await startWorld();
  const clock = { now: Date.now() };
  const options = { env: { TRUSTED_PROXIES: "1" }, now: () => clock.now };
  const service = await startService(world.lab, options);
  return { world, clock, service };
}

async function checkAll(service: RunningService, domains: readonly string[]) {
  const rows: DomainResult[] = [];
  for (const domain of domains) rows.push(await service.check(domain));
  return rows;
}

Deno.test("check answers under any TLD by the server that IANA lists, once that has passed its test", async () => {
  await withWorld(async (service, { hostOf }) => {
    const tlds = TLDS.filter((tld) => {
      const { facts, unsure } = coverageOf(tld) ?? {};
      return hostOf(tld) === "registry.lab" && facts?.coverage === "rdap" && unsure === undefined;
    }).slice(0, 6);
    assertEquals(tlds.length, 6);
    const free = await checkAll(service, tlds.map((tld) => `free-for-you.${tld}`));
    assertEquals(free.filter(({ state }) => state !== "available"), []);
    const taken = await checkAll(service, tlds.map((tld) => `undelegated.${tld}`));
    assertEquals([...new Set(taken.map(({ state, source }) => `${state} ${source}`))], [
      "taken rdap",
    ]);
  });
});

Deno.test("check finds no name available at an invented host, with any answer", async () => {
  await withWorld(async (service, { hostOf, hostsAsked }) => {
    for (const host of Object.keys(HOSTS).slice(1)) {
      const tlds = TLDS.filter((tld) => hostOf(tld) === host).slice(0, 4);
      const rows = await checkAll(service, tlds.map((tld) => `free-for-you.${tld}`));
      assertEquals(rows.filter(({ available, likely }) => available || likely), [], host);
      assert(hostsAsked.has(host), host);
    }
  });
});

Deno.test("check finds names available at the registry alone, in a lab of the root zone on a dozen hosts", async () => {
  const { world, clock, ...open } = await startDatedWorld();
  await using _ = world.lab;
  await using service = open.service;
  const label = "free-for-you";
  const wrong: string[] = [];
  let available = 0;
  // One of each host in each part of the alphabet; `deno task test:all` takes all.
  const tlds = IS_LONG_RUN
    ? TLDS
    : TLDS.filter((_, place) => Math.floor(place / HOST_COUNT) % 6 === 0);
  // As many as may be tested in a minute, six for each of five sites.
  for (let start = 0; start < tlds.length; start += 30) {
    await Promise.all(
      tlds.slice(start, start + 30).map(async (tld, place) => {
        const headers = { "x-forwarded-for": `198.51.${Math.floor(place / 6)}.1` };
        const { body } = await service.get(`/check?name=${label}&tld=${tld}`, { headers });
        const [row] = body.results;
        const { facts, unsure, level } = coverageOf(tld) ?? {};
        // Under a few TLDs every name is a public suffix.
        const isSuffix = divideName(`${label}.${tld}`).kind === "suffix";
        const isClosed = facts?.coverage === "closed" || isSuffix;
        const isSold = !isClosed && !unsure?.labels.test(label) && level === undefined;
        const isRegistry = world.hostOf(tld) === "registry.lab";
        if (row.available) available += 1;
        const isRight = row.available ? isRegistry && isSold : !(isRegistry && isSold);
        // A host that has records of all names is found out before its answer about this one, or after it.
        const isLikely = row.likely === "available" ||
          row.likely === "taken" && world.hostOf(tld) !== "knows-all.lab";
        const isReserved = row.state === "reserved" && level?.kind !== "forbidden";
        if (!isRight || isClosed !== isReserved || isLikely) {
          wrong.push(`${tld} at ${world.hostOf(tld)}: ${row.state} ${row.error}`);
        }
      }),
    );
    clock.now += 61_000;
  }
  assertEquals(wrong, []);
  assert(available > tlds.length / 40, `${available}`);
});

Deno.test("check asks the server of the TLD about names under its suffixes, each with a test of its own", async () => {
  const { world, clock, ...open } = await startDatedWorld();
  await using _ = world.lab;
  await using service = open.service;
  const suffixes = allSuffixes().filter((suffix) =>
    suffix.includes(".") && coverageOf(suffix)?.facts.coverage !== "closed"
  );
  const hostOf = (suffix: string) => world.hostOf(suffix.slice(suffix.lastIndexOf(".") + 1));
  const ofRegistry = suffixes.filter((suffix) => hostOf(suffix) === "registry.lab");
  const ofOthers = suffixes.filter((suffix) => hostOf(suffix) !== "registry.lab");
  const some = (from: readonly string[], count: number) =>
    from.filter((_, place) => place % Math.ceil(from.length / count) === 0);
  const asked = [
    ...some(ofRegistry, IS_LONG_RUN ? 300 : 15),
    ...some(ofOthers, IS_LONG_RUN ? 300 : 30),
  ];
  const wrong: string[] = [];
  let available = 0;
  const check = async (label: string, suffix: string, place: number): Promise<DomainResult> => {
    const headers = { "x-forwarded-for": `198.51.${Math.floor(place / 6)}.1` };
    return (await service.get(`/check?name=${label}&tld=${suffix}`, { headers })).body.results[0];
  };
  for (let start = 0; start < asked.length; start += 30) {
    await Promise.all(
      asked.slice(start, start + 30).map(async (suffix, place) => {
        const label = "free-for-you";
        const { unsure, level } = coverageOf(suffix) ?? {};
        const isRegistry = hostOf(suffix) === "registry.lab";
        const isSold = isRegistry && !unsure?.labels.test(label) && level === undefined;
        const free = await check(label, suffix, place);
        if (free.available) available += 1;
        if (free.available !== isSold || free.likely === "available") {
          wrong.push(`${free.domain}: ${free.state} ${free.error}`);
        }
        if (!isRegistry) return;
        const held = await check("undelegated", suffix, place);
        if (held.state !== "taken" || held.source !== "rdap") {
          wrong.push(`${held.domain}: ${held.error}`);
        }
      }),
    );
    clock.now += 61_000;
  }
  assertEquals(wrong, []);
  assert(available > 5, `${available}`);
});

Deno.test("check calls a name under a suffix without a known name taken by a record only, and never available", async () => {
  await using lab = await startDirectedLab({
    isDelegated: () => false,
    answer: registryOf(REGISTERED),
  }, [[[...BUILT_IN_SUFFIXES.keys(), "tw"], ["http://registry.lab/"]]]);
  await using service = await startService(lab, {});
  const rows = await checkAll(service, ["undelegated.com.tw", "free-for-you.com.tw"]);
  assertEquals(rows.map(({ state, likely }) => [state, likely]), [
    ["taken", undefined],
    ["unknown", undefined],
  ]);
});

Deno.test("a stranger who asks under every TLD has six tested, and delays no first check of others", async () => {
  const world = await startWorld();
  await using lab = world.lab;
  await using service = await startService(lab, { env: { TRUSTED_PROXIES: "1" } });
  const atRegistry = TLDS.filter((tld) => {
    const { facts, unsure } = coverageOf(tld) ?? {};
    return world.hostOf(tld) === "registry.lab" && facts?.coverage === "rdap" &&
      unsure === undefined;
  });
  const ask = async (site: string, tld: string): Promise<DomainResult> => {
    const headers = { "x-forwarded-for": `198.51.${site}.1` };
    return (await service.get(`/check?name=free-for-you&tld=${tld}`, { headers })).body.results[0];
  };
  const kept = atRegistry.splice(-2);
  const asked = TLDS.filter((tld) => !kept.includes(tld));
  const flood = Promise.all(asked.map((tld) => ask("1", tld)));
  const others = await Promise.all(kept.map((tld, place) => ask(`${place + 2}`, tld)));
  assertEquals(others.map(({ state }) => state), ["available", "available"]);
  await flood;
  const tested = new Set(
    service.events.filter(({ event }) => event === "server.test").map(({ tld }) => tld),
  );
  const ofOthers = asked.filter((tld) => tested.has(tld) && !BUILT_IN_SUFFIXES.has(tld));
  assertEquals(ofOthers.length, 6);
  // The process has tests left for twenty-two more of this minute.
  assertEquals((await ask("4", atRegistry.at(-1) ?? "")).state, "available");
});

Deno.test("check calls a name reserved that is a public suffix, and one under a TLD that is closed", async () => {
  await withService(async (service, lab) => {
    lab.clear();
    const suffixes = ["co.uk", "com.br", "com.ai", "co.me", "org.io", "com"];
    for (const domain of suffixes.slice(0, -1)) {
      const { state, available, reason } = await service.check(domain);
      assertEquals([state, available], ["reserved", false], domain);
      assertMatch(reason ?? "", new RegExp(`^${domain} is a public suffix`));
    }
    for (const domain of ["foo.gov", "foo.google", "foo.nhs.uk"]) {
      const { state, available } = await service.check(domain);
      assertEquals([state === "available", available], [false, false], domain);
    }
    assertMatch((await service.check("foo.gov")).reason ?? "", /governments/);
    const byDns = (await service.get("/check?name=foo&tld=gov&depth=dns")).body.results[0];
    assertEquals(byDns.state, "reserved");
    assertEquals(lab.requests.filter(({ path }) => /gov|google$/.test(path)), []);
  });
});

for (
  const [path, message] of [
    ["name=foo&tld=zz", /^Unsupported TLD: \.zz is no TLD of the root zone/],
    ["name=foo&tld=bar.com", /bar\.com is a name, under which its holder alone creates names/],
    ["name=foo&tld=a.bar.co.uk", /send a name directly under its suffix, such as bar\.co\.uk$/],
    ["name=foo&tld=github.io", /github\.io is a name/],
    ["name=foo&tld=eth", /use \/v1\/ens\/check/],
    ["name=foo&tld=co_m", /Unsupported TLD/],
  ] satisfies [string, RegExp][]
) {
  Deno.test(`GET /check?${path} says what to send instead`, async () => {
    await withService(async ({ get }) => {
      const { status, body } = await get(`/check?${path}`);
      assertEquals([status, body.error], [400, "unsupported_tld"]);
      assertMatch(body.message, message);
    });
  });
}

for (const env of [{ ANY_TLD: "off" }, { TLDS: "com,net" }] as Record<string, string>[]) {
  Deno.test(`GET /check supports the enabled TLDs only where ${JSON.stringify(env)} is set`, async () => {
    await withService(async ({ get }) => {
      for (const tld of ["page", "co.uk", "gov"]) {
        const { status, body } = await get(`/check?name=foo&tld=${tld}`);
        assertEquals([status, body.error], [400, "unsupported_tld"]);
        assertMatch(body.message, /send one of .*com.*net/);
      }
      const { body } = await get("/tlds?coverage=all&limit=1000");
      assertEquals(body.total, (await get("/tlds")).body.count);
    }, env);
  });
}

Deno.test("GET /check supports every TLD beside those of TLDS where ANY_TLD is on", async () => {
  await withService(async (service) => {
    assertEquals((await service.check("free-for-you.page")).state, "available");
    assertEquals((await service.get("/check?name=free-for-you")).body.results.length, 1);
    // The rules of a built-in TLD are known whether it is enabled or not.
    assertEquals((await service.check("ab.me")).state, "reserved");
  }, { TLDS: "com", ANY_TLD: "on" });
});

Deno.test("check judges names under TLDs that TLDS enables as strictly as under any other", async () => {
  const world = await startWorld();
  await using lab = world.lab;
  const atRegistry = TLDS.filter((tld) => world.hostOf(tld) === "registry.lab");
  const first = (isWanted: (coverage: ReturnType<typeof coverageOf>) => boolean) =>
    atRegistry.find((tld) => isWanted(coverageOf(tld))) ?? "";
  const closed = first((coverage) => coverage?.facts.coverage === "closed");
  const open = first((coverage) =>
    coverage?.facts.coverage === "rdap" && coverage.unsure === undefined
  );
  for (const ANY_TLD of ["off", "on"]) {
    await using service = await startService(lab, { env: { TLDS: `${closed},${open}`, ANY_TLD } });
    const { body } = await service.get("/check?name=free-for-you");
    assertEquals(
      body.results.map(({ tld, state }: DomainResult) => `${tld} ${state}`).toSorted(),
      [`${closed} reserved`, `${open} available`].toSorted(),
    );
    assertEquals((await service.check(`ab.${open}`)).state, "unknown");
  }
});

Deno.test("check leaves labels unknown for which no rule says whether they are sold", async () => {
  await withService(async (service) => {
    const domains = ["ab.page", "xn--caf-dma.page", "test.page", "nic1.search"];
    const rows = await checkAll(service, [...domains.slice(0, 3), "free-for-you.page"]);
    assertEquals(rows.map(({ state }) => state), ["unknown", "unknown", "unknown", "available"]);
    assertMatch(rows[0]?.error ?? "", /one or two characters/);
    assertMatch(rows[1]?.error ?? "", /internationalised/);
  });
});

Deno.test("RDAP_EXTRA names servers, of which the evidence says that IANA does not list them", async () => {
  await withWorld(async (service) => {
    const { body } = await service.get("/check?name=free-for-you&tld=de&evidence=1");
    const [row] = body.results;
    assertEquals(row.state, "available");
    const rdap = row.evidence.find(({ witness }: { witness: string }) => witness === "rdap");
    assertEquals([rdap.host, rdap.unlisted], ["registry.lab", true]);
  }, { RDAP_EXTRA: "de=http://registry.lab/,co.za=http://registry.lab/za" });
});

Deno.test("check tests at most six registries a minute for a site that were never tested", async () => {
  await withWorld(async (service, { hostOf }) => {
    const tlds = TLDS.filter((tld) =>
      hostOf(tld) === "registry.lab" && coverageOf(tld)?.facts.coverage === "rdap" &&
      coverageOf(tld)?.unsure === undefined
    ).slice(0, 9);
    const rows = await checkAll(service, tlds.map((tld) => `free-for-you.${tld}`));
    assertEquals(rows.filter(({ state }) => state === "available").length, 6);
    assertMatch(rows.at(-1)?.error ?? "", /; retry in \d+ s$/);
    // Names under TLDs that are tested wait for nothing.
    assertEquals((await service.check(`free-as-well.${tlds[0]}`)).state, "available");
  });
});

Deno.test("the names of a list under one TLD that was never tested wait for one test together", async () => {
  await withWorld(async (service, { hostOf }) => {
    const tlds = TLDS.filter((tld) =>
      hostOf(tld) === "registry.lab" && coverageOf(tld)?.facts.coverage === "rdap" &&
      coverageOf(tld)?.unsure === undefined
    );
    for (const tld of tlds.slice(0, 6)) {
      const names = Array.from({ length: 10 }, (_, n) => `free-name-${n}`);
      const { body } = await service.get("/check", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ names, tlds: [tld] }),
      });
      const states = body.results.map(({ state }: DomainResult) => state);
      assertEquals(states, names.map(() => "available"), tld);
    }
  });
});

Deno.test("GET /tlds?q lists the enabled TLDs that contain it", () =>
  withService(async ({ get }) => {
    const { body } = await get("/tlds?q=i");
    const tlds = body.tlds.map(({ tld }: { tld: string }) => tld);
    assertEquals(tlds.toSorted(), ["ai", "info", "io"]);
  }, { TLDS: "com,info,io,ai" }));

Deno.test("GET /tlds?coverage=all lists every TLD and suffix once, a page at a time", async () => {
  await withService(async ({ get }) => {
    const seen: string[] = [];
    let after = "";
    for (;;) {
      const { body } = await get(`/tlds?coverage=all&limit=1000${after && `&after=${after}`}`);
      if (body.tlds.length === 0) break;
      seen.push(...body.tlds.map(({ tld }: { tld: string }) => tld));
      after = seen.at(-1) ?? "";
      assertEquals(body.total, allSuffixes().length);
    }
    assertEquals(seen, allSuffixes());
    const { body } = await get("/tlds?coverage=all&after=ch&limit=3");
    assertEquals(body.tlds.map(({ tld }: { tld: string }) => tld).length, 3);
    const { body: countries } = await get("/tlds?coverage=all&type=ccTLD&limit=2&after=ch");
    assertEquals(countries.tlds.map(({ type }: { type: string }) => type), ["ccTLD", "ccTLD"]);
    const { body: generic } = await get("/tlds?coverage=all&type=gTLD&q=co.jp");
    assertEquals([generic.total, generic.count], [0, 0]);
    for (const query of ["limit=0", "limit=1001", "limit=x", "after=a_b", "coverage=none"]) {
      assertEquals((await get(`/tlds?coverage=all&${query}`)).body.error, "invalid_parameter");
    }
  });
});

Deno.test("POST /check takes names and TLDs of any kind, and says of each what is wrong", async () => {
  await withService(async ({ get }) => {
    const body = JSON.stringify({
      names: ["taken.page", "taken.co.uk", "foo.bar.com", "co.uk", "foo.zz"],
    });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    const { body: { results } } = await get("/check", init);
    assertEquals(results.map((row: { state?: string; error?: string }) => row.state ?? row.error), [
      "taken",
      "taken",
      "unsupported_tld",
      "reserved",
      "unsupported_tld",
    ]);
  });
});

Deno.test("check takes domains under any TLD from the command line", async () => {
  await withService(async ({ services }) => {
    const { code, out, err } = await runCli(
      ["taken.page", "taken.co.uk", "some", "--tld", "page,co.uk", "--ndjson"],
      services,
    );
    const rows = out.trimEnd().split("\n").map((line) => JSON.parse(line));
    assertEquals(rows.map(({ domain }) => domain).toSorted(), [
      "some.co.uk",
      "some.page",
      "taken.co.uk",
      "taken.page",
    ], err);
    assertEquals(code, 2);
    const wrong = await runCli(["foo.bar.com"], services);
    assertMatch(wrong.err, /^TLD bar\.com is not supported: bar\.com is a name/);
  });
});
