import { assertEquals, assertMatch } from "@std/assert";
import { readCheckArguments } from "../../src/cli/check_options.ts";
import { LOCAL_ROWS, REMOTE_NAMES } from "../../src/cli/checker.ts";
import { startLab } from "../lab/lab.ts";
import { runCli } from "../support/cli.ts";
import { startService } from "../support/service.ts";

/** Reads a valid command line. */
function optionsOf(line: string, piped = false) {
  const read = readCheckArguments(line.split(" ").filter(Boolean), { piped });
  if (read.kind !== "check") throw new Error(JSON.stringify(read));
  return read.options;
}

// deno-fmt-ignore -- a table
const INVALID: [string, RegExp][] = [
  ["", /^No names given\nRun deno task check --help for usage\n$/],
  ["-x", /^Unknown option '-x'/],
  ["foo --tld", /tld/],
  ["-foo", /^Unknown option/],
  ["--a\x1b[2J", /^Unknown option '--a\uFFFD\[2J'/],
  ["foo_bar", /^foo_bar: Use 1 to 63 letters .*, such as foo-bar or foobar\n/],
  ["café_1", /^café_1: Use 1 to 63 letters .*, such as cafe-1 or cafe1\n/],
  ["bücher.eth", /^bücher\.eth: Use 3 to 63 letters/],
  ["bücher --tld com,eth", /^bücher: Use 3 to 63 letters/],
  ["foo.рф", /^TLD xn--p1ai is not supported/],
  ["foo --tld рф", /^TLD xn--p1ai is not supported/],
  ["a.b.com", /^TLD b\.com is not supported: send one of com/],
  ["a\x1b[2J", /^a\uFFFD\[2J: Use 1 to 63 letters/],
  ["foo.com --tld net,org", /^foo\.com: TLD \.com is not in --tld net,org\n/],
  ["foo --tld nowhere", /^TLD nowhere is not supported: send one of com, dev, online, xyz\n$/],
  ["foo.nowhere", /^TLD nowhere is not supported: send one of com, dev, online, xyz\n$/],
  ["foo --tld com --preset popular", /^Cannot combine --preset with --tld\n/],
  ["foo --preset toString", /^Invalid --preset: got "toString", expected popular, generic, country\n/],
  ["foo --limit 0", /^Invalid --limit: got "0", expected 1 to 100000\n/],
  ["foo --tld com,,net", /^Invalid --tld: got "", expected TLDs separated by commas/],
  ["foo --tld c_m", /^Invalid --tld: got "c_m", expected TLDs separated by commas/],
  ["ab.eth", /^ab\.eth: Use 3 to 63 letters/],
  ["ab --tld com,eth", /^ab: Use 3 to 63 letters/],
  ["foo- --tld com,eth", /^foo-: Remove the hyphen/],
  ["a.foo.eth", /^a\.foo\.eth: Send a name directly under \.eth/],
  ["foo.eth --tld com", /^foo\.eth: TLD \.eth is not in --tld com\n/],
  ["foo --json --csv", /^Cannot combine --json with --csv/],
  ["foo --sort size", /^Invalid --sort: got "size", expected name, state, tld/],
  ["foo --tlds com", /^Unknown option '--tlds': did you mean --tld\?\nRun/],
  ["foo --jsno", /^Unknown option '--jsno': did you mean --json\?\n/],
  ["foo -tld com", /^Unknown option '-tld': did you mean --tld\?\n/],
  ["foo --frob", /^Unknown option '--frob'\nRun/],
  ["foo_bar b_r", /^foo_bar: Use 1 to 63 letters .*\nb_r: Use 1/],
  ["foo --columns domain", /^--columns requires --csv\n/],
  ["foo --csv --columns domain,cost", /^Invalid --columns: got "cost", expected some of domain, state/],
  ["foo --explain --csv", /^Cannot combine --explain with --csv/],
  ["foo --concurrency 0", /^Invalid --concurrency: got "0", expected 1 to 1000/],
  ["foo --concurrency 1001", /^Invalid --concurrency: got "1001", expected 1 to 1000/],
  ["foo --concurrency a\x1b", /^Invalid --concurrency: got "a\uFFFD", expected 1 to 1000/],
  ["foo --key k", /^--key requires --url/],
  ["foo --url here", /^Invalid --url: expected http or https/],
  ["foo --url ftp://h.example", /^Invalid --url: expected http or https/],
  ["foo --url https://ann:secret@h.example", /^Invalid --url: expected http or https without credentials(?![^]*secret)/],
  ["foo --url https://h.example/?x=y", /^Invalid --url: expected http or https/],
];

Deno.test("check exits 1 with a message and sends no query when an argument is invalid", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "com,dev,online,xyz" } });
  for (const [line, message] of INVALID) {
    const { code, out, err } = await runCli(line.split(" ").filter(Boolean), service.services);
    assertEquals([code, out], [1, ""], line);
    assertMatch(err, message);
  }
  assertEquals(lab.dnsQueries, []);
});

Deno.test("check --help prints the usage, --version the version, without opening a checker", async () => {
  const unopened = () => Promise.reject(new Error("Opened a checker"));
  const help = await runCli(["--help", "--json", "--csv"], unopened);
  assertEquals([help.code, help.err], [0, ""]);
  assertMatch(help.out, /^Usage: deno task check[^]+Exit status:[^]+Examples:/);
  const widest = Math.max(...help.out.split("\n").map((line) => line.length));
  assertEquals(widest <= 80, true, "the usage fits into 80 columns");
  const defaults = `(default ${LOCAL_ROWS} domains; with --url ${REMOTE_NAMES})`;
  assertEquals(help.out.replaceAll(/\s+/g, " ").includes(defaults), true);
  assertEquals(await runCli(["--version"], unopened), { code: 0, out: "1.2.3\n", err: "" });
});

Deno.test("readCheckArguments() reads names and TLDs, in one --tld or several, without duplicates", () => {
  const options = optionsOf("Foo bar.NET --tld com,.NET --tld org,com");
  assertEquals(options.tlds, ["com", "net", "org"]);
  assertEquals(options.names, [
    { label: "foo", tlds: ["com", "net", "org"] },
    { label: "bar", tlds: ["net"] },
  ]);
  assertEquals(optionsOf("foo").names, [{ label: "foo", tlds: undefined }]);
  assertEquals(optionsOf("foo").format, "text");
});

Deno.test("readCheckArguments() reads ENS names by their own grammar", () => {
  assertEquals(optionsOf("Foo.ETH foo-.eth").names, [
    { label: "foo", tlds: ["eth"] },
    { label: "foo-", tlds: ["eth"] },
  ]);
  assertEquals(optionsOf("foo- --tld eth").names, [{ label: "foo-", tlds: ["eth"] }]);
});

Deno.test("readCheckArguments() reads stdin when - is given, or when input is piped and no name is given", () => {
  assertEquals(optionsOf("foo", true).lists, []);
  assertEquals(optionsOf("", true).lists, ["-"]);
  assertEquals(optionsOf("--file a --file b - -").lists, ["a", "b", "-"]);
  assertEquals(optionsOf("foo -").lists, ["-"]);
});

Deno.test("readCheckArguments() reads the service and its key", () => {
  const { service } = optionsOf("foo --url https://h.example/domains --key k");
  assertEquals([service?.url.href, service?.key], ["https://h.example/domains", "k"]);
  assertEquals(optionsOf("foo --url http://localhost:8000").service?.key, undefined);
});

Deno.test("readCheckArguments() reads --available", () => {
  assertEquals(optionsOf("foo").onlyAvailable, false);
  assertEquals(optionsOf("foo --available").onlyAvailable, true);
});

Deno.test("readCheckArguments() reads short options and the columns of CSV", () => {
  const options = optionsOf("foo -t com -f a -a -e -s name");
  assertEquals([options.tlds, options.lists, options.sort], [["com"], ["a"], "name"]);
  assertEquals([options.onlyAvailable, options.explain], [true, true]);
  assertEquals(readCheckArguments(["-v"], { piped: false }).kind, "version");
  assertEquals(optionsOf("foo --csv --columns owner,domain").columns, ["owner", "domain"]);
  assertEquals(optionsOf("foo --csv").columns, undefined);
});

Deno.test("check reports arguments that are no names or have no such TLD, checks the others, and exits 1", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "com,dev" } });
  const args = ["foo_bar", "taken.com", "foo.nowhere", "--csv", "--columns", "domain,state"];
  const { code, out, err } = await runCli(args, service.services);
  assertEquals([code, out], [1, "domain,state\r\ntaken.com,taken\r\n"]);
  assertMatch(err, /^foo_bar: Use 1 to 63 letters[^\n]+\nTLD nowhere is not supported/);
});
