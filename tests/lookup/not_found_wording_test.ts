import { assertEquals, assertMatch } from "@std/assert";
import { type Lab, startLab } from "../lab/lab.ts";
import { type HttpBehaviour, RDAP_JSON } from "../lab/http_behaviour.ts";
import { startService } from "../support/service.ts";

const env = { TLDS: "com,net,online" };

/** A well-formed 404 with these further members. */
function notFound(members: Record<string, unknown>): HttpBehaviour {
  const body = { errorCode: 404, title: "Not Found", ...members };
  return { kind: "json", status: 404, contentType: RDAP_JSON, body };
}

/** Radix's usual 404 in the lab, with this description. */
function described(...description: string[]): HttpBehaviour {
  return notFound({ description, rdapConformance: ["rdap_level_0"] });
}

async function check(rdap: HttpBehaviour, domain = "zebra77.online") {
  await using lab = await startLab();
  lab.script(domain, { dns: "nxdomain", rdap });
  await using service = await startService(lab, { env });
  return await service.check(domain);
}

function randomNames(lab: Lab): number {
  return lab.requests.filter(({ path }) => /\/[a-z0-9]{12,30}\./.test(path)).length;
}

// An attack that got `available: true`: the reason stands beside legal words.
for (
  const words of [
    "Registry Reserved in accordance with the terms and conditions of the registry",
    "zebra77.online is reserved under the terms of the Registry Agreement",
    "zebra77.online blocked by BSA under the terms of GlobalBlock",
    "Reserved by the Registry under the terms of Specification 5",
    "Reserved name (see terms of use)",
    "Not available for registration under the terms of the Registry-Registrant Agreement",
    "Name is not available for registration (access restricted)",
    "DPML brand protection: terms and conditions apply",
  ]
) {
  Deno.test(`a 404 that says "${words}" makes no name available`, async () => {
    const { state, status, reason } = await check(described(words));
    assertEquals([state, status], ["reserved", ["undelegated"]]);
    assertMatch(reason ?? "", /^The registry says: "/);
  });
}

/** 404s that refuse a name in members or words that no list of phrases has. */
const UNKNOWN_WORDS: [string, HttpBehaviour, RegExp][] = [
  ["in another language", described("Dieser Name ist gesperrt"), /"Dieser Name ist gesperrt"/],
  ["in Chinese", described("该域名已被保留"), /"该域名已被保留"/],
  [
    "in remarks",
    notFound({ remarks: [{ title: "Hinweis", description: ["vergeben"] }] }),
    /Hinweis/,
  ],
  ["in a nested list", notFound({ description: [["vergeben", ["sofort"]]] }), /vergeben/],
  ["in a member of its own", notFound({ registrable: false }), /"registrable \(boolean\): false"/],
  ["in many words", described(`held ${"so ".repeat(200)}`), /held so.{100,200}…"/],
];

for (const [where, manner, quoted] of UNKNOWN_WORDS) {
  Deno.test(`a 404 with unknown words ${where} gives unknown and quotes them`, async () => {
    const { state, error, source } = await check(manner);
    assertEquals([state, source], ["unknown", "rdap"]);
    assertMatch(error ?? "", quoted);
  });
}

Deno.test("a legal notice that the registry has in every 404 makes no name unknown, one of some names does", async () => {
  const terms = { title: "Terms of Use", description: ["We reserve the right to restrict access"] };
  const worded = { dns: "nxdomain" as const, rdap: notFound({ notices: [terms] }) };
  await using lab = await startLab();
  lab.scriptUnscripted(worded);
  lab.script("zebra77.online", worded);
  lab.script("yak88.online", { ...worded, rdap: notFound({}) });
  await using service = await startService(lab, { env: { TLDS: "online" } });
  assertEquals((await service.check("zebra77.online")).state, "available");
  assertEquals((await service.check("yak88.online")).state, "unknown");
});

Deno.test("a registry's 404 says nothing of another TLD on its host", async () => {
  await using lab = await startLab();
  const reserved = notFound({ notices: [{ description: ["This name is reserved"] }] });
  // Under .online every 404 has the notice, under .site one of some names.
  lab.scriptTld("online", reserved);
  lab.script("zebra77.site", { dns: "nxdomain", rdap: reserved });
  await using service = await startService(lab, { env: { TLDS: "online,site" } });
  const { body } = await service.get("/check?name=zebra77");
  assertEquals(body.results.map(({ state }: { state: string }) => state), ["unknown", "reserved"]);
});

/** 404s that differ from the one for a random name in what is no text, or only looks like legal text. */
const DIFFERENT: [string, Record<string, unknown>, Record<string, unknown>][] = [
  ["a notice with a link to terms", {}, {
    notices: [{
      title: "Name Kept",
      description: ["Kept back by a service."],
      links: [{ href: "https://a.example", rel: "terms-of-service" }],
    }],
  }],
  ["'could' for 'was'", { title: "<name> was not found" }, { title: "<name> could be kept" }],
  ["a code in an object", {}, { details: [{ errorCode: "DOMAIN_KEPT" }] }],
  ["a truth value", {}, { kept: { value: true } }],
  ["another conformance", { rdapConformance: ["rdap_level_0"] }, {
    rdapConformance: ["rdap_level_0", "kept_name_0"],
  }],
  ["a link", {}, { links: [{ href: "https://a.example/why-is-this-name-kept" }] }],
  ["a number", { registrable: 1 }, { registrable: 0 }],
  ["a code in a text", { note: "EPP result 2303" }, { note: "EPP result 2306" }],
  ["a date", { until: "1970-01-01T00:00:00Z" }, { until: "2031-01-01T00:00:00Z" }],
  ["a word with a digit", { reason: "no-such-name-1" }, { reason: "kept-by-spec-5" }],
  ["fewer words", { description: ["<name> is available for registration"] }, {}],
];

for (const [what, usual, own] of DIFFERENT) {
  Deno.test(`a 404 that differs from that for a random name by ${what} makes no name available`, async () => {
    await using lab = await startLab();
    const saying = (members: Record<string, unknown>) => ({
      dns: "nxdomain" as const,
      rdap: notFound(JSON.parse(JSON.stringify(members).replaceAll("<name>", "the name"))),
    });
    lab.scriptUnscripted(saying(usual));
    lab.script("yak88.online", saying(usual));
    lab.script("zebra77.online", saying({ ...usual, description: undefined, ...own }));
    await using service = await startService(lab, { env: { TLDS: "online" } });
    assertEquals((await service.check("yak88.online")).state, "available");
    assertEquals((await service.check("zebra77.online")).state, "unknown");
  });
}

Deno.test("a registry that refuses every name in a notice, a remark or a status fails its test", async () => {
  for (
    const refusal of [
      { notices: [{ title: "Notice", description: ["This name is not available."] }] },
      { remarks: [{ description: ["reserved by the registry"] }] },
      { status: ["reserved"] },
    ]
  ) {
    await using lab = await startLab();
    lab.scriptUnscripted({ dns: "nxdomain", rdap: notFound(refusal) });
    await using service = await startService(lab, { env: { TLDS: "online" } });
    const { state, error } = await service.check("free-name.online");
    assertEquals(state, "unknown");
    assertMatch(error ?? "", /reports a made-up name as not registrable/);
  }
});

Deno.test("a registry that changes its wording is asked about one random name for all clients", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env });
  await service.services.renewCanaries();
  assertEquals((await service.check("one.online")).state, "available");
  const worded = { dns: "nxdomain" as const, rdap: notFound({ title: "Nichts gefunden" }) };
  for (const name of ["two", "three", "four"]) lab.script(name, worded);
  // The registry words every 404 like this from now on, also for a made-up name.
  lab.scriptUnscripted(worded);
  lab.clear();
  const rows = await Promise.all(["two", "three", "four"].map((n) => service.check(`${n}.online`)));
  assertEquals(rows.map(({ state }) => state), ["available", "available", "available"]);
  assertEquals(randomNames(lab), 1);
  lab.clear();
  assertEquals((await service.check("five.online")).state, "available");
  assertEquals(randomNames(lab), 0, "the new wording is known by now");
});

Deno.test("unknown words cause one question a minute for a TLD, are logged without the name, and counted by TLD", async () => {
  await using lab = await startLab();
  const odd = described("zebra77.online ist gesperrt");
  for (const name of ["zebra77", "yak88", "xerus99"]) {
    lab.script(`${name}.online`, { dns: "nxdomain", rdap: odd });
  }
  let now = Date.now();
  await using service = await startService(lab, { env, now: () => now });
  await service.services.renewCanaries();
  lab.clear();
  assertEquals((await service.check("zebra77.online")).state, "unknown");
  assertEquals((await service.check("yak88.online")).state, "unknown");
  assertEquals(randomNames(lab), 1);
  now += 60_000;
  assertEquals((await service.check("xerus99.online")).state, "unknown");
  assertEquals(randomNames(lab), 2);
  const { body } = await service.get("/health");
  assertEquals(body.unreadNotices, { online: 3 });
  const logged = service.events.filter(({ event }) => event === "rdap.unread_notice");
  // Without the words, which may hold the name.
  const fields = logged.map(({ tld, words }) => [tld, words]);
  assertEquals(fields, Array(3).fill(["online", undefined]));
});
