import { assert, assertEquals } from "@std/assert";
import { startChain } from "../lab/chain/chain.ts";
import { startLab } from "../lab/lab.ts";
import { runJob } from "../support/run_job.ts";
import { startService } from "../support/service.ts";

Deno.test("a warm run renews popular .eth names, many in one request", async () => {
  await using lab = await startLab();
  await using chain = await startChain();
  let now = Date.now();
  await using service = await startService(lab, {
    env: { ...chain.env, TLDS: "com" },
    now: () => now,
  });
  const names = ["alice", ...Array.from({ length: 49 }, (_, n) => `popular-${n}`)];
  for (let asked = 0; asked < 2; asked++) {
    for (const name of names) await service.get(`/v1/ens/check?name=${name}`);
  }
  now += 3_600_000;
  await chain.advanceTo(now / 1_000);
  chain.clear();
  await runJob(service, "warm_popular");
  const { length } = chain.requests;
  assert(length > 0 && length <= 10, `${length} requests`);
  chain.clear();
  for (const name of names) {
    const { body } = await service.get(`/v1/ens/check?name=${name}`);
    assertEquals([name, body.source], [name, "rpc+cache"]);
  }
  assertEquals(chain.requests, []);
});

Deno.test("a warm run sends no RPC request without popular .eth names", async () => {
  await using lab = await startLab();
  await using chain = await startChain();
  await using service = await startService(lab, { env: { ...chain.env, TLDS: "com" } });
  await runJob(service, "warm_popular");
  assertEquals(chain.requests, []);
  assertEquals((await service.get("/health")).body.checks.rpc, "unused");
});
