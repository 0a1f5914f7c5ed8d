import { assert, assertEquals, assertMatch } from "@std/assert";
import { LOCAL_ROWS } from "../../src/cli/check_options.ts";
import { shownName } from "../../src/cli/row.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { startLab } from "../lab/lab.ts";
import { endlessNames, runCli, runLine, runOnLab } from "../support/cli.ts";
import { testsOnLab } from "../support/on_lab.ts";
import { idle, until } from "../support/until.ts";

const test = testsOnLab();

/** Nothing is opened: a dry run needs no checker. */
const none = () => Promise.reject(new Error("the checker was opened"));

/** The domains that a command line would check. */
async function domainsOf(line: string, lists: Record<string, string> = {}): Promise<string> {
  const { out, code, err } = await runCli([...line.split(" "), "--dry-run"], none, { lists });
  assertEquals([code, err], [0, ""]);
  return out.trim().split("\n").join(" ");
}

/** Command lines of generated and listed names, and the domains that they check. */
// deno-fmt-ignore -- a table
const LINES: readonly (readonly [line: string, domains: string, lists?: Record<string, string>])[] = [
  ["acme --tld com --prefix get,my --suffix hq", "acme.com acmehq.com getacme.com getacmehq.com myacme.com myacmehq.com"],
  ["Foo bar.NET --tld com,.NET --tld org,com", "foo.com foo.net foo.org bar.net"],
  ["Foo.ETH foo-.eth", "foo.eth foo-.eth"],
  ["foo- --tld eth", "foo-.eth"],
  ["acme.co.uk --prefix get", "acme.co.uk getacme.co.uk"],
  ["https://www.acme.com/ jane@acme.org --suffix hq", "acme.com acmehq.com acme.org acmehq.org"],
  ["café --tld com --suffix hq", "xn--caf-dma.com xn--cafhq-dsa.com"],
  ["-f names -t com --suffix hq", "a.com ahq.com b.com bhq.com", { names: "a\n# no\nb\n" }],
  ["--file names --tld com,net --limit 2", "a.com a.net b.com b.net", { names: "a\nb\nc\n" }],
  // Of a group of TLDs, and domains with their own.
  ["acme x.org --preset popular", "acme.com acme.io acme.ai acme.dev acme.app x.org"],
  // Of files and stdin, without comments and blank lines.
  ["--file a.txt - --tld .COM", "one.com two.com three.com", { "a.txt": "# names\r\n\r\nOne\r\n  two.com  # mine\n", "-": "three" }],
  ["--tld com", "taken.com", { "-": "taken\n" }],
  // Of stdin only where it is named, or nothing else is.
  ["taken --tld com", "taken.com", { "-": "other\n" }],
  ["--file a.txt --file b.txt - - taken --tld com", "taken.com a.com b.com c.com", { "a.txt": "a", "b.txt": "b", "-": "c" }],
];

Deno.test("check checks each combination with --prefix and --suffix, --limit bounds the names, --preset has the TLDs of a group", async () => {
  for (const [line, domains, lists] of LINES) {
    assertEquals(await domainsOf(line, lists), domains, line);
  }
  const country = (await domainsOf("acme --preset country")).split(" ");
  assertEquals(country.every((domain) => /^acme\.\w\w$/.test(domain)), true);
  const generic = (await domainsOf("acme --preset generic")).split(" ");
  assertEquals(country.length + generic.length, BUILT_IN_TLDS.length);
});

Deno.test("check --file reads long lines whole, and reports one that is too long in place of a part of it", async () => {
  const names = Array.from({ length: 300 }, (_, n) => `name-${n}.com`);
  const long = `${"x, ".repeat(30_000)}cut.com`;
  for (const line of [names.join(","), JSON.stringify(names), `${long}\n${names.join(" ")}`]) {
    const { out, err } = await runCli(["--file", "a", "--dry-run"], none, { lists: { a: line } });
    assertEquals(out.trimEnd().split("\n"), names);
    assertEquals(err, line.startsWith(long) ? "a:1: A line has at most 65535 characters\n" : "");
  }
});

Deno.test("check --dry-run ends with 130 at Ctrl-C, in the middle of an endless list and while one says nothing; then no list is read on", async () => {
  const stop = new AbortController();
  let lines = 0;
  const write = () => Promise.resolve(void (++lines === 3 && stop.abort()));
  const args = ["--file", "a", "--tld", "com", "--dry-run"];
  const options = { lists: { a: endlessNames() }, stop: stop.signal, write };
  assertEquals([(await runCli(args, none, options)).code, lines], [130, 3]);
  const silent = new AbortController();
  setTimeout(() => silent.abort());
  const silence = { lists: { a: new ReadableStream() }, stop: silent.signal };
  assertEquals((await runCli(args, none, silence)).code, 130);
  const invalid = new AbortController();
  let read = 0;
  const names = endlessNames(() => {
    if (++read === 3) invalid.abort();
    // Lets the test fail: a list that is read on is read for ever.
    if (read > 100) throw new Error("The list is read on");
    return "foo_bar";
  });
  const { code } = await runCli(args, none, { lists: { a: names }, stop: invalid.signal });
  await idle();
  assertEquals([code, read < 10], [130, true], `${read} names`);
});

Deno.test("check exits 1 when its lists have no name, with a complete document", async () => {
  const message = "No names to check\nRun deno task check --help for usage\n";
  const cases = [
    ["--json", { "-": "" }, "[]"],
    ["--file a", { "a": "# nothing\n" }, ""],
    ["--dry-run", { "-": "\n" }, ""],
  ] as const;
  for (const [line, lists, document] of cases) {
    const { code, out, err } = await runLine(line, { lists });
    assertEquals([code, out.replaceAll("\n", ""), err], [1, document, message], line);
  }
});

Deno.test("check reports invalid lines by number, checks the others and exits 1", async () => {
  const long = "y".repeat(5_000);
  const list = `taken.com\nfoo_bar\n\na.b.com\nx.nowhere\n\x1b[2J\u202e\n${long}\ntaken.dev`;
  const { code, out, err } = await runLine("--file a.txt", { lists: { "a.txt": list } });
  assertEquals(code, 1);
  assertMatch(out, /^✗ Taken {6}taken\.com /m);
  assertMatch(out, /^✗ Taken {6}taken\.dev /m);
  assertMatch(out, /^2 domains in .*: 2 taken; 5 invalid lines skipped$/m);
  const lines = err.split("\n");
  const supported = "is not supported: send one of com, dev, online, xyz";
  assertEquals(lines.slice(0, 3), [
    "a.txt:2: foo_bar: Use 1 to 63 letters a-z, digits and hyphens, such as foo-bar or foobar",
    `a.txt:4: a.b.com: TLD b.com ${supported}`,
    `a.txt:5: x.nowhere: TLD nowhere ${supported}`,
  ]);
  assertMatch(lines[3] ?? "", /^a\.txt:6: \uFFFD\[2J: Use 1 to 63/);
  assertMatch(lines[4] ?? "", /^a\.txt:7: y{280}: Use 1 to 63/);
  assertEquals(lines.slice(5), [""]);
});

Deno.test("check exits 1 and sends no query when a list cannot be read", async () => {
  for (const [path, shown] of [["none.txt", "none.txt"], ["a\x1bb", "a\uFFFDb"]]) {
    const { code, out, err, queried } = await runLine(`taken.com --file ${path}`);
    assertEquals([code, out, queried], [1, "", []]);
    assertEquals(err, `Cannot read a list: No such file: stat '${shown}'\n`);
  }
  const broken = endlessNames((n) => {
    if (n > 0) throw new Error("Input/output\x1b error");
    return "taken.com";
  });
  const half = await runLine("- --csv", { lists: { "-": broken } });
  assertEquals([half.code, half.err], [1, "Cannot read stdin: Input/output\uFFFD error\n"]);
  assertMatch(half.out, /\r\ntaken\.com,taken,/);
});

test("check reads no more of an endless list while its reader pauses than may be in flight", async ({ services }) => {
  const row = await services.checkDomain("taken", "com");
  for (const [option, most] of [["--concurrency=4", 4], ["--tld=com", LOCAL_ROWS]] as const) {
    const reader = Promise.withResolvers<void>();
    const stop = new AbortController();
    let [asked, written] = [0, 0];
    const checkDomain: typeof services.checkDomain = (label) => {
      asked++;
      return Promise.resolve({ ...row, domain: `${label}.com` });
    };
    const running = runCli(["-", "--ndjson", option], { ...services, checkDomain }, {
      lists: { "-": endlessNames() },
      stop: stop.signal,
      write: () => {
        if (++written === most + 100) stop.abort();
        return reader.promise;
      },
    });
    await until("all rows that may be in flight are written", () => written >= most);
    await idle();
    assertEquals([asked, written], [most, most]);
    reader.resolve();
    const { code, err } = await running;
    assertEquals(code, 130);
    assertMatch(err, /^Interrupted: \d+ domains/);
  }
});

Deno.test("shownName() has both forms of an internationalised name", () => {
  const cases = [
    ["xn--caf-dma", "café (xn--caf-dma)"],
    ["xn--caf-dma.com", "café.com (xn--caf-dma.com)"],
    ["xn--53h.com", "☕.com (xn--53h.com)"],
    ["foo.com", "foo.com"],
    ["foo-xn--bar.com", "foo-xn--bar.com"],
    ["xn--a.com", "xn--a.com"],
    ["xn--1ugb.com", "xn--1ugb.com"],
  ] as const;
  for (const [name, shown] of cases) assertEquals(shownName(name), shown);
});

Deno.test("check takes names in Unicode and shows both forms in aligned lines", async () => {
  await using lab = await startLab();
  lab.script("xn--caf-dma.com", { dns: "delegated", rdap: "registered" });
  const { code, out } = await runOnLab(lab, ["Café", "bücher.com"]);
  assertEquals(code, 0);
  assert(out.split("\n").includes("café (xn--caf-dma)"), out);
  assertMatch(out, /^ {2}✗ Taken {6}café\.com \(xn--caf-dma\.com\) {2,}found in DNS/m);
  assertMatch(out, /^ {2}✓ Available {2}café\.dev \(xn--caf-dma\.dev\) {2,}not in the registry/m);
  assertMatch(out, /^✓ Available {2}bücher\.com \(xn--bcher-kva\.com\) {2}not in the registry/m);
});
