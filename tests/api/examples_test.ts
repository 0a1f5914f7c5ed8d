import { assert, assertEquals } from "@std/assert";
import { examplesOf } from "../../src/api/examples.ts";
import { operations } from "../../src/api/operations.ts";
import { masked } from "../support/masked.ts";
import { onChain } from "../support/on_lab.ts";
import { postJson } from "../support/post_json.ts";

for (const { name, path, query, body, answer, textHeaders, chapter } of operations) {
  if (chapter === "service" || textHeaders !== undefined) continue;
  Deno.test(`the examples of ${name} equal the answers of the demo and match the schemas`, () =>
    onChain(async ({ get, services }) => {
      await services.jobs.dependencies.prices.refresh();
      const examples = examplesOf(name);
      assert(examples.length > 0);
      for (const { shows, input, answer: expected } of examples) {
        const { status, body: answered } = await (body === undefined
          ? get(`${path}?${new URLSearchParams(input as Record<string, string>)}`)
          : get(path, postJson(input)));
        assertEquals([status, masked(answered)], [200, masked(expected)], shows);
        (body ?? query)().parse(input);
        assertEquals(answer().parse(expected), expected);
      }
    }));
}
