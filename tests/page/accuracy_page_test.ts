import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { startLab } from "../lab/lab.ts";
import { runJob } from "../support/run_job.ts";
import { startService } from "../support/service.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

Deno.test("GET /accuracy counts look-ups, unknown answers with their causes, and the registry's wording", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "com,org" } });
  for (const path of ["free-one", "free-one", "taken", "failing"]) {
    await service.get(`/check?name=${path}`);
  }
  const { body } = await service.get("/accuracy");
  const [com, org] = body.tlds;
  assertEquals([com.tld, com.answers, com.unknown, org.unknown], ["com", 3, 1, 1]);
  assertEquals(Object.values(org.causes), [1]);
  assertEquals([com.test.state, com.hours.length], ["passed", 1]);
  assertMatch(JSON.stringify(org.test.wordings), /not found/i);
  assert(com.averageMs > 0);
  assertEquals((await service.get("/accuracy?tld=org")).body.tlds, [org]);
  assertEquals((await service.get("/accuracy?tld=dev")).body.error, "unsupported_tld");
});

Deno.test("GET /accuracy lists a registry whose answers were withdrawn", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "com" } });
  await service.get("/check?name=free-one&tld=com");
  lab.scriptTld("com", "free");
  await runJob(service, "probe_registries");
  const { body: { incidents: [incident] } } = await service.get("/accuracy");
  assertEquals([incident.kind, incident.tld], ["withdrawal", "com"]);
});

Deno.test("GET /accuracy is a page for browsers: each chart has a table of its numbers", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "com,org" } });
  await service.get("/check?name=failing");
  const response = await fetch(`${service.url}/accuracy`, { headers: { accept: BROWSER } });
  const text = await response.text();
  assertEquals(response.headers.get("content-type"), "text/html; charset=utf-8");
  assertEquals(text.match(/<svg role="img"/g)?.length, 2);
  assertEquals(text.match(/<summary>Hours of \.(com|org)<\/summary>/g)?.length, 2);
  assertStringIncludes(text, "What leads to which answer");
  assert(!text.includes("failing"), "no checked name");
});
