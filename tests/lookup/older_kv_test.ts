import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Lab, startLab } from "../lab/lab.ts";
import { runJob } from "../support/run_job.ts";
import { type RunningService, startService } from "../support/service.ts";

const env = { TLDS: "com,net" };
/** Longer than a process uses its copy of the test results, and what it has read of available names. */
const A_MOMENT_MS = 3_000;

/** A copy of what KV has now. */
async function copyOf(kv: Deno.Kv): Promise<Deno.Kv> {
  const copy = await Deno.openKv(":memory:");
  for await (const { key, value } of kv.list({ prefix: [] })) await copy.set(key, value);
  return copy;
}

/** The KV of a process; a test may put another in its place, as a restored one behind the same address. */
function replaceable(first: Deno.Kv) {
  let current = first;
  const kv = new Proxy(first, {
    get(_, name) {
      const value = Reflect.get(current, name);
      return typeof value === "function" ? value.bind(current) : value;
    },
  });
  return { kv, replace: (other: Deno.Kv) => void ([, current] = [current.close(), other]) };
}

/** The rows of names that a lying registry makes look available, in a process that answers them once. */
async function rowsOf(service: RunningService) {
  const names = ["undelegated.com", "free-name.com", "new-name.com"];
  return await Promise.all(names.map((name) => service.check(name)));
}

function assertDistrusted(rows: Awaited<ReturnType<typeof rowsOf>>): void {
  for (const { domain, state, error } of rows) {
    assertEquals(state, "unknown", domain);
    assertMatch(error ?? "", /not trusted/);
  }
}

/** A process that has seen its registry lie, and the KV from before: its registry had passed, and a name was available. */
async function startLying(lab: Lab, { honestMs }: { honestMs: number }) {
  const clock = { now: Date.now() };
  const { kv, replace } = replaceable(await Deno.openKv(":memory:"));
  const start = (kv: Deno.Kv) => startService(lab, { env, kv, now: () => clock.now });
  const running = await start(kv);
  await running.services.renewCanaries();
  assert((await running.check("free-name.com")).available);
  // The second request returns when the finding is stored.
  await running.check("free-name.com");
  const copies = [await copyOf(kv), await copyOf(kv), await copyOf(kv)] as const;
  clock.now += honestMs;
  lab.scriptTld("com", "free");
  await runJob(running, "probe_registries");
  assertDistrusted(await rowsOf(running));
  return { clock, running, replace, start, copies };
}

for (const honestMs of [10_000, 3_000_000]) {
  Deno.test(`no registered name is available when KV is set back by ${honestMs / 1_000} s to before its registry lied`, async () => {
    await using lab = await startLab();
    const { clock, running, replace, start, copies } = await startLying(lab, { honestMs });
    await using _running = running;
    const [restored, alone, together] = copies;

    replace(restored);
    clock.now += A_MOMENT_MS;
    assertDistrusted(await rowsOf(running));
    // It has written the failure again: a process that starts reads it.
    const written = await restored.get<{ canary: { kind: string } }>(["canary", "com"]);
    assertEquals(written.value?.canary.kind, "failed");
    assertEquals((await running.check("new-name.net")).state, "available", "net does not lie");

    {
      await using fresh = await start(alone);
      assertDistrusted(await rowsOf(fresh));
    }

    // Two that start together have not heard one that knows more.
    await using one = await start(together);
    await using two = await start(await copyOf(together));
    for (const service of [one, two]) service.services.announceProcess();
    assertDistrusted([...await rowsOf(one), ...await rowsOf(two)]);
  });
}
