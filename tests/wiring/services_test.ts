import { assertEquals } from "@std/assert";
import { startLab } from "../lab/lab.ts";
import { isWritten } from "../support/kv_file.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

Deno.test("createServices() keeps no more findings in memory than memoryFindings says, and reads others from KV", async () => {
  await using lab = await startLab();
  const kv = await Deno.openKv(":memory:");
  await using service = await startService(lab, { kv, memoryFindings: 2 });
  const ask = async (name: string) => {
    const { body } = await service.get(`/check?name=${name}&tld=dev&evidence=1`);
    const [{ source, evidence }] = body.results;
    // KV has the verdict, but not the words of the registry.
    return { source, hasWords: evidence.at(-1).said !== "" };
  };
  assertEquals(await ask("free-name"), { source: "rdap", hasWords: true });
  assertEquals(await ask("free-name"), { source: "rdap+cache", hasWords: true });
  await until("it is written", () => isWritten(kv, "free-name.dev"));
  await ask("second-name");
  await ask("third-name");
  assertEquals(await ask("free-name"), { source: "rdap+cache", hasWords: false });
});
