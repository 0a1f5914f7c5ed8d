import { assert, assertEquals } from "@std/assert";
import { msUntil } from "../../src/lookup/exchange.ts";
import { createUpstreamHosts } from "../../src/flow/upstream_host.ts";
import { checksBy, ofStream, pacedRegistry } from "../support/checks.ts";
import { FakeTime } from "../support/fake_time.ts";

/** A registry that is asked one question a second, and clients that ask about names under its TLD. */
function clientsOf({ dnsMs = 0 } = {}) {
  const counted = { dns: 0 };
  const { ask, asked } = pacedRegistry({ concurrency: 4, burst: 1, everyMs: 1_000 });
  const { checkDomain } = checksBy({
    async isDelegated() {
      counted.dns++;
      await new Promise((resolve) => setTimeout(resolve, dnsMs));
      return { kind: "none", askedAt: Date.now() };
    },
    askRegistry: ask,
  });
  const check = async (label: string, client: string) => {
    const isList = client === "list";
    const from = Date.now();
    const expected: number[] = [];
    const row = await checkDomain(label, "com", {
      ...ofStream(),
      client,
      isList,
      onPending: ({ expectedAt }) => void expected.push(msUntil(expectedAt)),
    });
    return { ...row, expected, waitedMs: Date.now() - from };
  };
  return { asked, counted, check };
}

/** The labels of a list. */
const listOf = (length: number) => Array.from({ length }, (_, n) => `listed-${n}`);

Deno.test("a client that asks for a queued name of another's list gets it at its own turn, by one question", async () => {
  using time = new FakeTime(1e12);
  const { asked, check } = clientsOf();
  const listed = listOf(60).map((label) => check(label, "list"));
  await time.tickAsync(900);
  const joined = check("listed-14", "person");
  await time.runAll();
  const { available, waitedMs, expected, error } = await joined;
  assertEquals([available, error], [true, undefined]);
  assert(waitedMs <= 2_000, `${waitedMs} ms`);
  // First what is left of its starter's wait, then what its own place lets expect: a round of the others at most.
  assertEquals(expected[0], 14_000 - 900);
  assert(expected[1]! >= waitedMs && expected[1]! <= waitedMs + 1_000, `${expected}`);
  assertEquals(asked.filter((domain) => domain === "listed-14.com").length, 1);
  const rows = await Promise.all(listed);
  assertEquals(rows[14]?.expected, [14_000, expected[1]], "both are told what is new");
  // The list has lost no turn of those before it: the person's was a turn of its own.
  assertEquals(rows.slice(0, 15).map(({ state }) => state), Array(15).fill("available"));
});

Deno.test("rows of a list that would wait for over 15 minutes end at once, but not for a client that joins their look-up", async () => {
  using time = new FakeTime(1e12);
  const { asked, counted, check } = clientsOf({ dnsMs: 100 });
  const listed = listOf(1_000).map((label) => check(label, "list"));
  await time.tickAsync(50);
  const joined = check("listed-940", "person");
  for (let s = 0; s < 1_000; s += 100) await time.tickAsync(100_000);
  const { available, waitedMs, error } = await joined;
  assertEquals([available, error], [true, undefined]);
  assert(waitedMs <= 2_000, `${waitedMs} ms`);
  assertEquals(asked.filter((domain) => domain === "listed-940.com").length, 1);
  const ended = (await Promise.all(listed)).filter(({ state }) => state === "unknown");
  assert(ended.length >= 90 && ended.length <= 100, `${ended.length}`);
  for (const { waitedMs, retryAfter = 0 } of ended) {
    assert(waitedMs === 100 && retryAfter > 900, `${waitedMs} ms, ${retryAfter} s`);
  }
  assertEquals(counted.dns, listed.length, "nothing asks again");
});

Deno.test("a client that joins a look-up whose WHOIS question found its list's queue too long gets its own turn", async () => {
  using time = new FakeTime(1e12);
  const hosts = createUpstreamHosts({ report() {}, monotonic: Date.now, now: Date.now });
  const whois = hosts.ofKind("whois", {
    paceOf: () => ({ concurrency: 1, burst: 1, everyMs: 10_000 }),
  })("whois.example");
  const { checkDomain } = checksBy({
    async askRegistry() {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return { kind: "notFound", askedAt: Date.now(), statements: [] };
    },
    async askWhois(_, wait) {
      const denied = { kind: "notFound", askedAt: Date.now() } as const;
      const question = () => Promise.resolve(denied);
      const asked = await whois.ask(question, { outcomeOf: () => ({ kind: "ok" }), wait });
      if (asked.kind === "answered") return asked.answer;
      return { kind: "missing", fault: "unasked", retryAfterMs: whois.retryMs(wait) };
    },
  });
  const list = { ...ofStream(), client: "list", isList: true };
  const listed = listOf(120).map((label) => checkDomain(label, "org", list));
  await time.tickAsync(500);
  const joined = checkDomain("listed-110", "org", { ...ofStream(), client: "person" });
  await time.runAll();
  const { state, responseMs } = await joined;
  assertEquals(state, "available");
  assert(responseMs <= 20_500, `${responseMs} ms`);
  const { state: last, likely, retryAfter } = (await Promise.all(listed)).at(-1)!;
  assertEquals([last, likely], ["unknown", "available"]);
  assert(retryAfter! > 900, `${retryAfter} s`);
});
