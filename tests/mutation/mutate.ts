/**
 * `deno task mutate [file…]`: mutates src/rules, all files or those named, and reports per file how many mutants the
 * tests kill, and each survivor. Fails if fewer than 95 % are killed, or if a survivor is not in `explained.ts`.
 */
import { sourceFiles } from "../support/source_files.ts";
import { EXPLAINED, type Explained } from "./explained.ts";
import { mutantsOf } from "./mutants_of.ts";
import type { Mutant } from "./run_stryker.ts";

const LOWEST_SCORE = 0.95;
const RULES = new URL("../../src/rules/", import.meta.url);

interface FileResult {
  readonly file: string;
  /** Includes those that timed out. */
  readonly killed: number;
  readonly timedOut: number;
  readonly survivors: readonly Mutant[];
  readonly ignored: number;
}

async function allFiles(): Promise<string[]> {
  const names = await Array.fromAsync(
    sourceFiles(RULES),
    ({ pathname }) => pathname.slice(RULES.pathname.length),
  );
  // It holds types only, which do not exist at run time.
  return names.filter((name) => name !== "answer.ts").toSorted();
}

async function mutate(file: string): Promise<FileResult> {
  const mutants = await mutantsOf(file);
  const count = (outcome: Mutant["outcome"]) =>
    mutants.filter((mutant) => mutant.outcome === outcome).length;
  const survivors = mutants.filter(({ outcome }) => outcome === "survived");
  const timedOut = count("timedOut");
  return {
    file,
    killed: count("killed") + timedOut,
    timedOut,
    survivors,
    ignored: count("ignored"),
  };
}

/** Each row explains one mutant: an identical line may have another survivor, for another reason. */
function explanationOf(
  file: string,
  { source, change }: Mutant,
  used: ReadonlySet<Explained>,
): Explained | undefined {
  return EXPLAINED.find((one) =>
    one.file === file && one.source === source && one.change === change && !used.has(one)
  );
}

function print(line: string): void {
  // deno-lint-ignore no-console -- a report for the terminal
  console.log(line);
}

function printRow(
  name: string,
  { killed, timedOut, survived, ignored }: Record<
    "killed" | "timedOut" | "survived" | "ignored",
    number
  >,
): void {
  const score = `${(100 * killed / (killed + survived)).toFixed(1)} %`;
  const cells = [killed + survived, killed, timedOut, survived, score, ignored];
  print(name.padEnd(24) + cells.map((cell) => `${cell}`.padStart(10)).join(""));
}

const files = Deno.args.length > 0
  ? Deno.args.map((path) => path.replace(/^.*src\/rules\//, ""))
  : await allFiles();
const results: FileResult[] = [];
const HEADINGS = ["mutants", "killed", "timed out", "survived", "score", "sentences"];
print("file".padEnd(24) + HEADINGS.map((heading) => heading.padStart(10)).join(""));
for (const file of files) {
  const result = await mutate(file);
  results.push(result);
  printRow(file, { ...result, survived: result.survivors.length });
}
const sum = (count: (result: FileResult) => number) =>
  results.reduce((total, result) => total + count(result), 0);
const [killed, survived] = [sum((one) => one.killed), sum(({ survivors }) => survivors.length)];
printRow("all", {
  killed,
  timedOut: sum((one) => one.timedOut),
  survived,
  ignored: sum((one) => one.ignored),
});

const used = new Set<Explained>();
let unexplained = 0;
for (const { file, survivors } of results) {
  for (const survivor of survivors) {
    const explained = explanationOf(file, survivor, used);
    if (explained === undefined) unexplained++;
    else used.add(explained);
    print(`\nsrc/rules/${file}:${survivor.line} ${survivor.change}`);
    print(
      explained === undefined ? `  NOT EXPLAINED  ${survivor.source}` : `  ${explained.reason}`,
    );
  }
}
const outdated = EXPLAINED.filter((one) => files.includes(one.file) && !used.has(one));
for (const { file, change } of outdated) print(`\nExplained, but killed: ${file} ${change}`);
const isGood = killed >= LOWEST_SCORE * (killed + survived) && unexplained + outdated.length === 0;
if (!isGood) Deno.exit(1);
