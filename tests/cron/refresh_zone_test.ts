import { assertEquals, assertMatch } from "@std/assert";
import { rootZoneList } from "../lab/iana_table.ts";
import { testsOnLab } from "../support/on_lab.ts";
import { runJob } from "../support/run_job.ts";
import type { RunningService } from "../support/service.ts";

const test = testsOnLab();
const NEWER = { day: "20261124", added: ["brandnew"], removed: ["museum"] };

test("refresh_tlds adopts IANA's list of TLDs, for all processes and with no name available under a new one", async (one) => {
  const { lab, start } = one;
  const two = await start();
  const errorOf = async (tld: string, service: RunningService = one) =>
    (await service.get(`/check?name=free-for-you&tld=${tld}`)).body.error;
  assertEquals(await errorOf("brandnew"), "unsupported_tld");
  lab.setRootZone(rootZoneList(NEWER));
  await runJob(one, "refresh_tlds");
  for (const service of [one, two]) {
    assertEquals(await errorOf("museum", service), "unsupported_tld");
    const { state, available } = await service.check("free-for-you.brandnew");
    assertEquals([state, available], ["unknown", false]);
  }
  const [row, ...others] = (await one.get("/tlds?coverage=all&q=brandnew")).body.tlds;
  assertEquals([row.tld, row.coverage, others], ["brandnew", "dns", []]);
});

const UNUSABLE: [what: string, text: string, status: number, why: RegExp][] = [
  ["a page", "<html>", 200, /the file is no list of TLDs$/],
  ["a failure", "", 500, /HTTP 500$/],
  ["a list without com", rootZoneList({ ...NEWER, removed: ["com"] }), 200, /has lost com$/],
  ["an older list", rootZoneList({ ...NEWER, day: "20200101" }), 200, /is older than/],
];

test("refresh_tlds keeps the list of TLDs in use where IANA's is none, or an older one", async (service) => {
  for (const [what, text, status, why] of UNUSABLE) {
    service.lab.setRootZone(text, status);
    const outcome = await runJob(service, "refresh_tlds");
    assertMatch(outcome.kind === "done" ? outcome.message : "", why);
    const { body } = await service.get("/check?name=foo&tld=brandnew");
    assertEquals(body.error, "unsupported_tld", what);
    assertEquals((await service.check("taken.com")).state, "taken", what);
  }
});
