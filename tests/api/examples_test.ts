import { assert, assertEquals } from "@std/assert";
import { examplesOf } from "../../src/api/examples.ts";
import { operations } from "../../src/api/operations.ts";
import { startChain } from "../lab/chain/chain.ts";
import { startLab } from "../lab/lab.ts";
import { masked } from "../support/masked.ts";
import { postJson } from "../support/post_json.ts";
import { startService } from "../support/service.ts";

for (const { name, path, query, body, answer, textHeaders, chapter } of operations) {
  if (chapter === "service" || textHeaders !== undefined) continue;
  Deno.test(`the examples of ${name} equal the answers of the demo and match the schemas`, async () => {
    await using lab = await startLab();
    await using chain = await startChain();
    await using service = await startService(lab, { env: chain.env });
    await service.services.jobs.dependencies.prices.refresh();
    const examples = examplesOf(name);
    assert(examples.length > 0);
    for (const { shows, input, answer: expected } of examples) {
      const { status, body: answered } = await (body === undefined
        ? service.get(`${path}?${new URLSearchParams(input as Record<string, string>)}`)
        : service.get(path, postJson(input)));
      assertEquals([status, masked(answered)], [200, masked(expected)], shows);
      (body ?? query)().parse(input);
      assertEquals(answer().parse(expected), expected);
    }
  });
}
