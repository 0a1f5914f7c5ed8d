import { assert, assertEquals, assertMatch } from "@std/assert";
import { LOCAL_ROWS, type OptionRow, OPTIONS, REMOTE_NAMES } from "../../src/cli/check_options.ts";
import { VERSION } from "../../src/wiring/platform.ts";
import { startLab } from "../lab/lab.ts";
import { runCli, runOnLab } from "../support/cli.ts";

// deno-fmt-ignore -- a table
const INVALID: [string, RegExp][] = [
  ["", /^No names given\nRun deno task check --help for usage\n$/],
  ["-x", /^Unknown option '-x'/],
  ["foo --tld", /tld/],
  ["--a\x1b[2J", /^Unknown option '--a\uFFFD\[2J'/],
  ["foo_bar", /^foo_bar: Use 1 to 63 letters .*, such as foo-bar or foobar\n/],
  ["bücher.eth", /^bücher\.eth: Use 3 to 63 letters/],
  ["foo.рф", /^foo\.рф: TLD xn--p1ai is not supported/],
  ["foo --tld рф", /^TLD xn--p1ai is not supported/],
  ["a\x1b[2J", /^a\uFFFD\[2J: Use 1 to 63 letters/],
  ["foo.com --tld dev,xyz", /^foo\.com: TLD \.com is not in --tld dev,xyz\n/],
  ["foo --tld nowhere", /^TLD nowhere is not supported: send one of com, dev, online, xyz\n$/],
  ["foo --tld com --preset popular", /^Cannot combine --preset with --tld\n/],
  ["foo --preset toString", /^Invalid --preset: got "toString", expected popular, generic, country\n/],
  ["foo --limit 0", /^Invalid --limit: got "0", expected 1 to 100000\n/],
  ["foo --tld com,,net", /^Invalid --tld: got "", expected TLDs separated by commas/],
  ["foo- --tld com,eth", /^foo-: Remove the hyphen/],
  ["a.foo.eth", /^a\.foo\.eth: Send a name directly under \.eth/],
  ["foo.eth --tld com", /^foo\.eth: TLD \.eth is not in --tld com\n/],
  ["foo --json --csv", /^Cannot combine --json with --csv/],
  ["foo --sort size", /^Invalid --sort: got "size", expected name, state, tld/],
  ["foo --tlds com", /^Unknown option '--tlds': did you mean --tld\?\nRun/],
  ["foo -tld com", /^Unknown option '-tld': did you mean --tld\?\n/],
  ["foo_bar b_r", /^foo_bar: Use 1 to 63 letters .*\nb_r: Use 1/],
  ["foo --columns domain", /^--columns requires --csv\n/],
  ["foo --csv --columns domain,cost", /^Invalid --columns: got "cost", expected domain, state/],
  ["foo --explain --csv", /^Cannot combine --explain with --csv/],
  ["foo --dry-run --json", /^Cannot combine --dry-run with --json\n/],
  ["foo --details --csv", /^Cannot combine --details with --csv/],
  ["foo --url https://h.example --key schl\u00fcssel", /^Invalid --key: expected an API key/],
  ["foo --concurrency 1001", /^Invalid --concurrency: got "1001", expected 1 to 1000/],
  ["foo --concurrency a\x1b", /^Invalid --concurrency: got "a\uFFFD", expected 1 to 1000/],
  ["foo --key k", /^--key requires --url/],
  ["foo --url ftp://h.example", /^Invalid --url: expected http or https/],
  ["foo --url https://ann:secret@h.example", /^Invalid --url: expected http or https without credentials(?![^]*secret)/],
  ["foo --url https://h.example/?x=y", /^Invalid --url: expected http or https/],
];

Deno.test("check exits 1 with a message and sends no query when an argument is invalid", async () => {
  await using lab = await startLab();
  for (const [line, message] of INVALID) {
    const { code, out, err } = await runOnLab(lab, line.split(" ").filter(Boolean));
    assertEquals([code, out], [1, ""], line);
    assertMatch(err, message);
  }
  assertEquals(lab.dnsQueries, []);
});

Deno.test("check --help shows every option and the defaults on one screen, --version the version, without a checker", async () => {
  const unopened = () => Promise.reject(new Error("Opened a checker"));
  const { code, out, err } = await runCli(["--help", "--json", "--csv"], unopened);
  assertEquals([code, err], [0, ""]);
  assertMatch(out, /^Usage: deno task check[^]+Exit status:[^]+Examples:(?:\n {2}deno .+){3}\n$/);
  const lines = out.trimEnd().split("\n");
  assert(lines.length <= 40, `${lines.length} lines`);
  assertEquals(lines.filter((line) => line.length > 80), []);
  assert(out.includes(`(default ${LOCAL_ROWS} domains; with --url ${REMOTE_NAMES})`), out);
  const found = new Set(out.match(/(?<=(?<!\w)--)[a-z][a-z-]*/g));
  assertEquals([...found].toSorted(), Object.keys(OPTIONS).toSorted());
  for (const [name, { short }] of Object.entries<OptionRow>(OPTIONS)) {
    if (short !== undefined) assert(out.includes(`\n  -${short}, --${name}`), out);
  }
  for (const option of ["--version", "-v"]) {
    assertEquals(await runCli([option], unopened), { code: 0, out: `${VERSION}\n`, err: "" });
  }
});
