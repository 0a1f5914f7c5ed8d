import { assertEquals } from "@std/assert";
import type { CacheEntry } from "../../src/flow/cache/cached.ts";
import type { Finding } from "../../src/rules/evidence.ts";
import { createDomainAnswers } from "../../src/store/domain_answers.ts";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { changedKv, failingKv } from "../support/changed_kv.ts";
import { FakeTime } from "../support/fake_time.ts";
import { meteredKv } from "../support/metered_kv.ts";
import { onKv } from "../support/on_kv.ts";

const NOW = Date.UTC(2026, 10, 21);
const now = () => NOW;

function answersOn(kv: Deno.Kv, clock = now) {
  const guarded = guardKv(kv, { report() {}, monotonic: now });
  return createDomainAnswers(guarded, { enabled: ["com"], now: clock });
}

const STATES = {
  taken: { available: false, status: ["undelegated", "active"], premium: false },
  available: { available: true, status: ["undelegated", "inactive"], premium: false },
  premium: { available: true, status: ["undelegated", "inactive", "premium"], premium: true },
  reserved: {
    available: false,
    status: ["undelegated"],
    premium: false,
    reason: 'The registry says: "kept back"',
  },
} as const;

/** A finding as it is kept: asked for `atMs` after the present, for five minutes. */
function keptOf(state: keyof typeof STATES, atMs = 0): CacheEntry<Finding> {
  const askedAt = NOW + atMs;
  const checkedAt = new Date(askedAt).toISOString();
  const value: Finding = { ...STATES[state], source: "rdap", checkedAt };
  return { value, askedAt, expiresAt: askedAt + 300_000 };
}

onKv(
  "domainAnswers.get() returns what another process set, in every state",
  async (kv) => {
    const [one, two] = [answersOn(kv), answersOn(kv)];
    assertEquals(await two.get("name.com"), undefined);
    const states = Object.keys(STATES) as (keyof typeof STATES)[];
    await Promise.all(states.map((state, place) => one.set(`name.${place}`, keptOf(state))));
    const found = await Promise.all(states.map((_, place) => two.get(`name.${place}`)));
    assertEquals(found, states.map((state) => keptOf(state)));
    assertEquals(await two.get("name.com"), undefined);
    assertEquals(await two.get("other.0"), undefined);
  },
);

onKv(
  "domainAnswers.get() and set() take words of Object.prototype as TLDs and labels",
  async (kv) => {
    const [one, two] = [answersOn(kv), answersOn(kv)];
    const words = ["constructor", "toString", "__proto__"];
    for (const name of words.map((word) => `${word}.${word}`)) {
      assertEquals(await two.get(name), undefined, name);
      assertEquals(await one.set(name, keptOf("taken")), keptOf("taken"), name);
      assertEquals(await two.get(name), keptOf("taken"), name);
    }
    for (const word of words) {
      assertEquals(await one.set(`name.${word}`, keptOf("taken")), keptOf("taken"), word);
      assertEquals(await two.get(`name.${word}`), keptOf("taken"), word);
    }
  },
);

onKv(
  "domainAnswers.set() keeps those of enabled TLDs, then those asked for last, when a label has too many findings for one value",
  async (kv) => {
    const reports: string[] = [];
    const guarded = guardKv(kv, { report: (event) => reports.push(event), monotonic: now });
    const answers = createDomainAnswers(guarded, { enabled: ["com"], now });
    const reason = `The registry says: "${"漢".repeat(40)}"`;
    const finding = (atMs: number): CacheEntry<Finding> => {
      const { value, ...times } = keptOf("reserved", atMs);
      return { value: { ...value, reason }, ...times };
    };
    const tlds = Array.from({ length: 1_500 }, (_, place) => `tld${place}`);
    await Promise.all([
      answers.set("name.com", finding(-1_000)),
      ...tlds.map((tld, place) => answers.set(`name.${tld}`, finding(place))),
    ]);
    assertEquals(reports, [], "KV takes every value");
    const { value } = await kv.get<Record<string, unknown>>(["domain", "name"]);
    const kept = Object.keys(value ?? {});
    assertEquals(kept.toSorted(), [...tlds.slice(1 - kept.length), "com"].toSorted());
    assertEquals(kept.length > 80, true, `${kept.length}`);
  },
);

onKv("domainAnswers.set() stores and returns what was asked for later", async (kv) => {
  const [one, two] = [answersOn(kv), answersOn(kv)];
  const newer = keptOf("taken", 5_000);
  assertEquals(await two.set("name.com", newer), newer);
  assertEquals(await one.set("name.com", keptOf("available")), newer);
  assertEquals(await one.set("name.net", keptOf("available")), keptOf("available"));
  assertEquals(await two.get("name.com"), newer);
});

onKv(
  "domainAnswers.set() loses none of what processes set for a label at the same time",
  async (kv) => {
    const processes = [answersOn(kv), answersOn(kv)];
    const tlds = Array.from({ length: 19 }, (_, place) => `tld${place}`);
    await Promise.all(
      tlds.map((tld, place) => processes[place % 2]?.set(`name.${tld}`, keptOf("taken", place))),
    );
    const found = await Promise.all(tlds.map((tld) => processes[0]?.get(`name.${tld}`)));
    assertEquals(found.map((kept) => kept?.askedAt), tlds.map((_, place) => NOW + place));
  },
);

onKv(
  "domainAnswers.set() stores what was asked for later when two findings of a domain are committed together",
  async (kv) => {
    const newer = keptOf("taken", 5_000);
    const older = keptOf("available");
    for (const [label, first, second] of [["one", older, newer], ["two", newer, older]] as const) {
      const answers = answersOn(kv);
      const both = [answers.set(`${label}.com`, first), answers.set(`${label}.com`, second)];
      assertEquals(await Promise.all(both), [newer, newer]);
      assertEquals(await answersOn(kv).get(`${label}.com`), newer);
    }
  },
);

Deno.test("domainAnswers.get() treats an unreadable value as a miss", async () => {
  using kv = await Deno.openKv(":memory:");
  const stored = {
    com: ["held", "rdap", NOW, NOW + 1],
    net: { available: true },
    org: ["available", "rdap", "soon", NOW + 1],
    dev: ["taken", "dns", NOW, NOW + 1],
  };
  await kv.set(["domain", "name"], stored);
  const answers = answersOn(kv);
  const found = await Promise.all(Object.keys(stored).map((tld) => answers.get(`name.${tld}`)));
  assertEquals(found.map((kept) => kept?.value.status), [undefined, undefined, undefined, [
    "active",
  ]]);
  await answers.set("name.com", keptOf("available"));
  assertEquals((await answers.get("name.com"))?.value.available, true);
});

Deno.test("domainAnswers.set() drops the label's findings that have expired", async () => {
  using kv = await Deno.openKv(":memory:");
  const answers = answersOn(kv);
  await answers.set("name.com", keptOf("available", -300_000));
  await answers.set("name.net", keptOf("taken"));
  const { value } = await kv.get<Record<string, unknown>>(["domain", "name"]);
  assertEquals(Object.keys(value ?? {}), ["net"]);
});

Deno.test("domainAnswers.set() stores no value that a rule for the label has decided", async () => {
  using kv = await Deno.openKv(":memory:");
  const answers = answersOn(kv);
  const found = keptOf("reserved");
  const byRule = { ...found, value: { ...found.value, reason: "No IDNs are sold" } };
  assertEquals(await answers.set("xn--name.io", byRule), byRule);
  assertEquals((await kv.get(["domain", "xn--name"])).value, null);
  await answers.set("xn--name.com", keptOf("taken"));
  assertEquals(await answers.set("xn--name.io", byRule), byRule);
  const { value } = await kv.get<object>(["domain", "xn--name"]);
  assertEquals(Object.keys(value ?? {}), ["com"]);
});

onKv(
  "domainAnswers keeps for 48 hours when a name was taken whose registry may hold it back",
  async (real) => {
    const { kv, lifetimes } = meteredKv(real);
    let aheadMs = 0;
    const guarded = guardKv(kv, { report() {}, monotonic: now });
    const holdsBack = (tld: string) => ["info", "org"].includes(tld);
    const answers = createDomainAnswers(guarded, {
      enabled: [],
      holdsBack,
      now: () => NOW + aheadMs,
    });
    await answers.set("name.info", keptOf("taken"));
    const { value, ...times } = keptOf("reserved");
    const dropped = { ...times, value: { ...value, registeredAt: NOW } };
    await answers.set("name.org", dropped);
    await answers.set("name.biz", keptOf("available"));
    await answers.set("name.net", dropped);
    assertEquals((await answers.get("name.org"))?.value, dropped.value);
    assertEquals((await answers.get("name.net"))?.value, value);
    aheadMs = 48 * 3_600_000 - 1;
    await answers.set("name.com", keptOf("taken", aheadMs));
    const kept = async () => Object.keys((await kv.get<object>(["domain", "name"])).value ?? {});
    assertEquals(await kept(), ["info", "org", "com"]);
    assertEquals((await answers.get("name.info"))?.expiresAt, NOW + 300_000, "no longer an answer");
    aheadMs++;
    await answers.set("name.com", keptOf("taken", aheadMs));
    assertEquals(await kept(), ["com"]);
    assertEquals(lifetimes, [...Array(4).fill(48 * 3_600_000), 300_000, 300_000]);
  },
);

onKv("nineteen findings of a label cost one read unit and one write unit", async (real) => {
  const { kv, units, reset } = meteredKv(real);
  const answers = answersOn(kv);
  const tlds = Array.from({ length: 19 }, (_, place) => `tld${place}`);
  await Promise.all(tlds.map((tld) => answers.get(`name.${tld}`)));
  assertEquals(units, { read: 1, write: 0 });
  reset();
  await Promise.all(tlds.map((tld) => answers.set(`name.${tld}`, keptOf("taken"))));
  // The entry is known from the read.
  assertEquals(units, { read: 0, write: 1 });
});

onKv(
  "domainAnswers.set() reads an entry again that another process has written since",
  async (kv) => {
    const [one, two] = [answersOn(kv), answersOn(kv)];
    await one.get("name.com");
    const newer = keptOf("taken", 5_000);
    await two.set("name.com", newer);
    assertEquals(await one.set("name.com", keptOf("available")), newer);
    await one.set("name.net", keptOf("taken"));
    assertEquals([await two.get("name.com"), await two.get("name.net")], [newer, keptOf("taken")]);
  },
);

onKv("domainAnswers.set() returns its own finding when KV fails", async (kv) => {
  const answers = answersOn(failingKv(kv, "get", () => true));
  const found = keptOf("available");
  assertEquals(await answers.set("name.com", found), found);
  assertEquals(await answers.get("name.com"), undefined);
});

onKv("domainAnswers.get() returns the offer that another process set", async (kv) => {
  const [one, two] = [answersOn(kv), answersOn(kv)];
  const offers = [
    { registrar: "Shop", price: 9.5, renewal: 12, premium: false, years: 1 },
    { registrar: "Shop", price: 9.5, premium: true },
    { registrar: "Shop", price: 9.5, years: 2 },
  ];
  const entries = offers.map((offer) => {
    const entry = keptOf(offer.premium ? "premium" : "available");
    return { ...entry, value: { ...entry.value, offer } };
  });
  for (const [place, entry] of entries.entries()) await one.set(`name.${place}`, entry);
  assertEquals(await Promise.all(entries.map((_, place) => two.get(`name.${place}`))), entries);
});

onKv("domainAnswers.get() ignores an offer of another version's form", async (kv) => {
  const { askedAt, expiresAt } = keptOf("available");
  const stored = ["available", "rdap", askedAt, expiresAt, undefined, { price: 9 }];
  await kv.set(["domain", "name"], { com: stored });
  assertEquals(await answersOn(kv).get("name.com"), keptOf("available"));
});

Deno.test("domainAnswers.settled() writes at once what is collected", async () => {
  // Its timers never fire: what waited for one would wait for ever.
  using _time = new FakeTime(NOW);
  using kv = await Deno.openKv(":memory:");
  const answers = answersOn(kv);
  const setting = ["com", "net"].map((tld) => answers.set(`name.${tld}`, keptOf("taken")));
  await answers.settled();
  await Promise.all(setting);
  const { value } = await kv.get<Record<string, unknown>>(["domain", "name"]);
  assertEquals(Object.keys(value ?? {}), ["com", "net"]);
});

Deno.test("domainAnswers.set() collects a label's findings for longer where some were written just before", async () => {
  using time = new FakeTime(NOW);
  using kv = await Deno.openKv(":memory:");
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
