import { assert, assertEquals, assertMatch } from "@std/assert";
import { getPublicSuffix } from "tldts-icann";
import { allTlds, coverageOf } from "../../src/rules/coverage.ts";
import { BUILT_IN_SUFFIXES } from "../../src/rules/tables/tlds.ts";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import { msUntil } from "../../src/lookup/exchange.ts";
import type { Pending } from "../../src/flow/cache/flight.ts";
import { RDAP_JSON } from "../lab/http_behaviour.ts";
import { tableOf } from "../lab/iana_table.ts";
import type { RdapScript } from "../lab/rdap_behaviours.ts";
import { registeredFor, registeredReply } from "../lab/registry_replies.ts";
import { runCli } from "../support/cli.ts";
import { toolCall } from "../support/mcp.ts";
import { answersOnStdio } from "../support/mcp_stdio.ts";
import { postJson } from "../support/post_json.ts";
import type { Json } from "../support/service.ts";
import { IS_LONG_RUN } from "../support/long_run.ts";
import { onLab, type World } from "../support/on_lab.ts";
import { until } from "../support/until.ts";

const TLDS = allTlds();
/** Public suffixes below them, none that a wildcard of the list makes. */
const SUFFIXES = TLDS.flatMap((tld) =>
  ["ac", "co", "com", "edu", "gov", "net", "or", "org"].map((label) => `${label}.${tld}`)
).filter((suffix) =>
  getPublicSuffix(suffix) === suffix && getPublicSuffix(`x${suffix}`) !== `x${suffix}`
);

/** Names of the lab that are registered; DNS shows all but the last. */
const REGISTERED = /^(?:google|nic|amazon|taken|undelegated)\./;

/** How each of the lab's hosts answers about a domain: the first is a registry, the others are invented hosts. */
const HOSTS: Readonly<Record<string, RdapScript>> = {
  "registry.lab": registeredFor(REGISTERED),
  "denies-all.lab": "free",
  "knows-all.lab": "registered",
  "html-404.lab": "html404",
  "catch-all.lab": { kind: "json", status: 200, body: { objectClassName: "help" } },
  "empty-404.lab": (registry, domain) =>
    REGISTERED.test(domain)
      ? registeredReply(registry, domain)
      : { kind: "empty", status: 404, contentType: RDAP_JSON },
  "elsewhere.lab": { kind: "redirect", status: 302, location: "http://denies-all.lab/" },
  "broken.lab": "error500",
};

const HOST_NAMES = Object.keys(HOSTS);

/** The host of a TLD, or of a suffix below it, by the place of the TLD in the alphabet. */
function hostOf(suffix: string): string {
  const tld = suffix.slice(suffix.lastIndexOf(".") + 1);
  return HOST_NAMES[TLDS.indexOf(tld) % HOST_NAMES.length] ?? "";
}

/** TLDs at the registry under which any label is sold. */
const OPEN_TLDS = TLDS.filter((tld) => {
  const { facts, unsure } = coverageOf(tld);
  return hostOf(tld) === "registry.lab" && facts?.coverage === "rdap" && unsure === undefined;
});

interface Asked extends World {
  /** Sends a question from a site. */
  ask(site: string, domain: string): Promise<DomainResult>;
}

/** A service in a lab in which every TLD of the root zone has a server at one of the hosts. */
function withWorld(run: (world: Asked) => Promise<void>, env: Record<string, string> = {}) {
  return onLab(async (world) => {
    const ask = async (site: string, domain: string) => {
      const [label, ...tld] = domain.split(".");
      const headers = { "x-forwarded-for": `198.51.${site}.1` };
      const { body } = await world.get(`/check?name=${label}&tld=${tld.join(".")}`, { headers });
      return body.results[0];
    };
    await run({ ...world, ask });
  }, ({ lab }) => {
    for (const [host, reply] of Object.entries(HOSTS)) lab.scriptHost(host, reply);
    lab.setTable(tableOf(
      HOST_NAMES.map((host) => [TLDS.filter((tld) => hostOf(tld) === host), [`http://${host}/`]]),
    ));
    return { env: { TRUSTED_PROXIES: "1", ...env } };
  });
}

const test = (name: string, run: Parameters<typeof withWorld>[0]) =>
  Deno.test(name, () => withWorld(run));

/** Some of a list, evenly spread. */
const some = (from: readonly string[], count: number) =>
  from.filter((_, place) => place % Math.ceil(from.length / count) === 0);

test("check finds names available at the registry alone, in a lab of the root zone and its suffixes on seven hosts", async ({ ask, clock }) => {
  const suffixes = SUFFIXES.filter((suffix) => coverageOf(suffix).facts.coverage !== "closed");
  const ofRegistry = suffixes.filter((suffix) => hostOf(suffix) === "registry.lab");
  const ofOthers = suffixes.filter((suffix) => hostOf(suffix) !== "registry.lab");
  const asked = [
    // One of each host in each part of the alphabet; `deno task test:all` takes all.
    ...TLDS.filter((_, place) => IS_LONG_RUN || Math.floor(place / HOST_NAMES.length) % 10 === 0),
    ...some(ofRegistry, IS_LONG_RUN ? 300 : 15),
    ...some(ofOthers, IS_LONG_RUN ? 300 : 30),
  ];
  const label = "free-for-you";
  const wrong: string[] = [];
  let available = 0;
  const checkUnder = async (suffix: string, place: number) => {
    const site = `${Math.floor(place / 6)}`;
    const host = hostOf(suffix);
    const { facts, unsure, level } = coverageOf(suffix);
    // Under a few TLDs every name is a public suffix.
    const isSuffix = getPublicSuffix(`${label}.${suffix}`) !== suffix;
    const isClosed = facts?.coverage === "closed" || isSuffix;
    const isSold = !isClosed && !unsure?.labels.test(label) && level === undefined;
    const isRegistry = host === "registry.lab";
    const row = await ask(site, `${label}.${suffix}`);
    if (row.available) available += 1;
    // A host that has records of all names is found out before its answer about this one, or after it.
    const isLikely = row.likely === "available" ||
      row.likely === "taken" && host !== "knows-all.lab";
    const isReserved = row.state === "reserved" && level?.kind !== "forbidden";
    if (row.available !== (isRegistry && isSold) || isClosed !== isReserved || isLikely) {
      wrong.push(`${suffix} at ${host}: ${row.state} ${row.error}`);
    }
    if (!isRegistry || isClosed) return;
    const held = await ask(site, `undelegated.${suffix}`);
    if (held.state !== "taken" || held.source !== "rdap") {
      wrong.push(`${held.domain}: ${held.error}`);
    }
  };
  // As many as may be tested in a minute, six for each of five sites.
  for (let start = 0; start < asked.length; start += 30) {
    await Promise.all(asked.slice(start, start + 30).map(checkUnder));
    clock.aheadMs += 61_000;
  }
  assertEquals(wrong, []);
  assert(available > asked.length / 40, `${available}`);
});

test("check calls a name under a suffix without a known name taken by a record only, and never available", async ({ check, lab }) => {
  for (const name of ["google", "nic", "amazon", "taken"]) {
    lab.script(name, { dns: "nxdomain", rdap: "registered" });
  }
  const suffix = SUFFIXES.find((one) =>
    one.startsWith("com.") && hostOf(one) === "registry.lab" &&
    coverageOf(one).facts.coverage === "rdap"
  );
  const rows = [await check(`undelegated.${suffix}`), await check(`free-for-you.${suffix}`)];
  assertEquals(rows.map(({ state }) => state), ["taken", "unknown"]);
  assertEquals(rows.map(({ likely }) => likely), [undefined, undefined]);
});

test("a stranger who asks under every TLD has six tested, and delays no first check of others", async ({ ask, events }) => {
  const label = "free-for-you";
  const [left, ...kept] = OPEN_TLDS.slice(-3);
  const asked = TLDS.filter((tld) => !kept.includes(tld));
  const flood = Promise.all(asked.map((tld) => ask("1", `${label}.${tld}`)));
  const others = await Promise.all(
    kept.map((tld, place) => ask(`${place + 2}`, `${label}.${tld}`)),
  );
  assertEquals(others.map(({ state }) => state), ["available", "available"]);
  assertMatch((await flood).map(({ error }) => error).join("\n"), /; retry in \d+ s$/m);
  const tested = new Set(
    events.filter(({ event }) => event === "server.test").map(({ tld }) => tld),
  );
  const ofStranger = asked.filter((tld) => tested.has(tld) && !BUILT_IN_SUFFIXES.has(tld));
  assertEquals(ofStranger.length, 6);
  // The process has tests left for twenty-two more of this minute.
  assertEquals((await ask("4", `${label}.${left}`)).state, "available");
});

test("check names the host of a registry whose test waits for those of others", async ({ services }) => {
  const waits: string[] = [];
  const leaving = new AbortController();
  const onPending = ({ host, expectedAt }: Pending) =>
    void (msUntil(expectedAt) > 1_000 && waits.push(host));
  const waiter = { signal: leaving.signal, site: "1", onPending };
  const rows = OPEN_TLDS.slice(-7).map((tld) => services.checkDomain("free-for-you", tld, waiter));
  await until("one waits", () => waits.length > 0);
  leaving.abort();
  await Promise.all(rows);
  assertEquals(waits.filter((host) => host.includes("/")), []);
});

test("MCP on stdio, whose machine is the user's own, has more than six TLDs tested in a minute", async ({ services }) => {
  const names = OPEN_TLDS.slice(-8).map((tld) => `free-for-you.${tld}`);
  const [{ result }] = await answersOnStdio(services, [toolCall("check_domain", { names })]);
  assertEquals(result.structuredContent.available.length, 8, JSON.stringify(result));
});

Deno.test("check calls a name reserved that is a public suffix, and one under a TLD that is closed", () =>
  onLab(async ({ check, get, lab }) => {
    lab.clear();
    for (const domain of ["co.uk", "com.br", "com.ai", "co.me", "org.io"]) {
      const { state, available, reason } = await check(domain);
      assertEquals([state, available], ["reserved", false], domain);
      assertMatch(reason ?? "", new RegExp(`^${domain} is a public suffix`));
    }
    for (const domain of ["foo.gov", "foo.google", "foo.nhs.uk"]) {
      const { state, available } = await check(domain);
      assertEquals([state === "available", available], [false, false], domain);
    }
    assertMatch((await check("foo.gov")).reason ?? "", /governments/);
    const byDns = (await get("/check?name=foo&tld=gov&depth=dns")).body.results[0];
    assertEquals(byDns.state, "reserved");
    assertEquals(lab.requests.filter(({ path }) => /gov|google$/.test(path)), []);
  }));

for (const env of [{ ANY_TLD: "off" }, { TLDS: "com,net" }] as Record<string, string>[]) {
  Deno.test(`GET /check supports the enabled TLDs only where ${JSON.stringify(env)} is set`, () =>
    onLab(async ({ get }) => {
      for (const tld of ["page", "co.uk", "gov"]) {
        const { status, body } = await get(`/check?name=foo&tld=${tld}`);
        assertEquals([status, body.error], [400, "unsupported_tld"]);
        assertMatch(body.message, /send one of .*com.*net/);
      }
      const { body } = await get("/tlds?coverage=all&limit=1000");
      assertEquals(body.total, (await get("/tlds")).body.count);
    }, { env }));
}

Deno.test("GET /check supports every TLD beside those of TLDS where ANY_TLD is on, and leaves labels unknown for which no rule says whether they are sold", () =>
  onLab(async ({ check, get }) => {
    const cases: [domain: string, state: string, error: RegExp][] = [
      ["free-for-you.page", "available", /^$/],
      ["test.page", "unknown", /./],
      ["ab.page", "unknown", /one or two characters/],
      ["xn--caf-dma.page", "unknown", /internationalised/],
      // The rules of a built-in TLD are known whether it is enabled or not.
      ["ab.me", "reserved", /^$/],
    ];
    for (const [domain, expected, words] of cases) {
      const { state, error = "" } = await check(domain);
      assertEquals(state, expected, domain);
      assertMatch(error, words, domain);
    }
    assertEquals((await get("/check?name=free-for-you")).body.results.length, 1);
  }, { env: { TLDS: "com", ANY_TLD: "on" } }));

Deno.test("check judges names under TLDs that TLDS enables as strictly as under any other", async () => {
  const closed = TLDS.find((tld) =>
    hostOf(tld) === "registry.lab" && coverageOf(tld).facts.coverage === "closed"
  );
  const [open] = OPEN_TLDS;
  for (const ANY_TLD of ["off", "on"]) {
    await withWorld(async ({ check }) => {
      const rows = [
        await check(`free-for-you.${closed}`),
        await check(`free-for-you.${open}`),
        await check(`ab.${open}`),
      ];
      assertEquals(rows.map(({ state }) => state), ["reserved", "available", "unknown"]);
    }, { TLDS: `${closed},${open}`, ANY_TLD });
  }
});

Deno.test("RDAP_EXTRA names servers, of which the evidence says that IANA does not list them", () =>
  withWorld(async ({ get }) => {
    const { body } = await get("/check?name=free-for-you&tld=de&evidence=1");
    const [{ state, evidence }] = body.results;
    const rdap = evidence.find(({ witness }: Json) => witness === "rdap");
    assertEquals([state, rdap.host, rdap.unlisted], ["available", "registry.lab", true]);
    // Newer than all tables, so that its rules are not known.
    const { body: other } = await get("/check?name=free-for-you&tld=brandnew&evidence=1");
    const [{ rule }] = other.results[0].evidence.slice(-1);
    assertEquals(rule.text, "Unknown whether names under .brandnew are sold: the TLD is new");
    for (const part of ["brandnew", "o.za"]) {
      const { body: { tlds } } = await get(`/tlds?coverage=all&q=${part}`);
      assertEquals(tlds.map(({ coverage }: Json) => coverage), ["rdap_unlisted"]);
    }
  }, {
    RDAP_EXTRA:
      "de=http://registry.lab/,co.za=http://registry.lab/za,brandnew=http://registry.lab/",
  }));

Deno.test("GET /tlds?coverage=all lists every TLD once, a page at a time, and the public suffix that is asked for", () =>
  onLab(async ({ get }) => {
    const list = async (query: string) => (await get(`/tlds?coverage=all&${query}`)).body;
    const seen: string[] = [];
    for (let after = "";; after = `&after=${seen.at(-1)}`) {
      const { tlds, total } = await list(`limit=1000${after}`);
      if (tlds.length === 0) break;
      seen.push(...tlds.map(({ tld }: Json) => tld));
      assertEquals(total, TLDS.length);
    }
    assertEquals(seen, TLDS);
    assertEquals((await list("after=ch&limit=3")).tlds.length, 3);
    const countries = await list("type=ccTLD&limit=2&after=ch");
    assertEquals(countries.tlds.map(({ type }: Json) => type), ["ccTLD", "ccTLD"]);
    const generic = await list("type=gTLD&q=co.jp");
    assertEquals([generic.total, generic.count], [0, 0]);
    const shown = async (query: string) =>
      (await list(query)).tlds.map(({ tld, unicode = tld }: Json) => unicode);
    assertEquals(await shown("q=.co.JP"), ["co.jp"]);
    assertEquals(await shown("q=ธุรกิจ.ไทย"), ["ธุรกิจ.ไทย"]);
    for (const name of ["google.co.jp", "github.io", "co."]) {
      assertEquals(await shown(`q=${name}`), []);
    }
    const enabled = (await get("/tlds?q=i")).body.tlds.map(({ tld }: Json) => tld);
    assertEquals(enabled.toSorted(), ["ai", "biz", "info", "io", "online", "site"]);
  }));

Deno.test("POST /check and the command line take domains under any TLD, and say of each what is wrong", () =>
  onLab(async ({ get, services }) => {
    const names = ["taken.page", "taken.co.uk", "foo.bar.com", "co.uk", "foo.zz"];
    const { body: { results } } = await get("/check", postJson({ names }));
    const found = results.map(({ state, error }: Json) => state ?? error);
    assertEquals(found, ["taken", "taken", "unsupported_tld", "reserved", "unsupported_tld"]);
    const args = ["taken.page", "taken.co.uk", "some", "--tld", "page,co.uk", "--ndjson"];
    const { code, out, err } = await runCli(args, services);
    const domains = out.trimEnd().split("\n").map((line) => JSON.parse(line).domain);
    const expected = ["some.co.uk", "some.page", "taken.co.uk", "taken.page"];
    assertEquals([code, domains.toSorted()], [2, expected], err);
    const wrong = await runCli(["foo.bar.com"], services);
    assertMatch(
      wrong.err,
      /^foo\.bar\.com: TLD bar\.com is not supported: bar\.com is no public suffix/,
    );
  }));
