import { assert, assertEquals } from "@std/assert";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { startLab } from "../lab/lab.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import { meteredKv } from "../support/metered_kv.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

/** Deno Deploy bills these units; the lab's meter counts them as it does. */
const MOST_COLD = { read: 6, write: 6 };
const MOST_CACHED = { read: 1, write: 1 };
/** A busy machine may spread the answers of one check over more commits. */
const TRIES = 3;

Deno.test("a check of all TLDs with WHOIS costs at most 6 read and 6 write units where it is cold, and 1 where it is cached", async () => {
  const real = await Deno.openKv(":memory:");
  const { kv, units, reset } = meteredKv(real);
  await using lab = await startLab();
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  await using service = await startService(lab, { kv, now, env: whoisEnv(lab) });
  await service.services.renewCanaries();
  // The results of the tests are read back once, three seconds after they were written.
  aheadMs += 3_000;
  /** What one check of a name under all TLDs costs, up to the write of what it found, if it is to write. */
  const costOf = async (name: string, { writes }: { writes: boolean }) => {
    reset();
    const { body } = await service.get(`/check?name=${name}`);
    assertEquals(body.results.length, BUILT_IN_TLDS.length);
    const isWritten = async () => (await real.get(["domain", name])).value !== null;
    if (writes) await until("the findings are written", isWritten);
    return { ...units };
  };
  await costOf("first-check", { writes: true });
  let isWithin = false;
  for (let tries = 1; tries <= TRIES && !isWithin; tries++) {
    const name = `free-units-${tries}`;
    // The registries' pauses are read again by then.
    aheadMs += 3_000;
    const cold = await costOf(name, { writes: true });
    // What the first check still writes counts here.
    const cached = await costOf(name, { writes: false });
    isWithin = cold.read <= MOST_COLD.read && cold.write <= MOST_COLD.write &&
      cached.read <= MOST_CACHED.read && cached.write <= MOST_CACHED.write;
    assert(isWithin || tries < TRIES, JSON.stringify([cold, cached]));
  }
});
