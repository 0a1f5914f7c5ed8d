/** Runs the benchmarks, or those named on the command line: `deno task bench [cached] [check]`. */
import { print } from "./benchmark.ts";
import { cached } from "./cached.ts";
import { check } from "./check.ts";

const BENCHMARKS = new Map(Object.entries({ cached, check }));

const unknown = Deno.args.filter((name) => !BENCHMARKS.has(name));
if (unknown.length > 0) {
  const known = [...BENCHMARKS.keys()].join(", ");
  print(`Cannot run ${unknown.join(", ")}: the benchmarks are ${known}`);
  Deno.exit(1);
}
// Other load on the machine pulls every ratio towards 1.
const [load = 0] = Deno.loadavg();
print(`${navigator.hardwareConcurrency} cores, load average ${load.toFixed(1)} before the start`);
for (const [name, run] of BENCHMARKS) {
  if (Deno.args.length > 0 && !Deno.args.includes(name)) continue;
  print(`\n${name}:`);
  await run();
}
