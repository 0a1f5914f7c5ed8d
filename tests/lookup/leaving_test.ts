import { assert, assertEquals } from "@std/assert";
import type { Waiter } from "../../src/flow/cache/flight.ts";
import { createUpstreamHosts } from "../../src/flow/upstream_host.ts";
import type { CheckDomain } from "../../src/lookup/check_domain.ts";
import { createRegistries } from "../../src/lookup/registries.ts";
import type { DnsAnswer, RdapAnswer } from "../../src/rules/answer.ts";
import { createDelegationCheck } from "../../src/sources/dns.ts";
import { startLab } from "../lab/lab.ts";
import { changedApp } from "../support/changed_app.ts";
import { checksBy } from "../support/checks.ts";
import { startService } from "../support/service.ts";

const NOT_FOUND: RdapAnswer = { kind: "notFound", askedAt: Date.now(), statements: [] };

/** Upstreams that take one question at a time, and answer when the test says so. */
function slowUpstreams() {
  const asked: string[] = [];
  const answers = new Map<string, (answer: RdapAnswer) => void>();
  const { ask } = createRegistries({
    question: (_base, domain) => {
      asked.push(domain);
      return new Promise((resolve) => answers.set(domain, resolve));
    },
    paceOf: () => ({ concurrency: 1, burst: 1, everyMs: 0 }),
    hosts: createUpstreamHosts({ report() {}, monotonic: Date.now, now: Date.now }),
  });
  const { checkDomain } = checksBy({
    sources: {
      isDelegated: (): Promise<DnsAnswer> => Promise.resolve({ kind: "none", askedAt: 0 }),
      registries: { ask },
    },
  });
  const answer = async (domain: string) => {
    while (!answers.has(domain)) await Promise.resolve();
    answers.get(domain)?.(NOT_FOUND);
  };
  return { checkDomain, asked, answer };
}

async function turns(count: number): Promise<void> {
  for (let wait = 0; wait < count; wait++) await Promise.resolve();
}

Deno.test("a queued look-up is cancelled when its client disconnects; a running one is finished and cached", async () => {
  const { checkDomain, asked, answer } = slowUpstreams();
  const gone = new AbortController();
  const first = checkDomain("first", "com", gone);
  const second = checkDomain("second", "com", gone);
  while (asked.length < 1) await Promise.resolve();
  await turns(50);
  gone.abort();
  assertEquals((await second).status, ["unknown"]);
  await answer("first.com");
  assertEquals((await first).available, true);
  const other = checkDomain("other", "com");
  await answer("other.com");
  await other;
  assertEquals(asked, ["first.com", "other.com"]);
});

Deno.test("a look-up with two clients continues when one disconnects", async () => {
  const { checkDomain, asked, answer } = slowUpstreams();
  const gone = new AbortController();
  const running = checkDomain("running", "com");
  const waiting = [checkDomain("wanted", "com", gone), checkDomain("wanted", "com")];
  while (asked.length < 1) await Promise.resolve();
  await turns(50);
  gone.abort();
  await answer("running.com");
  await running;
  await answer("wanted.com");
  assertEquals((await Promise.all(waiting)).map(({ available }) => available), [true, true]);
  assertEquals(asked, ["running.com", "wanted.com"]);
});

Deno.test("a client that asks for a look-up just cancelled gets a real answer", async () => {
  const { checkDomain, asked, answer } = slowUpstreams();
  const gone = new AbortController();
  const running = checkDomain("running", "com");
  const given = checkDomain("wanted", "com", gone);
  while (asked.length < 1) await Promise.resolve();
  await turns(50);
  gone.abort();
  const again = checkDomain("wanted", "com");
  await answer("running.com");
  await answer("wanted.com");
  assertEquals([(await given).available, (await again).available], [false, true]);
  await running;
});

Deno.test("a DNS query for a disconnected client is cancelled and does not count as a DNS failure", async () => {
  let queries = 0;
  const hosts = createUpstreamHosts({ report() {}, now: Date.now, monotonic: Date.now });
  const isDelegated = createDelegationCheck({
    now: Date.now,
    resolveNs: () => (queries++, Promise.resolve(["ns1.example."])),
    host: hosts.ofKind("dns")("resolver"),
    stop: new AbortController().signal,
  });
  await isDelegated("left.com", { signal: AbortSignal.abort() });
  assertEquals(queries, 0);

  await using lab = await startLab();
  await using service = await startService(lab);
  const { checkDomain, health } = service.services;
  await checkDomain("taken", "com");
  await checkDomain("left", "com", { signal: AbortSignal.abort() });
  assertEquals(health.checks().dns, "ok");
  assertEquals(lab.dnsQueries.some(({ name }) => name === "left.com"), false);
});

for (const accept of ["application/json", "application/x-ndjson", "text/event-stream"]) {
  Deno.test(`a client that disconnects while it waits for ${accept} cancels its look-ups`, async () => {
    await using lab = await startLab();
    await using service = await startService(lab, { env: { TLDS: "com,net" } });
    const asking = Promise.withResolvers<Waiter>();
    const end = Promise.withResolvers<void>();
    const checkDomain: CheckDomain = async (label, tld, waiter) => {
      if (waiter !== undefined) asking.resolve(waiter);
      await end.promise;
      return await service.services.checkDomain(label, tld);
    };
    const { app } = changedApp(service.services, { checkDomain });
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      app.fetch,
    );
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
    await connection.write(new TextEncoder().encode(
      `GET /check?name=any HTTP/1.1\r\nhost: x\r\naccept: ${accept}\r\n\r\n`,
    ));
    const { signal } = await asking.promise;
    assertEquals(signal.aborted, false);
    const left = new Promise((resolve) => signal.addEventListener("abort", resolve));
    connection.close();
    await left;
    assert(signal.aborted);
    end.resolve();
  });
}
