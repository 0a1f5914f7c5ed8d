import { assertEquals } from "@std/assert";
import { startLab } from "../lab/lab.ts";
import { startService } from "../support/service.ts";

Deno.test("a check of several TLDs of one host asks for the wanted ones first, and keeps the order of its rows", async () => {
  await using lab = await startLab();
  const paceOf = () => ({ concurrency: 1, burst: 1, everyMs: 20 });
  const TLDS = "ai,info,io,me";
  await using service = await startService(lab, { env: { TLDS }, paceOf });
  await service.services.renewCanaries();
  lab.clear();
  const { body } = await service.get("/check?name=free-for-you");
  assertEquals(body.results.map(({ tld }: { tld: string }) => tld).join(), TLDS);
  const names = lab.dnsQueries.map(({ name }) => name).filter((name) => name.startsWith("free-"));
  assertEquals(names.map((name) => name.split(".")[1]), ["io", "ai", "info", "me"]);
});
