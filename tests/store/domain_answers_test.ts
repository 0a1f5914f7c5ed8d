import { assertEquals } from "@std/assert";
import type { Finding } from "../../src/rules/evidence.ts";
import type { State } from "../../src/rules/verdict.ts";
import { createDomainAnswers } from "../../src/store/domain_answers.ts";
import { changedKv, failingKv } from "../support/changed_kv.ts";
import { FakeTime } from "../support/fake_time.ts";
import { meteredKv } from "../support/metered_kv.ts";
import { guarded, test } from "../support/on_kv.ts";

const NOW = Date.UTC(2026, 10, 21);

function answersOn(kv: Deno.Kv, clock = () => NOW) {
  return createDomainAnswers(guarded(kv), { enabled: ["com"], now: clock });
}

/** The TLDs whose findings KV has for a label. */
async function keptTlds(kv: Deno.Kv, label: string): Promise<string[]> {
  return Object.keys((await kv.get<object>(["domain", label])).value ?? {});
}

/** A finding as it is kept: asked for `atMs` after the present, for five minutes. */
function keptOf(state: State, atMs = 0, more: Partial<Finding> = {}) {
  const askedAt = NOW + atMs;
  const checkedAt = new Date(askedAt).toISOString();
  const value: Finding = { state, source: "rdap", checkedAt, ...more };
  return { value, askedAt, expiresAt: askedAt + 300_000 };
}

test("domainAnswers.get() returns what another process set, in every state", async (kv) => {
  const [one, two] = [answersOn(kv), answersOn(kv)];
  const offer = { registrar: "Shop", price: 9.5 };
  const entries = {
    com: keptOf("taken"),
    net: keptOf("available"),
    org: keptOf("premium"),
    dev: keptOf("reserved", 0, { reason: 'The registry says: "kept back"' }),
    app: keptOf("available", 0, { offer: { ...offer, renewal: 12, premium: false, years: 1 } }),
    xyz: keptOf("premium", 0, { offer: { ...offer, premium: true } }),
    ai: keptOf("available", 0, { offer: { ...offer, years: 2 } }),
    // Words of Object.prototype.
    constructor: keptOf("taken"),
    toString: keptOf("taken"),
    ["__proto__"]: keptOf("taken"),
  };
  for (const label of ["name", "constructor", "__proto__"]) {
    const names = Object.keys(entries).map((tld) => `${label}.${tld}`);
    assertEquals(await Promise.all(names.map(two.get)), names.map(() => undefined));
    await Promise.all(names.map((name, n) => one.set(name, Object.values(entries)[n]!)));
    assertEquals(await Promise.all(names.map(two.get)), Object.values(entries));
  }
});

test("domainAnswers.set() keeps enabled TLDs and those asked last in one value", async (kv) => {
  const answers = answersOn(kv);
  const reason = `The registry says: "${"漢".repeat(40)}"`;
  const tlds = Array.from({ length: 1_500 }, (_, place) => `tld${place}`);
  await Promise.all([
    answers.set("name.com", keptOf("reserved", -1_000, { reason })),
    ...tlds.map((tld, n) => answers.set(`name.${tld}`, keptOf("reserved", n, { reason }))),
  ]);
  const kept = await keptTlds(kv, "name");
  assertEquals(kept.toSorted(), [...tlds.slice(1 - kept.length), "com"].toSorted());
  assertEquals(kept.length > 80, true, `${kept.length}`);
});

test("domainAnswers.set() stores and returns what was asked for later", async (kv) => {
  const [one, two] = [answersOn(kv), answersOn(kv)];
  const [older, newer] = [keptOf("available"), keptOf("taken", 5_000)];
  // What it has read changes before it writes.
  await one.get("name.com");
  assertEquals(await two.set("name.com", newer), newer);
  assertEquals(await one.set("name.com", older), newer);
  assertEquals(await one.set("name.net", older), older);
  assertEquals([await two.get("name.com"), await two.get("name.net")], [newer, older]);
  for (const [label, both] of [["up", [older, newer]], ["down", [newer, older]]] as const) {
    const set = await Promise.all(both.map((found) => one.set(`${label}.com`, found)));
    assertEquals([...set, await two.get(`${label}.com`)], [newer, newer, newer], "in one commit");
  }
});

test("domainAnswers.get() treats a value of another form as a miss", async (kv) => {
  const { askedAt, expiresAt } = keptOf("available");
  const stored = {
    com: ["held", "rdap", NOW, NOW + 1],
    net: { available: true },
    org: ["available", "rdap", "soon", NOW + 1],
    io: ["available", "doh", askedAt, expiresAt],
    dev: ["available", "rdap", askedAt, expiresAt, undefined, ["Shop", 9]],
  };
  await kv.set(["domain", "name"], stored);
  const answers = answersOn(kv);
  const found = await Promise.all(Object.keys(stored).map((tld) => answers.get(`name.${tld}`)));
  assertEquals(found, [undefined, undefined, undefined, undefined, keptOf("available")]);
  await answers.set("name.com", keptOf("available"));
  assertEquals(await answers.get("name.com"), keptOf("available"));
});

test("domainAnswers.set() stores nothing that has expired or that a rule decides", async (kv) => {
  const answers = answersOn(kv);
  const byRule = keptOf("reserved", 0, { reason: "No IDNs are sold" });
  assertEquals(await answers.set("name.io", byRule), byRule);
  assertEquals((await kv.get(["domain", "name"])).value, null);
  await answers.set("name.com", keptOf("available", -300_000));
  assertEquals(await answers.set("name.io", byRule), byRule);
  await answers.set("name.net", keptOf("taken"));
  assertEquals(await keptTlds(kv, "name"), ["net"]);
});

test("domainAnswers keeps 48 hours when a name was last seen taken that may be held back", async (real) => {
  const { kv, lifetimes } = meteredKv(real);
  let aheadMs = 0;
  const answers = answersOn(kv, () => NOW + aheadMs);
  await answers.set("name.info", keptOf("taken", 0, { registeredAt: NOW }));
  const dropped = keptOf("reserved", 0, { registeredAt: NOW });
  await answers.set("name.org", dropped);
  await answers.set("name.biz", keptOf("available"));
  await answers.set("name.net", keptOf("taken"));
  assertEquals(await answers.get("name.org"), dropped);
  aheadMs = 48 * 3_600_000 - 1;
  await answers.set("name.com", keptOf("available", aheadMs));
  assertEquals((await keptTlds(kv, "name")).toSorted(), ["com", "info", "org"]);
  assertEquals((await answers.get("name.info"))?.expiresAt, NOW + 300_000, "no longer an answer");
  aheadMs++;
  await answers.set("name.com", keptOf("available", aheadMs));
  assertEquals(await keptTlds(kv, "name"), ["com"]);
  assertEquals(lifetimes, [...Array(4).fill(48 * 3_600_000), 300_000, 300_000]);
});

test("domainAnswers keeps when a name was last seen taken that may be held back, however many TLDs follow", async (kv) => {
  let aheadMs = 0;
  const answers = answersOn(kv, () => NOW + aheadMs);
  await answers.set("name.info", keptOf("taken", 0, { registeredAt: NOW }));
  // KV has had the name as taken by another process since this one has read it.
  await answers.get("name.org");
  await answersOn(kv).set("name.org", keptOf("taken", 0, { registeredAt: NOW }));
  await answers.set("name.org", keptOf("available", 1));
  aheadMs = 3_600_000;
  const tlds = Array.from({ length: 400 }, (_, place) => `tld${place}`);
  await Promise.all(tlds.map((tld) => answers.set(`name.${tld}`, keptOf("taken", aheadMs))));
  for (const name of ["name.info", "name.org"]) {
    assertEquals((await answers.get(name))?.value.registeredAt, NOW, name);
  }
});

test("domainAnswers.set() returns its own finding when KV fails", async (kv) => {
  const answers = answersOn(failingKv(kv, "get", () => true));
  assertEquals(await answers.set("name.com", keptOf("available")), keptOf("available"));
  assertEquals(await answers.get("name.com"), undefined);
});

test("domainAnswers.settled() writes at once what is collected", async (kv) => {
  // Its timers never fire: what waited for one would wait for ever.
  using _time = new FakeTime(NOW);
  const answers = answersOn(kv);
  const setting = ["com", "net"].map((tld) => answers.set(`name.${tld}`, keptOf("taken")));
  await answers.settled();
  await Promise.all(setting);
  assertEquals(await keptTlds(kv, "name"), ["com", "net"]);
});

test("domainAnswers.set() collects a label's findings for longer where some were written just before", async (kv) => {
  using time = new FakeTime(NOW);
  let commits = 0;
  const counted = changedKv(kv, (operation) => void (operation === "atomic" && commits++));
  const answers = answersOn(counted, Date.now);
  const set = (tld: string) => answers.set(`name.${tld}`, keptOf("taken"));
  const first = set("com");
  await time.tickAsync(20);
  await first;
  const second = set("net");
  await time.tickAsync(200);
  const third = set("org");
  await time.tickAsync(100);
  await Promise.all([second, third]);
  assertEquals(commits, 2);
  await time.tickAsync(1_000);
  const later = set("dev");
  await time.tickAsync(20);
  await later;
});
