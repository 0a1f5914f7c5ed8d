/**
 * Runs all benchmarks, or those named on the command line: `deno task bench [cached] [limits] […]`. With
 * `--against <folder>`, `crowd` and `burst` measure another checkout, too.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { allTlds } from "./all_tlds.ts";
import { burst } from "./burst.ts";
import { cached } from "./cached.ts";
import { cli } from "./cli.ts";
import { crowd } from "./crowd.ts";
import { ens } from "./ens.ts";
import { farKv } from "./far_kv.ts";
import { flood } from "./flood.ts";
import { hammer } from "./hammer.ts";
import { limits } from "./limits.ts";
import { manyNames } from "./many_names.ts";
import { memory } from "./memory.ts";
import { neededWhois } from "./needed_whois.ts";
import { page } from "./page.ts";
import { pageList } from "./page_list.ts";
import { popular } from "./popular.ts";
import { print, printRow, printTitle } from "./benchmark.ts";
import { shared } from "./shared.ts";
import { start } from "./start.ts";
import { stream } from "./stream.ts";
import { topologies } from "./topologies.ts";
import { warm } from "./warm.ts";
import { whois } from "./whois.ts";

const BENCHMARKS = [
  cached,
  popular,
  start,
  allTlds,
  whois,
  neededWhois,
  stream,
  page,
  pageList,
  shared,
  limits,
  warm,
  ens,
  cli,
  crowd,
  burst,
  manyNames,
  memory,
  hammer,
  flood,
  farKv,
  topologies,
];

const known = BENCHMARKS.map(({ name }) => name);
const { positionals: chosen, values } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: { against: { type: "string" } },
});
const unknown = chosen.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  print(`Cannot run ${unknown.join(", ")}: the benchmarks are ${known.join(", ")}`);
  Deno.exit(1);
}
const against = values.against === undefined
  ? undefined
  : pathToFileURL(`${resolve(Deno.env.get("INIT_CWD") ?? Deno.cwd(), values.against)}/`);
// Other load on the machine pulls every ratio towards 1.
const [load = 0] = Deno.loadavg();
print(`${navigator.hardwareConcurrency} cores, load average ${load.toFixed(1)} before the start`);
for (const benchmark of BENCHMARKS) {
  if (chosen.length > 0 && !chosen.includes(benchmark.name)) continue;
  printTitle(benchmark);
  for await (const row of benchmark.rows({ against })) printRow(row);
}
