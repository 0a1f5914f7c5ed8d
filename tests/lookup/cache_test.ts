import { assert, assertEquals } from "@std/assert";
import { type Lab, startLab } from "../lab/lab.ts";
import { inParallel } from "../support/in_parallel.ts";
import { testsOnLab } from "../support/on_lab.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const test = testsOnLab();

function queriesFor(lab: Lab, domain: string) {
  return {
    dns: lab.dnsQueries.filter(({ name }) => name === domain).length,
    rdap: lab.requests.filter(({ path }) => path.endsWith(`/domain/${domain}`)).length,
  };
}

test("an available result is cached until five minutes after its question was sent, which is checkedAt", async ({ check, lab, kv }) => {
  await check("another.com");
  lab.script("slow-one.com", { dns: "nxdomain", rdap: "free", delayMs: 200 });
  const { checkedAt } = await check("slow-one.com");
  const askedAt = Date.parse(checkedAt);
  assert(Date.now() - askedAt >= 200);
  await until("the finding has been written", async () => {
    const { value } = await kv.get<{ com: unknown[] }>(["domain", "slow-one"]);
    return value?.com.slice(0, 4).join() === `available,rdap,${askedAt},${askedAt + 5 * 60_000}`;
  });
});

Deno.test("1,000 identical requests, 200 at once, cause one DNS query and at most one RDAP query per TLD", async () => {
  await using lab = await startLab({ dnsDelayMs: 20, latency: "real" });
  const tlds = ["com", "dev", "online", "org", "xyz"];
  await using service = await startService(lab, { env: { TLDS: tlds.join(",") } });
  // A busy machine resets some of 1,000 connections that are opened at once.
  const paths = Array<string>(1_000).fill("/check?name=wanted");
  const answers = await inParallel(paths, 200, (path) => service.get(path));
  const available = tlds.map(() => true);
  for (const { status, body } of answers) {
    const found = body.results.map(({ available }: Record<string, unknown>) => available);
    assertEquals([status, found], [200, available]);
  }
  for (const tld of tlds) assertEquals(queriesFor(lab, `wanted.${tld}`), { dns: 1, rdap: 1 }, tld);
});
