/** Runs all benchmarks, or those named on the command line: `deno task bench [cached] [limits] […]`. */
import { allTlds } from "./all_tlds.ts";
import { cached } from "./cached.ts";
import { cli } from "./cli.ts";
import { ens } from "./ens.ts";
import { far } from "./far.ts";
import { hammer } from "./hammer.ts";
import { limits } from "./limits.ts";
import { memory } from "./memory.ts";
import { page } from "./page.ts";
import { popular } from "./popular.ts";
import { print, printRow, printTitle } from "./benchmark.ts";
import { shared } from "./shared.ts";
import { start } from "./start.ts";
import { stream } from "./stream.ts";
import { warm } from "./warm.ts";
import { whois } from "./whois.ts";

const BENCHMARKS = [
  cached,
  popular,
  start,
  allTlds,
  whois,
  stream,
  page,
  shared,
  limits,
  warm,
  ens,
  cli,
  memory,
  hammer,
  far,
];

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
  printTitle(benchmark);
  for await (const row of benchmark.rows()) printRow(row);
}
