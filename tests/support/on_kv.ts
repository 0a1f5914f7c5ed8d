import { type GuardedKv, guardKv } from "../../src/store/guarded_kv.ts";

/** Registers a test with an empty KV, as several processes have it open. */
export function test(name: string, run: (kv: Deno.Kv) => Promise<void>): void {
  Deno.test(name, async () => {
    using kv = await Deno.openKv(":memory:");
    await run(kv);
  });
}

/** A KV as a process uses it, which reports nothing. */
export function guarded(kv: Deno.Kv): GuardedKv {
  return guardKv(kv, { report() {}, monotonic: () => performance.now() });
}
