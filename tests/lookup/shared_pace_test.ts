import { assert, assertEquals } from "@std/assert";
import type { Pace } from "../../src/flow/queue/gate.ts";
import { startLab } from "../lab/lab.ts";
import { onEachKv } from "../support/on_each_kv.ts";
import { overPace } from "../support/over_pace.ts";
import { startService } from "../support/service.ts";

const HOST = "rdap.identitydigital.services";
const PACE: Pace = { concurrency: 1, burst: 1, everyMs: 50 };
/** On a busy machine a request arrives at the lab some time after its start. Without sharing, 15 or more exceed the pace. */
const ARRIVAL_MS = 300;

onEachKv(
  "30 names of one host, asked of three services, get to it at its pace",
  async (kv, open) => {
    await using lab = await startLab();
    const start = async (kv: Deno.Kv) =>
      await startService(lab, {
        kv: ownClose(kv),
        env: { TLDS: "io" },
        monotonic: () => performance.now(),
        paceOf: () => PACE,
      });
    await using one = await start(kv);
    await using two = await start(await open.openAnother());
    await using three = await start(await open.openAnother());
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

/** A KV that more than one service uses, each of which closes it. */
function ownClose(kv: Deno.Kv): Deno.Kv {
  return new Proxy(kv, {
    get(target, name) {
      if (name === "close") return () => {};
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
