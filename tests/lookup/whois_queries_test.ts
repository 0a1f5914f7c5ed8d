import { assertEquals } from "@std/assert";
import type { SharedState } from "../../src/flow/host_state.ts";
import { createUpstreamHosts, type SharedHosts } from "../../src/flow/upstream_host.ts";
import { createWhoisQueries } from "../../src/lookup/registries.ts";
import type { WhoisFailure, WhoisFault, WhoisText } from "../../src/rules/answer.ts";
import type { WhoisServer } from "../../src/rules/tables/hosts.ts";
import { FakeTime } from "../support/fake_time.ts";

const OWN: WhoisServer = { host: "whois.example" };
const SHARED: WhoisServer = { host: "whois.shared.example", sharesBudgetOf: "rdap.example" };
const MINUTE_MS = 60_000;
const failure = (fault: WhoisFault): WhoisFailure => ({ kind: "failed", fault, why: fault });

/** Queries to servers that are asked one query at a time, and answer when the test says so. */
function openQueries(shared?: SharedHosts) {
  const asked: string[] = [];
  const answers = new Map<string, () => void>();
  const hosts = createUpstreamHosts({ report() {}, now: Date.now, monotonic: Date.now, shared });
  const paceOf = () => ({ concurrency: 1, burst: 1, everyMs: 0 });
  const registryHostOf = hosts.ofKind("rdap", { paceOf });
  const queries = createWhoisQueries({
    query(_, domain) {
      asked.push(domain);
      const { promise, resolve } = Promise.withResolvers<WhoisText>();
      answers.set(domain, () => resolve({ kind: "text", text: domain, askedAt: 7 }));
      return promise;
    },
    paceOf,
    registryHostOf,
    hosts,
  });
  return {
    queries,
    asked,
    rdap: registryHostOf("rdap.example"),
    problems: () => hosts.problems().map(({ host, leftMs }) => [host, leftMs / MINUTE_MS]),
    answer: (name: string) => answers.get(name)?.(),
  };
}

Deno.test("a server that has refused one process is not asked by another one", async () => {
  const states = new Map<string, SharedState>();
  const shared: SharedHosts = {
    stateOf: (host) => Promise.resolve(states.get(host)),
    note: (host, state) =>
      Promise.resolve(void states.set(host, { ...state, pauseMs: 5 * MINUTE_MS })),
    spend: () => Promise.resolve(true),
  };
  const [one, other] = [openQueries(shared), openQueries(shared)];
  one.queries.note(OWN, failure("limited"));
  await Promise.resolve();
  assertEquals([await other.queries.ask(OWN, "zebra.com"), other.asked], [undefined, []]);
});

Deno.test("a server with a shared budget uses the RDAP host's queue after RDAP, and its refusal slows RDAP", async () => {
  using time = new FakeTime(0);
  const { queries, asked, rdap, answer } = openQueries();
  const held = Promise.withResolvers<void>();
  const outcomeOf = () => ({ kind: "ok" }) as const;
  const running = rdap.ask(() => held.promise, { outcomeOf });
  const whois = queries.ask(SHARED, "zebra.com");
  await time.tickAsync(0);
  const next = rdap.ask(() => (asked.push("rdap"), Promise.resolve()), { outcomeOf });
  await time.tickAsync(0);
  held.resolve();
  await Promise.all([running, next]);
  await time.tickAsync(0);
  assertEquals(asked, ["rdap", "zebra.com"]);
  answer("zebra.com");
  assertEquals((await whois)?.kind, "text");
});

Deno.test("a server with a shared budget is not asked while the RDAP host pauses", async () => {
  const { queries, asked, rdap } = openQueries();
  rdap.note({ kind: "limited", why: "HTTP 429", pauseMs: MINUTE_MS });
  assertEquals([await queries.ask(SHARED, "zebra.com"), asked], [undefined, []]);
});
