import { assertEquals, assertMatch } from "@std/assert";
import { readArguments } from "../../src/cli/arguments.ts";
import { startLab } from "../lab/lab.ts";
import { runCli } from "../support/cli.ts";
import { startService } from "../support/service.ts";

/** Reads a command line on which nothing may be wrong. */
function orderOf(line: string, piped = false) {
  const read = readArguments(line.split(" ").filter(Boolean), { piped });
  if (read.kind !== "check") throw new Error(JSON.stringify(read));
  return read.order;
}

// deno-fmt-ignore -- a table
const WRONG_USES: [string, RegExp][] = [
  ["", /^Give at least one name\ndeno task check --help tells/],
  ["-x", /^Unknown option '-x'/],
  ["foo --tld", /tld/],
  ["-foo", /^Unknown option/],
  ["--a\x1b[2J", /^Unknown option '--a\uFFFD\[2J'/],
  ["foo_bar", /^foo_bar: Use 1 to 63 letters/],
  ["a.b.com", /^a\.b\.com: Send one label and a TLD/],
  ["a\x1b[2J", /^a\uFFFD\[2J: Use 1 to 63 letters/],
  ["foo.com --tld net,org", /^foo\.com: It has a TLD already, other than --tld net,org/],
  ["foo --tld nowhere", /^TLD nowhere is not supported; use one of com, dev, online, xyz, eth\n$/],
  ["foo.nowhere", /^TLD nowhere is not supported; use one of com, dev, online, xyz, eth\n$/],
  ["foo --tld com,,net", /^--tld takes TLDs separated by commas, not ""/],
  ["foo --tld c_m", /^--tld takes TLDs separated by commas, not "c_m"/],
  ["ab.eth", /^ab\.eth: Use 3 to 63 letters/],
  ["ab --tld com,eth", /^ab: Use 3 to 63 letters/],
  ["foo- --tld com,eth", /^foo-: Remove the hyphen/],
  ["a.foo.eth", /^a\.foo\.eth: Send a name directly under \.eth/],
  ["foo.eth --tld com", /^foo\.eth: It has a TLD already, other than --tld com/],
  ["foo --json --csv", /^Give either --json or --csv/],
  ["foo --concurrency 0", /^Give a --concurrency from 1 to 1000/],
  ["foo --concurrency 1001", /^Give a --concurrency from 1 to 1000/],
  ["foo --concurrency x", /^Give a --concurrency from 1 to 1000/],
  ["foo --key k", /^--key goes with --url/],
  ["foo --url here", /^Give a --url such as https:/],
  ["foo --url ftp://h.example", /^Give a --url such as https:/],
  ["foo --url https://ann:secret@h.example", /^Give a --url such as https:/],
  ["foo --url https://h.example/?x=y", /^Give a --url such as https:/],
];

Deno.test("check tells a wrong use from a right one, exit 1, and asks nobody", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "com,dev,online,xyz" } });
  for (const [line, said] of WRONG_USES) {
    const { code, out, err } = await runCli(line.split(" ").filter(Boolean), service.services);
    assertEquals([code, out], [1, ""], line);
    assertMatch(err, said);
  }
  assertEquals(lab.dnsQueries, []);
});

Deno.test("check --help prints how it is used, --version which one it is", async () => {
  const nobody = () => Promise.reject(new Error("not to be opened"));
  const help = await runCli(["--help", "--json", "--csv"], nobody);
  assertEquals([help.code, help.err], [0, ""]);
  assertMatch(help.out, /^Usage: deno task check[^]+Exit status:[^]+Examples:/);
  const widest = Math.max(...help.out.split("\n").map((line) => line.length));
  assertEquals(widest <= 80, true, "help fits on any terminal");
  assertEquals(await runCli(["--version"], nobody), { code: 0, out: "1.2.3\n", err: "" });
});

Deno.test("readArguments() takes names, TLDs in lists or one by one, and what they have in common once", () => {
  const order = orderOf("Foo bar.NET --tld com,.NET --tld org,com");
  assertEquals(order.tlds, ["com", "net", "org"]);
  assertEquals(order.wishes, [
    { label: "foo", tlds: ["com", "net", "org"] },
    { label: "bar", tlds: ["net"] },
  ]);
  assertEquals(orderOf("foo").wishes, [{ label: "foo", tlds: undefined }]);
  assertEquals(orderOf("foo").format, "text");
});

Deno.test("readArguments() reads names on Ethereum by their own grammar", () => {
  assertEquals(orderOf("Foo.ETH foo-.eth").wishes, [
    { label: "foo", tlds: ["eth"] },
    { label: "foo-", tlds: ["eth"] },
  ]);
  assertEquals(orderOf("foo- --tld eth").wishes, [{ label: "foo-", tlds: ["eth"] }]);
});

Deno.test("readArguments() reads stdin where it is asked to, or where nothing else is given", () => {
  assertEquals(orderOf("foo", true).lists, []);
  assertEquals(orderOf("", true).lists, ["-"]);
  assertEquals(orderOf("--file a --file b - -").lists, ["a", "b", "-"]);
  assertEquals(orderOf("foo -").lists, ["-"]);
});

Deno.test("readArguments() takes the service to ask and its key", () => {
  const { service } = orderOf("foo --url https://h.example/domains --key k");
  assertEquals([service?.url.href, service?.key], ["https://h.example/domains", "k"]);
  assertEquals(orderOf("foo --url http://localhost:8000").service?.key, undefined);
});
