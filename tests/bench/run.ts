/** Runs the benchmarks, or those named on the command line: `deno task bench [cached] [check]`. */
import { print, printRow } from "./benchmark.ts";
import { cached } from "./cached.ts";
import { check } from "./check.ts";

const BENCHMARKS = [cached, check];

const known = BENCHMARKS.map(({ name }) => name);
const unknown = Deno.args.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  print(`Cannot run ${unknown.join(", ")}: the benchmarks are ${known.join(", ")}`);
  Deno.exit(1);
}
// Other load on the machine pulls every ratio towards 1.
const [load = 0] = Deno.loadavg();
print(`${navigator.hardwareConcurrency} cores, load average ${load.toFixed(1)} before the start`);
for (const benchmark of BENCHMARKS) {
  if (Deno.args.length > 0 && !Deno.args.includes(benchmark.name)) continue;
  print(`\n${benchmark.name}: ${benchmark.about}`);
  for await (const row of benchmark.rows()) printRow(row);
}
