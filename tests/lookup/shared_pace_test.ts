import { assert, assertEquals } from "@std/assert";
import type { Pace } from "../../src/flow/upstream_host.ts";
import { startLab } from "../lab/lab.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import { sharedKv } from "../support/changed_kv.ts";
import { onKv } from "../support/on_kv.ts";
import { overPace } from "../support/over_pace.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const HOST = "rdap.identitydigital.services";
const PACE: Pace = { concurrency: 1, burst: 1, everyMs: 50, isShared: true };
/** On a busy machine a request arrives at the lab some time after its start. Without sharing, 15 or more exceed the pace. */
const ARRIVAL_MS = 300;

onKv(
  "30 names of one host, asked of three services, get to it at its pace",
  async (kv) => {
    await using lab = await startLab();
    const start = async (kv: Deno.Kv) =>
      await startService(lab, {
        kv: sharedKv(kv),
        env: { TLDS: "io" },
        monotonic: () => performance.now(),
        paceOf: () => PACE,
      });
    await using one = await start(kv);
    await using two = await start(kv);
    await using three = await start(kv);
    const services = [one, two, three];
    const rows = await Promise.all(Array.from({ length: 30 }, (_, n) => {
      return services[n % 3]!.check(`free-name-${n}.io`);
    }));
    assertEquals(rows.filter(({ available }) => !available), []);
    const starts = lab.requests.filter(({ host }) => host === HOST).map(({ at }) => at);
    assert(starts.length >= 30, `${starts.length} requests`);
    const over = overPace(starts, PACE);
    assert(over <= 1 + ARRIVAL_MS / PACE.everyMs, `${over} over the pace`);
  },
);

Deno.test("the WHOIS queries of two services get to a server at one pace, and half as fast once it has refused one", async () => {
  await using lab = await startLab();
  const kv = await Deno.openKv(":memory:");
  const pace: Pace = { concurrency: 6, burst: 6, everyMs: 200, isShared: true };
  const start = async () =>
    await startService(lab, {
      kv: sharedKv(kv),
      env: { ...whoisEnv(lab), TLDS: "org" },
      monotonic: () => performance.now(),
      whoisPaceOf: () => pace,
    });
  {
    await using one = await start();
    await using two = await start();
    const services = [one, two];
    await one.check("first.org");
    await Promise.all(
      Array.from({ length: 14 }, (_, n) => services[n % 2]!.check(`free-name-${n}.org`)),
    );
    const starts = lab.whoisQueries.map(({ at }) => at);
    assert(starts.length > pace.burst, `${starts.length} queries`);
    const over = overPace(starts, pace);
    assert(over <= 1 + ARRIVAL_MS / pace.everyMs, `${over} over the pace`);
    lab.scriptWhois("org", "limited");
    let asked = 0;
    await until("the host is slowed for all processes", async () => {
      void one.services.checkDomain(`refused-${asked++}`, "org");
      const { value } = await kv.get<Record<string, { slowUntil: number }>>(["pauses"]);
      return Object.values(value ?? {}).some(({ slowUntil }) => slowUntil > Date.now());
    });
  }
  kv.close();
});
