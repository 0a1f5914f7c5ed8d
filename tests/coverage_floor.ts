/**
 * `deno run --allow-read tests/coverage_floor.ts <lcov file>`: fails unless the tests took every branch of src/rules. A report
 * that lacks one of its files fails, too: it is not of the whole run.
 */
import { filesIn, root } from "./support/source_files.ts";

const [path = ""] = Deno.args;
const records = (await Deno.readTextFile(path)).split("end_of_record");
/** The files with code to run; one that exports types alone is in no report. */
const files = filesIn("src/rules/", /\.ts$/)
  .filter((file) =>
    /^export (?:async )?(?:function|const|class) /m.test(Deno.readTextFileSync(file))
  )
  .map(({ href }) => href.slice(root.href.length));
const wrong = files.filter((file) => {
  const record = records.find((record) => record.includes(`/${file}\n`)) ?? "";
  const [all, taken] = ["BRF", "BRH"].map((key) => new RegExp(`^${key}:.*`, "m").exec(record)?.[0]);
  return record === "" || all?.slice(4) !== taken?.slice(4);
});
const list = wrong.join(", ") || "none";
// deno-lint-ignore no-console -- a report for the terminal
console.log(
  `src/rules: ${files.length} files, absent or with a branch that no test takes: ${list}`,
);
if (wrong.length > 0) Deno.exit(1);
