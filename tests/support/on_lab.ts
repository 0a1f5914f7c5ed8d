import type { Chain } from "../lab/chain/chain.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { sharedKv } from "./changed_kv.ts";
import { type RunningService, startService } from "./service.ts";

type Options = NonNullable<Parameters<typeof startService>[1]>;

/** What the options of a test may be made from. */
interface Setting {
  lab: Lab;
  /** By how much the clocks of the services are ahead of the machine's; a test moves them. */
  clock: { aheadMs: number };
}

/** A service with its lab and KV; `start` starts a further one on the same lab, KV and clock. */
export interface World extends RunningService, Setting {
  kv: Deno.Kv;
  start(options?: Options): Promise<RunningService>;
}

type Run = (world: World) => Promise<void>;
type OptionsOf = Options | ((setting: Setting) => Options);

/** Runs a test on a service with a lab, a KV and a clock of its own. */
export async function onLab(run: Run, options: OptionsOf = {}): Promise<void> {
  await using started = new AsyncDisposableStack();
  const kv = started.adopt(await Deno.openKv(":memory:"), (kv) => kv.close());
  const lab = started.use(await startLab());
  const clock = { aheadMs: 0 };
  const now = () => Date.now() + clock.aheadMs;
  const usual = { kv: sharedKv(kv), now, monotonic: now };
  const chosen = typeof options === "function" ? options({ lab, clock }) : options;
  const start = async (more: Options = {}) =>
    started.use(await startService(lab, { ...usual, ...chosen, ...more }));
  await run({ ...await start(), lab, clock, kv, start });
}

/** Runs a test by `onLab` on a service with a chain of its own, by one clock; the service may ask other nodes. */
export async function onChain(
  run: (world: World & { chain: Chain }) => Promise<void>,
  { nodes, env, ...options }: Options & { nodes?: (chain: Chain) => string[] } = {},
) {
  // Most tests on the lab need none of its packages.
  const { startChain } = await import("../lab/chain/chain.ts");
  let now = Date.now;
  await using chain = await startChain({ now: () => now() });
  const asked = nodes && { ETH_RPC_URLS: nodes(chain).join(",") };
  await onLab((world) => run({ ...world, chain }), ({ clock }) => {
    now = () => Date.now() + clock.aheadMs;
    return { ...options, env: { ...chain.env, ...asked, ...env } };
  });
}

/** Runs a test by `onLab` on a clock that only the test moves. */
export function atFixedTime(run: Run, options: Options): Promise<void> {
  const start = Date.now();
  return onLab(run, ({ clock }) => ({ ...options, now: () => start + clock.aheadMs }));
}

/** Returns a function that registers tests, each of which `onLab` runs with these options. */
export function testsOnLab(options?: OptionsOf): (name: string, run: Run) => void {
  return (name, run) => Deno.test(name, () => onLab(run, options));
}
