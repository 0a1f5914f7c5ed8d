import { assertEquals, assertMatch } from "@std/assert";
import { type Lab, startLab } from "../lab/lab.ts";
import { type CliOptions, type CliRun, runCli } from "../support/cli.ts";
import { startService } from "../support/service.ts";

/** Runs the command in this process, on the lab. */
async function run(lab: Lab, args: string[], options?: CliOptions): Promise<CliRun> {
  await using service = await startService(lab, { env: { TLDS: "com,dev,online,xyz" } });
  return await runCli(args, service.services, options);
}

Deno.test("check reads lists: skips comments and blank lines, accepts CRLF", async () => {
  await using lab = await startLab();
  const { code, out, err } = await run(lab, ["--file", "a.txt", "-", "--tld", ".COM", "--ndjson"], {
    lists: { "a.txt": "# names\r\n\r\nOne\r\n  two.com  # mine\n", "-": "three" },
  });
  assertEquals([code, err], [0, ""]);
  const domains = out.trimEnd().split("\n").map((line) => JSON.parse(line).domain);
  assertEquals(domains.toSorted(), ["one.com", "three.com", "two.com"]);
});

/** What everyday files hold, and the domains that are checked. */
const FILES: readonly (readonly [file: string, domains: string])[] = [
  ["taken.com\nfree.dev\n", "taken.com free.dev"],
  ["taken.com\rfree.dev", "taken.com free.dev"],
  ['"Domain Name","Expiry"\r\n"taken.com","2027-01-01"\r\n', "taken.com"],
  ["Domain,Expiry,Status\ntaken.com,2027-01-01,ok\nfree.dev,,", "taken.com free.dev"],
  ["Domain;Preis\ntaken.com;10,00", "taken.com"],
  ["taken.com\t2027-01-01", "taken.com"],
  ["www.free.dev, Beta Docs", "free.dev"],
  ["https://taken.com/\nhttp://www.free.dev/x?y", "taken.com free.dev"],
  ["taken.com.", "taken.com"],
  ["- taken.com\n- free.dev", "taken.com free.dev"],
  ["1. **taken.com** – short", "taken.com"],
  ["| Domain | Price |\n| --- | --- |\n| taken.com | 10 |", "taken.com"],
  ['["taken.com", "free.dev"]', "taken.com free.dev"],
  ['[\n  "taken.com",\n  "free.dev"\n]', "taken.com free.dev"],
  ["127.0.0.1 taken.com", "taken.com"],
  ["taken.com. 3600 IN NS ns1.host.net.", "taken.com"],
  ["Domain Name: TAKEN.COM\nName Server: NS1.HOST.NET", "taken.com"],
  ["jane@taken.com", "taken.com"],
  ["; names\n# names\n// names\ntaken.com", "taken.com"],
  ["taken.com free.dev", "taken.com free.dev"],
  ["taken.com,free.dev", "taken.com free.dev"],
  ["\ufeffDomain;Renewal\r\ntaken.com;01.02.2027\r\nfree.dev;\r\n", "taken.com free.dev"],
  ["Domain Name,TLD,Auto-renew\ntaken.com,com,On", "taken.com"],
  ["No,Domain,Owner\n1,taken.com,jane@free.dev", "taken.com"],
  ["domain,state,reason\ntaken.com,taken,\nfree.dev,available,", "taken.com free.dev"],
  ['[\n{"domain":"taken.com","state":"taken"},\n{"domain":"free.dev"}\n]', "taken.com free.dev"],
  ["Domain     Expires\n---------  -------\ntaken.com  2027", "taken.com"],
  [" domain    | age\n-----------+----\n taken.com | 9", "taken.com"],
  ["<https://taken.com|taken.com>\n<http://free.dev|docs>", "taken.com free.dev"],
  ["domains:\n  - taken.com\n  - free.dev", "taken.com free.dev"],
  ["$TTL 3600\n$ORIGIN taken.com.\nwww IN A 192.0.2.1", "taken.com"],
];

Deno.test("check --file finds the names in everyday files, and reports no line of them", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "com,dev" } });
  for (const [file, domains] of FILES) {
    const args = ["--file", "a", "--dry-run"];
    const { out, err } = await runCli(args, service.services, { lists: { a: file } });
    assertEquals([out.trim().split(/\s+/).join(" "), err], [domains, ""], file);
  }
});

Deno.test("check --file reads long lines whole, and reports one that is too long in place of a part of it", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "com,dev" } });
  const names = Array.from({ length: 300 }, (_, n) => `name-${n}.com`);
  const long = `${"x, ".repeat(30_000)}cut.com`;
  for (const line of [names.join(","), JSON.stringify(names), `${long}\n${names.join(" ")}`]) {
    const args = ["--file", "a", "--dry-run"];
    const { out, err } = await runCli(args, service.services, { lists: { a: line } });
    assertEquals(out.trimEnd().split("\n"), names);
    assertEquals(err, line.startsWith(long) ? "a:1: A line has at most 65535 characters\n" : "");
  }
});

Deno.test("check reads stdin when input is piped and no name is given", async () => {
  await using lab = await startLab();
  const { out } = await run(lab, ["--tld", "com"], { lists: { "-": "taken\n" } });
  assertMatch(out, /^✗ Taken {6}taken\.com/);
});

Deno.test("check exits 1 when its lists have no name, with a complete document", async () => {
  await using lab = await startLab();
  const message = "No names to check\nRun deno task check --help for usage\n";
  const json = await run(lab, ["--json"], { lists: { "-": "" } });
  assertEquals([json.code, JSON.parse(json.out), json.err], [1, [], message]);
  const text = await run(lab, ["--file", "a"], { lists: { "a": "# nothing\n" } });
  assertEquals([text.code, text.out, text.err], [1, "0 domains in 0.0 s\n", message]);
  const dry = await run(lab, ["--dry-run"], { lists: { "-": "\n" } });
  assertEquals([dry.code, dry.out, dry.err], [1, "", message]);
});

Deno.test("check reports invalid lines by number, checks the others and exits 1", async () => {
  await using lab = await startLab();
  const list = `taken.com\nfoo_bar\n\na.b.com\nx.nowhere\n\x1b[2J\u202e\n${
    "y".repeat(5_000)
  }\ntaken.dev`;
  const { code, out, err } = await run(lab, ["--file", "a.txt"], { lists: { "a.txt": list } });
  assertEquals(code, 1);
  assertMatch(out, /^✗ Taken {6}taken\.com /m);
  assertMatch(out, /^✗ Taken {6}taken\.dev /m);
  assertMatch(out, /^2 domains in .*: 2 taken; 5 invalid lines skipped$/m);
  const [second, fourth, fifth, sixth, seventh, ...rest] = err.split("\n");
  assertEquals(
    second,
    "a.txt:2: foo_bar: Use 1 to 63 letters a-z, digits and hyphens, such as foo-bar or foobar",
  );
  assertEquals(
    fourth,
    "a.txt:4: a.b.com: TLD b.com is not supported: send one of com, dev, online, xyz",
  );
  assertEquals(
    fifth,
    "a.txt:5: x.nowhere: TLD nowhere is not supported: send one of com, dev, online, xyz",
  );
  assertMatch(sixth ?? "", /^a\.txt:6: \uFFFD\[2J: Use 1 to 63/);
  assertMatch(seventh ?? "", /^a\.txt:7: y{280}: Use 1 to 63/);
  assertEquals(rest, [""]);
});

Deno.test("check exits 1 and sends no query when a list cannot be read", async () => {
  await using lab = await startLab();
  const { code, out, err } = await run(lab, ["taken.com", "--file", "none.txt"]);
  assertEquals([code, out, err], [1, "", "Cannot read none.txt: No such file: stat 'none.txt'\n"]);
  const escaped = await run(lab, ["taken.com", "--file", "a\x1bb"]);
  assertEquals(escaped.err, "Cannot read a\uFFFDb: No such file: stat 'a\uFFFDb'\n");
  assertEquals(lab.dnsQueries, []);
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("taken.com\n"));
    },
    pull: () => Promise.reject(new Error("Input/output\x1b error")),
  });
  const half = await run(lab, ["-", "--csv"], { lists: { "-": broken } });
  assertEquals([half.code, half.err], [1, "Cannot read stdin: Input/output\uFFFD error\n"]);
  assertMatch(half.out, /\r\ntaken\.com,taken,/);
});

Deno.test("check reads no more of an endless list while its reader pauses", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  const reader = Promise.withResolvers<void>();
  const stop = new AbortController();
  let asked = 0;
  let written = 0;
  const checkDomain: typeof service.services.checkDomain = async (label, tld) => {
    asked++;
    return { ...await service.services.checkDomain("taken", tld), domain: `${label}.${tld}` };
  };
  const names = (function* () {
    for (let n = 0;; n++) yield new TextEncoder().encode(`name-${n}\n`);
  })();
  const args = ["-", "--tld", "com", "--ndjson", "--concurrency", "4"];
  const running = runCli(args, { ...service.services, checkDomain }, {
    lists: { "-": ReadableStream.from(names) },
    stop: stop.signal,
    write: () => {
      if (++written === 100) stop.abort();
      return reader.promise;
    },
  });
  while (written < 4) await new Promise((resolve) => setTimeout(resolve));
  for (let wait = 0; wait < 20; wait++) await new Promise((resolve) => setTimeout(resolve));
  assertEquals([asked, written], [4, 4]);
  reader.resolve();
  const { code, err } = await running;
  assertEquals(code, 130);
  assertMatch(err, /^Interrupted: \d+ domains/);
});
