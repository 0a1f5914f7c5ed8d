import { assert, assertEquals } from "@std/assert";
import { examplesOf } from "../../src/api/examples.ts";
import { operations } from "../../src/api/operations.ts";
import { startChain } from "../lab/chain/chain.ts";
import { startLab } from "../lab/lab.ts";
import { masked } from "../support/masked.ts";
import { startService } from "../support/service.ts";

/** A feed without its times and days, which differ from run to run. */
function untimed(text: string): string {
  return text.replaceAll(
    /\d{4}-\d\d-\d\dT[\d:.]+Z|\d{8}(?:T\d{6}Z)?|(?<=^SEQUENCE:)\d+/gm,
    "a time",
  );
}

for (const { path, query, answer, mediaType, chapter } of operations) {
  if (chapter === "service") continue;
  Deno.test(`the examples of ${path} equal the answers of the demo and match the schemas`, async () => {
    await using lab = await startLab();
    await using chain = await startChain();
    await using service = await startService(lab, { env: chain.env });
    await service.services.jobs.dependencies.prices.refresh();
    const examples = examplesOf(path);
    assert(examples.length > 0);
    for (const example of examples) {
      const sent = Object.entries(example.query).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]]
      );
      const address = `${path}?${new URLSearchParams(sent)}`;
      if (mediaType === undefined) {
        const { status, body } = await service.get(address);
        assertEquals([status, masked(body)], [200, masked(example.answer)], example.shows);
      } else {
        const response = await fetch(`${service.url}${address}`);
        assertEquals(response.headers.get("content-type"), mediaType);
        const text = (await response.text()).replaceAll(service.url, "http://localhost:8000");
        assertEquals(untimed(text), untimed(String(example.answer)), example.shows);
      }
      query().parse(example.query);
      assertEquals(answer().parse(example.answer), example.answer);
    }
  });
}
