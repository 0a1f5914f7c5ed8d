import { assert, assertEquals, assertMatch } from "@std/assert";
import { shownName } from "../../src/cli/line.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { type CliOptions, type CliRun, runCli } from "../support/cli.ts";
import { startService } from "../support/service.ts";

async function run(lab: Lab, args: string[], options?: CliOptions): Promise<CliRun> {
  await using service = await startService(lab, { env: { TLDS: "com,dev" } });
  return await runCli(args, service.services, options);
}

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
  const { code, out } = await run(lab, ["Café", "bücher.com"]);
  assertEquals(code, 0);
  const lines = out.split("\n");
  assert(lines.includes("café (xn--caf-dma)"), out);
  assertMatch(out, /^ {2}✗ Taken {6}café\.com \(xn--caf-dma\.com\) {2}found in DNS/m);
  assertMatch(out, /^ {2}✓ Available {2}café\.dev \(xn--caf-dma\.dev\) {2}not in the registry/m);
  assertMatch(out, /^✓ Available {2}bücher\.com \(xn--bcher-kva\.com\) {2}not in the registry/m);
});

Deno.test("check reads names in Unicode from lists, and a list's lines are aligned by both forms", async () => {
  await using lab = await startLab();
  const { code, out } = await run(lab, ["--file", "a.txt"], {
    lists: { "a.txt": "bücher.com\ntaken.com\n" },
  });
  assertEquals(code, 0);
  assertMatch(out, /bücher\.com \(xn--bcher-kva\.com\) {2}not in the registry/);
  const width = "bücher.com (xn--bcher-kva.com)".length;
  assertMatch(out, new RegExp(`Taken {6}${"taken.com".padEnd(width)} {2}found in DNS`));
});

Deno.test("check --json has the domain in Unicode for an internationalised name only", async () => {
  await using lab = await startLab();
  const { out } = await run(lab, ["bücher.com", "taken.com", "--json"]);
  const rows: { domain: string; unicode?: string }[] = JSON.parse(out);
  assertEquals(
    rows.map(({ domain, unicode }) => [domain, unicode]).toSorted(),
    [["taken.com", undefined], ["xn--bcher-kva.com", "bücher.com"]],
  );
});
