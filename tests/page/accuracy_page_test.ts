import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { TRUTH_TABLE } from "../../src/api/truth_table.ts";
import { accuracyPage } from "../../src/page/accuracy_page.ts";
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

Deno.test("GET /accuracy and /check take words of Object.prototype as TLD and label", async () => {
  await using lab = await startLab();
  const services = [[["com", "constructor"], ["http://rdap.verisign.com/com/v1/"]]];
  lab.setTable(JSON.stringify({ publication: "2026-11-21T00:00:00Z", services, version: "1.0" }));
  await using service = await startService(lab, { env: { TLDS: "com,constructor" } });
  const listed = (rows: { tld: string; answers?: number }[]) =>
    rows.map(({ tld, answers }) => [tld, answers]);
  assertEquals(listed((await service.get("/accuracy")).body.tlds), [["com", 0], [
    "constructor",
    0,
  ]]);
  for (const name of ["constructor", "tostring"]) {
    const { body } = await service.get(`/check?name=${name}`);
    assertEquals(listed(body.results), [["com", undefined], ["constructor", undefined]]);
  }
  assertEquals(listed((await service.get("/accuracy")).body.tlds), [["com", 2], [
    "constructor",
    2,
  ]]);
  for (const tld of ["tostring", "__proto__"]) {
    assertEquals((await service.get(`/check?name=a&tld=${tld}`)).status, 400, tld);
    assertEquals((await service.get(`/accuracy?tld=${tld}`)).status, 400, tld);
  }
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

Deno.test("GET /accuracy shows the tests of other TLDs, too, after the enabled ones", async () => {
  await using lab = await startLab();
  const env = { TLDS: "org", ANY_TLD: "on" };
  await using service = await startService(lab, { env });
  await service.check("free-for-you.com");
  const { body } = await service.get("/accuracy");
  assertEquals(body.tlds.map(({ tld }: { tld: string }) => tld), ["org", "com"]);
  assertEquals(body.tlds[1].test.state, "passed");
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

Deno.test("the page of the accuracy begins with one sentence, and sets what we did not ask apart", () => {
  const tld = { answers: 10, unknown: 4, averageMs: 20, hours: [] };
  const text = accuracyPage({
    since: "2026-11-23T10:00:00Z",
    tlds: [
      { tld: "com", ...tld, causes: { registry_unasked: 3, registry_limited: 1 } },
      { tld: "org", ...tld, unknown: 0, causes: {} },
    ],
    incidents: [],
    truthTable: TRUTH_TABLE.map(({ finding, state }) => ({ finding, state })),
    timestamp: "2026-11-24T10:00:00Z",
  });
  const plain = text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  assertStringIncludes(
    plain,
    "94 % of the 17 look-ups that were asked were answered for sure; the others say Unknown and why. " +
      "3 more were not asked: our own queues were full.",
  );
  assertStringIncludes(plain, ".com 86 % 1 of 7 the registry asked for fewer requests: 1 3 20 ms");
  assertStringIncludes(plain, ".org 100 % 0 of 10 0");
  for (const { finding } of TRUTH_TABLE) assert(!finding.includes("the same"), finding);
});
