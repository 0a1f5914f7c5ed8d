import { assertEquals, assertMatch } from "@std/assert";
import { rootZoneList } from "../lab/iana_table.ts";
import { startLab } from "../lab/lab.ts";
import { createKvFile } from "../support/kv_file.ts";
import { runJob } from "../support/run_job.ts";
import { startService } from "../support/service.ts";

const NEWER = { day: "20261124", added: ["brandnew"], removed: ["museum"] };

Deno.test("refresh_tlds adopts IANA's list of TLDs, for all processes and with no name available under a new one", async () => {
  await using lab = await startLab();
  await using file = await createKvFile();
  await using one = await startService(lab, { kv: await file.open() });
  await using two = await startService(lab, { kv: await file.open() });
  const errorOf = async (tld: string, service = one) =>
    (await service.get(`/check?name=free-for-you&tld=${tld}`)).body.error;
  assertEquals(await errorOf("brandnew"), "unsupported_tld");
  lab.setRootZone(rootZoneList(NEWER));
  await runJob(one, "refresh_tlds");
  for (const service of [one, two]) {
    assertEquals(await errorOf("museum", service), "unsupported_tld");
    const { state, available } = await service.check("free-for-you.brandnew");
    assertEquals([state, available], ["unknown", false]);
  }
  const { body } = await one.get("/tlds?coverage=all&q=brandnew");
  assertEquals(
    body.tlds.map(({ tld, coverage }: { tld: string; coverage: string }) => [
      tld,
      coverage,
    ]),
    [["brandnew", "dns"]],
  );
});

for (
  const [what, text, status, why] of [
    ["a page", "<html>", 200, /the file is no list of TLDs$/],
    ["a failure", "", 500, /HTTP 500$/],
    ["a list without com", rootZoneList({ ...NEWER, removed: ["com"] }), 200, /has lost com$/],
    ["an older list", rootZoneList({ ...NEWER, day: "20200101" }), 200, /is older than/],
  ] satisfies [string, string, number, RegExp][]
) {
  Deno.test(`refresh_tlds keeps the list of TLDs in use where IANA's is ${what}`, async () => {
    await using lab = await startLab();
    await using service = await startService(lab);
    lab.setRootZone(text, status);
    const outcome = await runJob(service, "refresh_tlds");
    assertMatch(outcome.kind === "done" ? outcome.message : "", why);
    const { body } = await service.get("/check?name=foo&tld=brandnew");
    assertEquals(body.error, "unsupported_tld");
    assertEquals((await service.check("taken.com")).state, "taken");
  });
}
