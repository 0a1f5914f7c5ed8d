import { lines } from "../../src/flow/lines.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { labEnv, proxyEnv } from "../lab/lab_env.ts";
import { HAS_NODE, type InstalledPackage, installPackage } from "../support/installed_package.ts";
import { type Benchmark, interleave, type Row } from "./benchmark.ts";
import { freshLabel } from "./service_checks.ts";
import { medianMs, pairedRatios, perSecond } from "./statistics.ts";

const NAMES = 1_000;
const ROUNDS = 3;
const DNS_MS = 20;
const TLD = "com";
/** Their registry takes one question a second. */
const SLOW_TLDS = ["io", "ai"];
const COLUMN_NAMES = 400;
const STARTS = 9;
/** A name that is taken under .com, and under .io unknown: that is asked anew in each run. */
const WARM = ["check", "mixed", "--tld", "com,io", "--ndjson"];
const WARM_ROWS = 2;
const root = new URL("../../", import.meta.url);

/** A lab to check names on. */
interface Place {
  lab: Lab;
  /** For lists and KV files. */
  folder: string;
}

/** How fast the command line checks a list. */
export const cli: Benchmark = {
  name: "cli",
  about:
    `deno task check on ${NAMES.toLocaleString("en")} names × ${TLD}, from start to exit, and ` +
    "a process that asks the lab the same questions at the same pace and does nothing else",
  async *rows() {
    const folder = await Deno.makeTempDir();
    try {
      await using real = await startLab({ dnsDelayMs: DNS_MS, latency: "real" });
      const pace = `DNS ${DNS_MS} ms, registry 100 ms and 8 at once`;
      yield await compared({ lab: real, folder }, { what: `available, ${pace}`, target: "≥ 0.9" });
      yield await compared({ lab: real, folder }, { what: `taken, DNS ${DNS_MS} ms`, taken: true });
      yield await column({ lab: real, folder });
      await using lab = await startLab();
      yield await compared({ lab, folder }, { what: "available, no latency" });
      yield await again({ lab, folder });
      if (HAS_NODE) yield await installedRow(lab);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
};

async function compared(
  place: Place,
  { what, taken = false, target }: { what: string; taken?: boolean; target?: string },
): Promise<Row> {
  const { check, bare } = await interleave({
    check: async () => await timedCheck(place, await writeNames(place, taken), newKv(place)),
    bare: async () => await timedBare(place, await writeNames(place, taken)),
  }, ROUNDS);
  return {
    what: `${what}, ${ROUNDS} rounds`,
    measured: { check: perSecond(check), "the lab's ceiling": perSecond(bare) },
    ratios: pairedRatios(check, bare),
    ...(target !== undefined && { target }),
  };
}

/** The same list once more, as after Ctrl-C. */
async function again(place: Place): Promise<Row> {
  const file = await writeNames(place, false);
  const kv = newKv(place);
  const first = await timedCheck(place, file, kv);
  const asked = place.lab.dnsQueries.length;
  const second = await timedCheck(place, file, kv);
  return {
    what: "the same list once more, from KV",
    measured: {
      first: perSecond([first]),
      again: perSecond([second]),
      "asked again": `${place.lab.dnsQueries.length - asked}`,
    },
  };
}

/** A fast TLD's column beside slow ones, and alone. */
async function column(place: Place): Promise<Row> {
  const timed = async (tlds: readonly string[]) =>
    await timedColumn(place, await writeNames(place, false, COLUMN_NAMES), tlds);
  const { beside, alone } = await interleave({
    beside: () => timed([TLD, ...SLOW_TLDS]),
    alone: () => timed([TLD]),
  }, ROUNDS);
  return {
    what: `the last .${TLD} of ${COLUMN_NAMES} names, beside ${
      SLOW_TLDS.join(" and ")
    }, ${ROUNDS} rounds`,
    measured: { beside: medianMs(beside), alone: medianMs(alone) },
    ratios: pairedRatios(beside, alone),
    target: "≤ 1.2",
  };
}

/** Milliseconds until a run has written the fast TLD's row of every name; it is not awaited any further. */
async function timedColumn(
  place: Place,
  file: string,
  tlds: readonly string[],
): Promise<number> {
  const startedAt = performance.now();
  const script = new URL("src/cli/check_main.ts", root).href;
  // Without deno task, whose child would survive it.
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", script, "--file", file, "--tld", tlds.join(","), "--ndjson"],
    cwd: root,
    env: { ...labEnv(place.lab), ...proxyEnv(place.lab), KV_PATH: newKv(place) },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let rows = 0;
  for await (const line of lines(child.stdout, { most: 10_000 })) {
    if (!line.includes(`"tld":"${TLD}"`)) continue;
    rows++;
    if (rows < COLUMN_NAMES) continue;
    const tookMs = performance.now() - startedAt;
    child.kill("SIGKILL");
    await child.status;
    return tookMs;
  }
  throw new Error(`Cannot measure: ${rows} rows`);
}

/** One name by the command of the installed package, whose cache folder an earlier run has filled. */
async function installedRow(lab: Lab): Promise<Row> {
  await using installed = await installPackage();
  const warm = `${installed.folder}/cache`;
  await timedRows(installed, lab, WARM, warm);
  const { rows, floor } = await interleave({
    rows: async () => {
      // A copy for each run: a registry's pace must not hold back the runs of a benchmark, which follow at once.
      const cache = await Deno.makeTempDir({ dir: installed.folder });
      await copyFolder(`${warm}/domain-availability`, `${cache}/domain-availability`);
      return await timedRows(installed, lab, WARM, cache);
    },
    floor: () => timedRows(installed, lab, ["--version"], warm),
  }, STARTS);
  return {
    what: `the installed package: ${WARM.join(" ")}, to its last row, ${STARTS} rounds`,
    measured: { "last row": medianMs(rows), "--version": medianMs(floor) },
    ratios: pairedRatios(rows, floor),
    target: "≤ 1,000 ms",
  };
}

/** Milliseconds until the command has written its last line; it is awaited. */
async function timedRows(
  installed: InstalledPackage,
  lab: Lab,
  args: readonly string[],
  cache: string,
): Promise<number> {
  const startedAt = performance.now();
  const DENO_DIR = `${installed.folder}/deno`;
  const child = installed.start(lab, args, { XDG_CACHE_HOME: cache, DENO_DIR });
  const errors = new Response(child.stderr).text();
  let rows = 0;
  let tookMs = NaN;
  for await (const _line of lines(child.stdout, { most: 10_000 })) {
    rows++;
    tookMs = performance.now() - startedAt;
  }
  await child.status;
  if (rows !== (args === WARM ? WARM_ROWS : 1)) {
    throw new Error(`Cannot measure: ${rows} rows: ${await errors}`);
  }
  await errors;
  return tookMs;
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) {
    await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}

async function writeNames(
  { lab, folder }: Place,
  taken: boolean,
  count = NAMES,
): Promise<string> {
  const names = Array.from({ length: count }, freshLabel);
  if (taken) {
    for (const name of names) {
      lab.script(name, { dns: "delegated", rdap: "registered" });
    }
  }
  const file = `${folder}/${freshLabel()}.txt`;
  await Deno.writeTextFile(file, `${names.join("\n")}\n`);
  return file;
}

function newKv({ folder }: Place): string {
  return `${folder}/${freshLabel()}.kv`;
}

/** Names a second of a run that left no row unknown. */
async function timedCheck({ lab }: Place, file: string, kv: string): Promise<number> {
  const args = ["task", "--quiet", "check", "--file", file, "--tld", TLD, "--ndjson"];
  const { rate, text } = await timed(args, { ...labEnv(lab), ...proxyEnv(lab), KV_PATH: kv });
  const rows = text.trimEnd().split("\n").length;
  if (rows !== NAMES) throw new Error(`Cannot measure: ${rows} rows`);
  return rate;
}

async function timedBare({ lab }: Place, file: string): Promise<number> {
  const script = new URL("bare_questions.ts", import.meta.url).href;
  const args = ["run", "--allow-all", script, file, TLD];
  return (await timed(args, { ...labEnv(lab), ...proxyEnv(lab) })).rate;
}

/** Runs a process to its end; any status but 0 leaves nothing to measure. */
async function timed(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ rate: number; text: string }> {
  const startedAt = performance.now();
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: root,
    env,
    stderr: "inherit",
  }).output();
  const tookMs = performance.now() - startedAt;
  if (code !== 0) throw new Error(`Cannot measure: exit status ${code}`);
  return { rate: NAMES / tookMs * 1_000, text: new TextDecoder().decode(stdout) };
}
