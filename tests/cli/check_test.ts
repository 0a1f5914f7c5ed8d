import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { startLab } from "../lab/lab.ts";
import { runCli, runOnLab, runRemote } from "../support/cli.ts";
import { startService } from "../support/service.ts";

Deno.test("check prints the name, a line with icon and word for each TLD, and a summary", async () => {
  await using lab = await startLab();
  const { code, out, err } = await runOnLab(lab, ["premium"]);
  assertEquals([code, err], [0, ""]);
  const lines = out.trimEnd().split("\n");
  assertEquals([lines.length, lines[0], lines[5]], [7, "premium", ""]);
  assertMatch(
    lines.find((line) => line.includes("premium.xyz")) ?? "",
    /^ {2}\$ Premium {4}premium\.xyz +not in the registry, premium price · \d+ ms$/,
  );
  assertMatch(lines.at(-1) ?? "", /^4 domains in \d+\.\d s: \d.* premium$/);
});

Deno.test("check prints each state with its own icon and word", async () => {
  await using lab = await startLab();
  const { code, out } = await runOnLab(lab, [
    "taken.com",
    "free-name.dev",
    "reserved.online",
    "undelegated.com",
    "html.dev",
  ]);
  assertEquals(code, 2);
  for (
    const line of [
      /^✗ Taken {6}taken\.com +found in DNS · \d+ ms$/m,
      /^✓ Available {2}free-name\.dev +not in the registry · \d+ ms$/m,
      /^⊘ Reserved {3}reserved\.online +The registry says: "This name is not available for registration: Registry Reserved" · \d+ ms$/m,
      /^✗ Taken {6}undelegated\.com +registered, not in DNS · \d+ ms$/m,
      /^\? Unknown {4}html\.dev +The 404 did not come from an RDAP service$/m,
    ]
  ) assertMatch(out, line);
});

Deno.test("check --explain shows below each result what each witness said, and adds it to records for programs", async () => {
  await using lab = await startLab();
  const args = ["for-sale.com", "free-name", "--tld", "com,dev", "--explain"];
  const { code, out } = await runOnLab(lab, args);
  assertEquals(code, 0);
  assertMatch(
    out,
    /^✗ Taken {6}for-sale\.com .*\n {6}dns resolver: delegated, "ns1\.hosting\.example, ns2\.hosting\.example" \(\d+ ms\)\n {6}dns resolver: for sale, "fval=USD750 \| furi=https:\/\/example\.com\/offer" \(\d+ ms\)$/m,
  );
  assertMatch(
    out,
    /^ {2}✓ Available {2}free-name\.dev .*\n {6}dns resolver: not delegated .*\n {6}rdap pubapi\.registry\.google: not found, "404 /m,
  );
  const explained = JSON.parse((await runOnLab(lab, ["taken.com", "--json", "--explain"])).out)[0];
  assertEquals(explained.evidence.map(({ means }: { means: string }) => means), ["delegated"]);
});

Deno.test("check --json writes one JSON array with the fields of the API", async () => {
  await using lab = await startLab();
  const { code, out } = await runOnLab(lab, ["Taken", "free-name.DEV", "--json"]);
  assertEquals(code, 0);
  const rows = JSON.parse(out);
  const domains = rows.map(({ domain }: { domain: string }) => domain).toSorted();
  assertEquals(domains, ["free-name.dev", "taken.com", "taken.dev", "taken.online", "taken.xyz"]);
  assertEquals(Object.keys(rows[0]), [
    "domain",
    "tld",
    "state",
    "available",
    "status",
    "premium",
    "source",
    "checkedAt",
    "responseMs",
  ]);
});

Deno.test("check colours its output only when stdout is a terminal", async () => {
  await using lab = await startLab();
  const plain = await runOnLab(lab, ["taken.com", "free-name"]);
  assertEquals(plain.out.includes("\x1b"), false);
  const shown = await runOnLab(lab, ["taken.com", "free-name"], { colour: true });
  assertStringIncludes(shown.out, "\x1b[31m✗ Taken    \x1b[0m");
  assertStringIncludes(shown.out, "\x1b[1mfree-name\x1b[0m");
  const codes = ["0", "1", "31", "32"].map((code) => `\x1b[${code}m`);
  const stripped = codes.reduce((text, code) => text.replaceAll(code, ""), shown.out);
  assertEquals(stripped.split("\n").length, plain.out.split("\n").length);
  assertEquals(stripped.includes("\x1b"), false);
});

Deno.test("check keeps the rows of a name together when it has several", async () => {
  await using lab = await startLab();
  lab.script("late.xyz", { dns: "nxdomain", rdap: "free", delayMs: 50 });
  lab.script("later.dev", { dns: "nxdomain", rdap: "free", delayMs: 100 });
  const { out } = await runOnLab(lab, [
    "late",
    "taken.com",
    "later",
    "taken",
    "--tld",
    "com,dev,xyz",
  ]);
  const blocks = out.trimEnd().split("\n\n");
  const names = blocks.flatMap((block) => block.split("\n")).map((line) =>
    /^ {2}\S/.test(line) ? ">" : /[a-z.]+com|^\w+/.exec(line)?.[0]
  );
  assertEquals(blocks.length, 5, out);
  for (const name of ["late", "later", "taken"]) {
    const at = names.indexOf(name);
    assertEquals(names.slice(at, at + 4), [name, ">", ">", ">"], out);
  }
});

Deno.test("check --available shows only available names, and counts the others in the summary", async () => {
  await using lab = await startLab();
  const { code, out } = await runOnLab(lab, [
    "premium",
    "taken",
    "reserved.online",
    "html.dev",
    "--available",
  ]);
  assertEquals(code, 2);
  assertEquals(out.split("\n").filter((line) => /^ {2}/.test(line)).length, 4);
  assertMatch(out, /^ {2}\$ Premium {4}premium\.xyz/m);
  assertEquals(/taken|reserved\.online|html/.test(out.split("\n\n")[0] ?? ""), false);
  assertMatch(out, /^10 domains in .* taken, 1 reserved, 1 unknown$/m);
});

Deno.test("check counts what is likely available as unknown, and --available leaves it out", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  const checkDomain: typeof service.services.checkDomain = async (label, tld, ...rest) => ({
    ...await service.services.checkDomain(label, tld, ...rest),
    state: "unknown",
    available: false,
    status: ["unknown"],
    error: "WHOIS could not be asked",
    likely: "available",
  });
  const check = (...args: string[]) => runCli(args, { ...service.services, checkDomain });
  const all = await check("free-name.dev");
  assertMatch(all.out, /^≈ Probably available {2}free-name\.dev {2}WHOIS could not be asked$/m);
  assertMatch(all.out, /^1 domain in [\d.]+ s: 1 unknown$/m);
  assertEquals(all.code, 2);
  const available = await check("free-name.dev", "--available");
  assertMatch(available.out, /^1 domain in [\d.]+ s: 1 unknown\n$/);
  assertEquals(available.code, 2);
  const [row] = JSON.parse((await check("free-name.dev", "--json")).out);
  assertEquals([row.state, row.available, row.likely], ["unknown", false, "available"]);
});

Deno.test("check writes the rows of a fast registry while a slow one has answered a few", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  let fastDone = Promise.withResolvers<void>();
  let slow = 0;
  // A bound on names instead of on each registry's queue would never get to the 65th name under .com.
  const checkDomain: typeof service.services.checkDomain = async (label, tld) => {
    const row = await service.services.checkDomain("taken", tld);
    if (tld !== "com" && ++slow > 3) await fastDone.promise;
    return { ...row, domain: `${label}.${tld}` };
  };
  const list = Array.from({ length: 100 }, (_, n) => `name-${n}`).join("\n");
  for (const format of [["--ndjson"], []]) {
    fastDone = Promise.withResolvers<void>();
    slow = 0;
    let out = "";
    const args = ["-", "--tld", "com,io,ai", ...format];
    const { code } = await runCli(args, { ...service.services, checkDomain }, {
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
  }
});

Deno.test("check aligns the rows of a list, whose names are not grouped", async () => {
  await using lab = await startLab();
  const { out } = await runOnLab(lab, ["-", "--tld", "com,online"], {
    lists: { "-": new Blob(["taken\nreserved\n"]).stream() },
  });
  const rows = out.split("\n\n")[0]?.split("\n") ?? [];
  assertEquals(rows.length, 4);
  for (const row of rows) assertMatch(row, /^\S \w+ +(taken|reserved)\.(com|online) {2,}\S/);
  const widths = rows.map((row) => /^.*?\.(com|online) +/.exec(row)?.[0].length);
  assertEquals(new Set(widths).size, 1, out);
});

Deno.test("check shows each name of a list as one line with its TLDs on a terminal, without --explain and --details", async () => {
  await using lab = await startLab();
  const { out } = await runOnLab(lab, ["--tld", "com,dev", "-"], {
    isTerminal: true,
    lists: { "-": "taken\nfree-name\n" },
  });
  const lines = out.split("\n");
  assertEquals(lines.slice(0, 2).toSorted(), [
    "free-name  ✓ .com  ✓ .dev",
    "taken      ✗ .com  ✗ .dev",
  ]);
  assertMatch(lines.slice(2).join("\n"), /^\n4 domains in [^\n]*: 2 available, 2 taken\n$/);
  // What is shown below rows has no place in such a line.
  for (
    const [option, added] of [["--explain", /\n +dns /], ["--details", /\n +registrar: /]] as const
  ) {
    const surroundings = { isTerminal: true, lists: { "-": "taken\n" } };
    assertMatch((await runOnLab(lab, ["--tld", "com,dev", "-", option], surroundings)).out, added);
  }
});

Deno.test("check --sort shows the results in order, once all are there", async () => {
  await using lab = await startLab();
  const lists = { "-": "free-name\ntaken\n" };
  for (
    const [order, format, domains] of [
      ["tld", "--ndjson", "free-name.com taken.com free-name.dev taken.dev"],
      ["name", "--csv", "free-name.com free-name.dev taken.com taken.dev"],
      ["state", "--json", "free-name.com free-name.dev taken.com taken.dev"],
    ] as const
  ) {
    const args = ["--tld", "dev,com", "-", "--sort", order, format];
    const { out } = await runOnLab(lab, args, { lists });
    assertEquals(out.match(/[a-z-]+\.(?:com|dev)/g)?.join(" "), domains);
  }
});

Deno.test("check --details shows the record of each taken name, from its own look-ups and from a service", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "com,dev" } });
  const args = ["taken.dev", "free-name.dev", "--details"];
  for (
    const { code, out } of [
      await runCli(args, service.services),
      await runRemote([...args, "--url", service.url]),
    ]
  ) {
    assertEquals(code, 0);
    assertMatch(
      out,
      /taken\.dev .*\n {6}registrar: Lab Registrar Ltd \(IANA 9999\)\n {6}created 2011-03-04, expires 2031-03-04\n {6}status: client transfer prohibited, active\n {6}name servers: .*\n {6}DNSSEC: not signed\n {6}could drop between 2031-04-08 and 2031-05-24 /,
    );
    assertMatch(out, /free-name\.dev .*\n(?! {6})/);
  }
  const { out } = await runCli(["taken.dev", "--details", "--json"], service.services);
  const [{ details }] = JSON.parse(out);
  assertEquals([details.dnssec, details.domain], [false, undefined]);
});
