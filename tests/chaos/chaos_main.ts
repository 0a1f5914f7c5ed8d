/** `deno task chaos [--minutes n] [--seed n] [--callers n] [--without fault,fault] [--short]`: exit 1 if a rule was broken. */
import { parseArgs } from "node:util";
import { FAULTS, SUITE_FAULTS } from "./faults.ts";
import { createRandom } from "./random.ts";
import { reportText } from "./report.ts";
import { runChaos } from "./run.ts";
import { planShortRun } from "./schedule.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: `${Math.floor(Math.random() * 2 ** 31)}` },
    callers: { type: "string", default: "16" },
    short: { type: "boolean", default: false },
    without: { type: "string", default: "" },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
const callers = Number(values.callers);
const without = values.without.split(",").filter((word) => word !== "");
const strange = without.filter((word) => !FAULTS.some((fault) => fault === word));
if (!(minutes > 0) || !Number.isInteger(seed) || !(callers > 0) || strange.length > 0) {
  print(`Cannot run: --minutes, --seed and --callers take numbers, --without some of ${FAULTS}`);
  Deno.exit(2);
}

const faults = values.short ? SUITE_FAULTS : FAULTS;
const length = values.short ? planShortRun(createRandom(seed)) : { ms: minutes * 60_000 };
const tally = await runChaos({
  seed,
  ...length,
  callers,
  faults: faults.filter((fault) => !without.includes(fault)),
  onProgress({ rows, fresh, violations, kills }) {
    print(`${rows} rows, ${fresh} fresh, ${kills} kills, ${violations.length} violations`);
  },
});
print(reportText(tally, { seed, seconds: length.ms / 1_000 }));
Deno.exit(tally.violations.length > 0 ? 1 : 0);

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}
