import { createRateLimiter } from "../../src/rate_limit/limiter.ts";
import type { Benchmark } from "./benchmark.ts";

const ADDRESSES = 1_000_000;
const STEP = 250_000;
const AT_ONCE = 256;

/** Memory that distinct addresses use in the process. */
export const memory: Benchmark = {
  name: "memory",
  about: `${ADDRESSES.toLocaleString("en")} distinct addresses, each admitted once, on a KV file`,
  async *rows() {
    const folder = await Deno.makeTempDir();
    const kv = await Deno.openKv(`${folder}/kv`);
    const limiter = createRateLimiter({ kv, now: Date.now, report() {} });
    for (let asked = 0; asked < ADDRESSES;) {
      const until = asked + STEP;
      await Promise.all(Array.from({ length: AT_ONCE }, async () => {
        while (asked < until) await limiter.admit(`address ${asked++}`, 60);
      }));
      const { rss, heapUsed } = Deno.memoryUsage();
      yield {
        what: `after ${asked.toLocaleString("en")}`,
        measured: {
          resident: `${Math.round(rss / 1e6)} MB`,
          heap: `${Math.round(heapUsed / 1e6)} MB`,
          remembered: `${limiter.size}`,
        },
        target: "flat",
      };
    }
    await limiter.settled();
    kv.close();
    await Deno.remove(folder, { recursive: true });
  },
};
