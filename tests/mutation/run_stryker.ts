/** Runs Stryker's mutants of one file against the tests that import it. */
import { npmTool } from "../contract/npm_tool.ts";

/** A change to a file, and whether a test failed because of it. */
export interface Mutant {
  /** The first line of the change, 1-based. */
  readonly line: number;
  /** That line's text. */
  readonly source: string;
  /** The replaced text and its replacement, in one line. */
  readonly change: string;
  /** `ignored`: not run, because it only changes a text for people. */
  readonly outcome: "killed" | "timedOut" | "survived" | "ignored";
}

/** The part of Stryker's report that is read (mutation-testing-report-schema 3). */
interface Report {
  files: Record<string, { source: string; mutants: ReportedMutant[] }>;
}

interface Position {
  line: number;
  column: number;
}

interface ReportedMutant {
  status: string;
  mutatorName: string;
  replacement: string;
  location: { start: Position; end: Position };
}

/**
 * A mutant that runs longer than 1.5 times the unchanged tests plus this, in ms, loops for ever and counts as killed.
 * Generous, so that a busy machine kills no mutant.
 */
const TIMEOUT_MS = 15_000;

/** Longer texts are cut in the output. */
const MAX_CHARS = 80;

/** Paths are relative to `folder`, a copy that Stryker may change. Throws if the unchanged tests fail. */
export async function runStryker(
  folder: string,
  { file, tests, preload }: { file: string; tests: readonly string[]; preload: string },
): Promise<Mutant[]> {
  const options = {
    testRunner: "command",
    commandRunner: {
      command:
        `${Deno.execPath()} test --no-check --allow-all --quiet --fail-fast --preload=./${preload} ${
          tests.join(" ")
        }`,
    },
    mutate: [file],
    plugins: ["./tests/mutation/sentences.mjs"],
    ignorers: ["sentences"],
    inPlace: true,
    concurrency: navigator.hardwareConcurrency,
    timeoutMS: TIMEOUT_MS,
    reporters: ["json"],
    jsonReporter: { fileName: "report.json" },
  };
  await Deno.writeTextFile(`${folder}/stryker.config.json`, JSON.stringify(options));
  const { success, stdout } = await (await npmTool("stryker", ["run"], folder)).output();
  if (!success) throw new Error(`Cannot mutate ${file}: ${new TextDecoder().decode(stdout)}`);
  const report: Report = JSON.parse(await Deno.readTextFile(`${folder}/report.json`));
  return Object.values(report.files).flatMap(({ source, mutants }) => {
    const lines = source.split("\n");
    return mutants.map((mutant) => describe(mutant, lines));
  });
}

function describe(
  { status, mutatorName, replacement, location: { start, end } }: ReportedMutant,
  lines: readonly string[],
): Mutant {
  const source = lines[start.line - 1] ?? "";
  const changed = lines.slice(start.line - 1, end.line);
  changed.push((changed.pop() ?? "").slice(0, end.column - 1));
  const replaced = changed.join("\n").slice(start.column - 1);
  const change = shorten(inOneLine(replaced), inOneLine(replacement));
  return {
    line: start.line,
    source: source.trim(),
    change: `${mutatorName}: ${change}`,
    outcome: outcomeOf(status),
  };
}

/** Both texts; long ones are cut around the first difference. */
function shorten(before: string, after: string): string {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  const from = Math.max(0, Math.min(same - 20, Math.max(before.length, after.length) - MAX_CHARS));
  return [before, after].map((text) => {
    const part = text.slice(from, from + MAX_CHARS);
    return `${from > 0 ? "…" : ""}${part}${from + MAX_CHARS < text.length ? "…" : ""}`;
  }).join(" -> ");
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function outcomeOf(status: string): Mutant["outcome"] {
  switch (status) {
    case "Killed":
      return "killed";
    case "Timeout":
      return "timedOut";
    case "Survived":
      return "survived";
    case "Ignored":
      return "ignored";
    default:
      throw new Error(`Unknown mutant status: ${status}`);
  }
}
