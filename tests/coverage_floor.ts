/**
 * `deno run --allow-read tests/coverage_floor.ts <lcov file>`: fails unless every branch of src/rules and 90 % of the
 * lines of src were run by the tests. A report that lacks files of src/rules fails, too: it is not of the whole run.
 */
import { filesIn, root } from "./support/source_files.ts";

interface Tally {
  file: string;
  branches: number;
  branchesHit: number;
  lines: number;
  linesHit: number;
}

const LINES_FLOOR = 0.9;

function readLcov(text: string): Tally[] {
  return text.split("end_of_record").flatMap((record) => {
    const file = /^SF:.*\/(?<file>(?:src|main).*)$/m.exec(record)?.groups?.file;
    if (file === undefined) return [];
    const count = (key: string) =>
      Number(new RegExp(`^${key}:(\\d+)$`, "m").exec(record)?.[1] ?? 0);
    return [{
      file,
      branches: count("BRF"),
      branchesHit: count("BRH"),
      lines: count("LF"),
      linesHit: count("LH"),
    }];
  });
}

/** The files of src/rules with code to run; one that exports types alone is in no report. */
function ruleFiles(): string[] {
  return filesIn("src/rules/", /\.ts$/)
    .filter((file) =>
      /^export (?:async )?(?:function|const|class) /m.test(Deno.readTextFileSync(file))
    )
    .map(({ href }) => href.slice(root.href.length));
}

const [path = ""] = Deno.args;
const source = readLcov(await Deno.readTextFile(path)).filter(({ file }) =>
  file.startsWith("src/")
);
const lines = source.reduce((sum, { lines }) => sum + lines, 0);
const share = source.reduce((sum, { linesHit }) => sum + linesHit, 0) / lines;
const rules = source.filter(({ file }) => file.startsWith("src/rules/"));
const missed = rules.filter(({ branches, branchesHit }) => branchesHit < branches);
const absent = ruleFiles().filter((file) => !rules.some((rule) => rule.file === file));

// deno-lint-ignore no-console -- a report for the terminal
console.log(
  `src: ${
    (share * 100).toFixed(1)
  } % of ${lines} lines; src/rules: ${rules.length} files, branches missed in ` +
    (missed.map(({ file }) => file).join(", ") || "none") +
    (absent.length > 0 ? `; not in the report: ${absent.join(", ")}` : ""),
);
if (absent.length > 0 || missed.length > 0 || !(share >= LINES_FLOOR)) Deno.exit(1);
