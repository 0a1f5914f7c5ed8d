import { assertEquals } from "@std/assert";
import { startLab } from "../lab/lab.ts";
import { startProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

Deno.test("a service runs a due job at its start, answers meanwhile, and stops the job and exits with 0 on SIGTERM", async () => {
  await using lab = await startLab();
  lab.scriptHost("prices.lab", { kind: "silent" });
  await using service = await startProcess(lab, { TLDS: "com", DENO_TIMELINE: "production" });
  const isAsked = () => lab.requests.some(({ host }) => host === "prices.lab");
  await until("a job asks for prices", isAsked);
  const { results } = await (await fetch(`${service.url}/check?name=taken&tld=com`)).json();
  assertEquals(results[0].state, "taken");
  service.kill("SIGTERM");
  assertEquals((await service.status).code, 0);
  assertEquals(service.events.at(-1)?.event, "stopped");
});
