import { assert, assertEquals } from "@std/assert";
import { examplesOf } from "../../src/api/examples.ts";
import { operations } from "../../src/api/operations.ts";
import { startChain } from "../lab/chain/chain.ts";
import { startLab } from "../lab/lab.ts";
import { masked } from "../support/masked.ts";
import { startService } from "../support/service.ts";

for (const { path, query, answer, textHeaders, chapter } of operations) {
  if (chapter === "service" || textHeaders !== undefined) continue;
  Deno.test(`the examples of ${path} equal the answers of the demo and match the schemas`, async () => {
    await using lab = await startLab();
    await using chain = await startChain();
    await using service = await startService(lab, { env: chain.env });
    await service.services.jobs.dependencies.prices.refresh();
    const examples = examplesOf(path);
    assert(examples.length > 0);
    for (const example of examples) {
      const address = `${path}?${new URLSearchParams(example.query)}`;
      const { status, body } = await service.get(address);
      assertEquals([status, masked(body)], [200, masked(example.answer)], example.shows);
      query().parse(example.query);
      assertEquals(answer().parse(example.answer), example.answer);
    }
  });
}
