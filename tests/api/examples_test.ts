import { assert, assertEquals } from "@std/assert";
import { examplesOf } from "../../src/api/examples.ts";
import { operations } from "../../src/api/operations.ts";
import { startChain } from "../lab/chain/chain.ts";
import { startLab } from "../lab/lab.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import { masked } from "../support/masked.ts";
import { startService } from "../support/service.ts";

for (const { path, query, answer } of operations) {
  Deno.test(`the examples of ${path} equal the answers of the demo and match the schemas`, async () => {
    await using lab = await startLab();
    await using chain = await startChain();
    // As on the demo, but for WHOIS queries, which the other examples do without.
    const env = path === "/health" ? { ...chain.env, ...whoisEnv(lab) } : chain.env;
    await using service = await startService(lab, { env });
    await service.services.jobs.dependencies.prices.refresh();
    const examples = examplesOf(path);
    assert(examples.length > 0);
    for (const example of examples) {
      const sent = Object.entries(example.query).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]]
      );
      const { status, body } = await service.get(`${path}?${new URLSearchParams(sent)}`);
      assertEquals([status, masked(body)], [200, masked(example.answer)], example.shows);
      query().parse(example.query);
      assertEquals(answer().parse(example.answer), example.answer);
    }
  });
}
