/** Registers a test with an empty KV, as several processes have it open. */
export function onKv(name: string, run: (kv: Deno.Kv) => Promise<void>): void {
  Deno.test(name, async () => {
    using kv = await Deno.openKv(":memory:");
    await run(kv);
  });
}
