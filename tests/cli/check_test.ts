import { assertEquals, assertMatch } from "@std/assert";
import { domainRow, failedRow } from "../../src/cli/row.ts";
import { checkerOf, runCli, runLine, runRemote } from "../support/cli.ts";
import { FakeTime } from "../support/fake_time.ts";
import { testsOnLab } from "../support/on_lab.ts";
import { takenRow } from "../support/taken_row.ts";

const test = testsOnLab();

Deno.test("check prints a line for each domain with icon and word of its state, and a summary", async () => {
  const { code, out, err } = await runLine(
    "taken.com free-name.dev reserved.online undelegated.com html.dev premium.xyz",
  );
  assertEquals([code, err], [2, ""]);
  const lines = [
    /^✗ Taken {6}taken\.com +found in DNS · \d+ ms$/m,
    /^✓ Available {2}free-name\.dev +not in the registry · \d+ ms$/m,
    /^\$ Premium {4}premium\.xyz +not in the registry, premium price · \d+ ms$/m,
    /^⊘ Reserved {3}reserved\.online +The registry says: "This name is not available for registration: Registry Reserved" · \d+ ms$/m,
    /^✗ Taken {6}undelegated\.com +registered, not in DNS · \d+ ms$/m,
    /^\? Unknown {4}html\.dev +The 404 did not come from an RDAP service$/m,
    /\n\n6 domains in \d+\.\d s: 1 available, 1 premium, 2 taken, 1 reserved, 1 unknown\n$/,
  ];
  for (const line of lines) assertMatch(out, line);
});

Deno.test("check --explain shows below each result what each witness said, and adds it to records for programs", async () => {
  const { code, out } = await runLine("for-sale.com free-name --tld com,dev -e");
  assertEquals(code, 0);
  const rows = [
    /^✗ Taken {6}for-sale\.com .*\n {6}DNS resolver: DNS has name servers for the name \(\d+ ms · just now\), "ns1\.hosting\.example, ns2\.hosting\.example"\n {6}DNS resolver: the holder offers the name for sale \(\d+ ms · just now\), "fval=USD750 \| furi=https:\/\/example\.com\/offer"$/m,
    /^ {2}✓ Available {2}free-name\.dev .*\n {6}DNS resolver: .*\n {6}RDAP pubapi\.registry\.google: no such name \(.*\), "404 /m,
  ];
  for (const row of rows) assertMatch(out, row);
  const [explained] = JSON.parse((await runLine("taken.com --json --explain")).out);
  assertEquals(explained.evidence.map(({ means }: { means: string }) => means), ["delegated"]);
});

Deno.test("check writes a complete document when it ends before the first name: by Ctrl-C, a list or what it opens", async () => {
  const lost = () => Promise.resolve(new Error("KV is gone"));
  for (const [format, document] of [["--json", "[\n\n]\n"], ["--ndjson", ""]] as const) {
    const failed = await runCli(["x", format], lost);
    assertEquals(failed, { code: 1, out: document, err: "KV is gone\n" });
    const unread = await runCli(["--file", "none", format], lost);
    assertEquals([unread.code, unread.out], [1, document]);
    assertMatch(unread.err, /^Cannot read a list: /);
    const stop = new AbortController();
    const opening = () => new Promise<never>(() => stop.abort());
    const stopped = await runCli(["x", format], opening, { stop: stop.signal });
    assertEquals(stopped, { code: 130, out: document, err: "Interrupted\n" });
  }
});

Deno.test("check --available shows only available names, and counts the others in the summary", async () => {
  const { code, out } = await runLine("premium taken reserved.online html.dev -a");
  assertEquals(code, 2);
  assertEquals(out.split("\n").filter((line) => /^ {2}/.test(line)).length, 4);
  assertMatch(out, /^ {2}\$ Premium {4}premium\.xyz/m);
  assertEquals(/taken|reserved\.online|html/.test(out.split("\n\n")[0] ?? ""), false);
  assertMatch(out, /^10 domains in .* taken, 1 reserved, 1 unknown$/m);
});

Deno.test("check counts what is likely available as unknown, and --available leaves it out", async () => {
  const error = "WHOIS could not be asked";
  const unknown = { state: "unknown", available: false, status: ["unknown"], error } as const;
  const likely = checkerOf((label) =>
    domainRow({ ...takenRow(label, "com"), ...unknown, likely: "available" })
  );
  const all = await runCli(["free-name"], likely);
  assertMatch(all.out, /^≈ Probably available {2}free-name\.com +WHOIS could not be asked$/m);
  assertMatch(all.out, /^1 domain in [\d.]+ s: 1 unknown$/m);
  const available = await runCli(["free-name", "--available"], likely);
  assertMatch(available.out, /^1 domain in [\d.]+ s: 1 unknown\n$/);
  assertEquals([all.code, available.code], [2, 2]);
});

test("check writes the rows of a fast registry while a slow one has answered a few", async (service) => {
  const fastDone = Promise.withResolvers<void>();
  let slow = 0;
  // A bound on names instead of on each registry's queue would never get to the 65th name under .com.
  const checkDomain: typeof service.services.checkDomain = async (label, tld) => {
    const row = await service.services.checkDomain("taken", tld);
    if (tld !== "com" && ++slow > 3) await fastDone.promise;
    return { ...row, domain: `${label}.${tld}` };
  };
  const list = Array.from({ length: 100 }, (_, n) => `name-${n}`).join("\n");
  let out = "";
  const { code } = await runCli(["-", "--tld", "com,io,ai"], { ...service.services, checkDomain }, {
    lists: { "-": list },
    write(text) {
      out += text;
      if (out.match(/name-\d+\.com/g)?.length === 100) fastDone.resolve();
      return Promise.resolve();
    },
  });
  const tlds = [...out.matchAll(/name-\d+\.(\w+)/g)].map(([, tld]) => tld);
  assertEquals([code, tlds.length], [0, 300]);
  const before = tlds.slice(0, tlds.lastIndexOf("com"));
  assertEquals(before.filter((tld) => tld !== "com").length <= 3, true, `${before}`);
});

Deno.test("check shows each name of a list as one line with its TLDs on a terminal, without --explain and --details", async () => {
  const run = async (names: string, options = "") => {
    const surroundings = { isTerminal: true, lists: { "-": names } };
    return (await runLine(`--tld com,dev - ${options}`, surroundings)).out;
  };
  const lines = (await run("taken\nfree-name\n")).replaceAll(/ +/g, " ").split("\n");
  const shown = ["free-name ✓ .com ✓ .dev", "taken ✗ .com ✗ .dev"];
  assertEquals(lines.slice(0, 2).toSorted(), shown);
  assertMatch(lines.slice(2).join("\n"), /^\n4 domains in [^\n]*: 2 available, 2 taken\n$/);
  // What is shown below rows has no place in such a line.
  assertMatch(await run("taken\n", "--explain"), /\n +DNS /);
  assertMatch(await run("taken\n", "--details"), /\n +Registrar: /);
});

Deno.test("check --sort by state or TLD shows the names that are typed together", async () => {
  const { out } = await runLine("taken free-name --tld com,dev --sort state");
  assertMatch(out, /^✓ Available {2}free-name\.com .*\n✓ Available {2}free-name\.dev .*\n✗ Taken /);
});

/** A name is checked after so long, and in vain. */
const failingAfter = (ms: number, msOfA = ms) =>
  checkerOf(async (label) => {
    await new Promise((resolve) => setTimeout(resolve, label === "a" ? msOfA : ms));
    return failedRow(`${label}.com`, "gone");
  });

Deno.test("check draws no progress line beside rows of JSON on the same terminal, and reads a list twice only for such a line", async () => {
  using time = new FakeTime(0);
  const cases = [
    ["--json", true, 80, false, 1],
    ["--json", false, 80, true, 2],
    ["--json", false, 0, false, 1],
    ["--available", true, 80, true, 2],
    ["--available", false, 0, false, 1],
  ] as const;
  for (const [format, isTerminal, columns, isDrawn, times] of cases) {
    let read = 0;
    const lists = {
      get names() {
        read++;
        return "a\nb\n";
      },
    };
    const options = { lists, isTerminal, columns };
    const running = runCli(["--file", "names", format], failingAfter(1_000), options);
    await time.runAll();
    const { err } = await running;
    assertEquals<unknown>([err.includes("checked"), read - 1], [isDrawn, times]);
  }
});

Deno.test("check tells once what it waits for, where no progress line shows that it goes on", async () => {
  using time = new FakeTime(0);
  const cases = [
    ["--json", 0, 60_000, "Waiting for DNS and registries\n"],
    ["--url=http://h.example", 0, 60_000, "Waiting for h.example\n"],
    ["--csv", 80, 60_000, ""],
    ["--csv", 0, 1_000, ""],
  ] as const;
  for (const [option, columns, msOfA, told] of cases) {
    const running = runCli(["a", "b", option], failingAfter(60_000, msOfA), { columns });
    await time.runAll();
    assertEquals((await running).err.match(/Waiting.*\n/g)?.join() ?? "", told);
  }
});

test("check --details shows the record of each taken name, from its own look-ups and from a service", async (service) => {
  const args = ["taken.dev", "free-name.dev", "--details"];
  const record =
    /taken\.dev .*\n {6}Registrar: Lab Registrar Ltd, number 9999 at IANA\n {6}Registered: 4 Mar 2011\n {6}Expires: 4 Mar 2031\n {6}Could be free: if it is not renewed, 8 Apr – 24 May 2031 .*\n {6}Status: client transfer prohibited, active\n {6}Name servers: .*\n {6}DNSSEC: not signed\n/;
  const local = await runCli(args, service.services);
  for (const { code, out } of [local, await runRemote([...args, "--url", service.url])]) {
    assertEquals(code, 0);
    assertMatch(out, record);
    assertMatch(out, /free-name\.dev .*\n(?! {6})/);
  }
  const { out } = await runCli(["taken.dev", "--details", "--json"], service.services);
  const [{ details }] = JSON.parse(out);
  assertEquals([details.dnssec, details.domain], [false, undefined]);
});
