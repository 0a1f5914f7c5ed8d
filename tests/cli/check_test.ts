import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { runCheck } from "../../src/cli/check.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { labEnv, proxyEnv } from "../lab/lab_env.ts";
import { startProcess } from "../support/process.ts";
import { startService } from "../support/service.ts";

interface Run {
  code: number;
  out: string;
  err: string;
}

/** Runs the command in this process, on the lab. */
async function run(lab: Lab, args: string[], look: Partial<Terminal> = {}): Promise<Run> {
  await using service = await startService(lab, { env: { TLDS: "com,dev,online,xyz" } });
  let out = "";
  let err = "";
  const terminal: Terminal = {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    colour: false,
    watched: false,
    ...look,
  };
  const code = await runCheck(args, terminal, () => Promise.resolve(service.services));
  return { code, out, err };
}

Deno.test("check prints a line with icon and word for each TLD, and a summary", async () => {
  await using lab = await startLab();
  const { code, out, err } = await run(lab, ["premium"]);
  assertEquals([code, err], [0, ""]);
  const lines = out.trimEnd().split("\n");
  assertEquals(lines.length, 6);
  assertMatch(
    lines.find((line) => line.includes("premium.xyz")) ?? "",
    /^\$ premium {3}premium\.xyz +the registry has no such name · \d+ ms$/,
  );
  assertMatch(lines.at(-1) ?? "", /^4 domains in \d+\.\d s: \d.* premium$/);
});

Deno.test("check tells each verdict by its own icon and word", async () => {
  await using lab = await startLab();
  const { code, out } = await run(lab, [
    "taken.com",
    "free-name.dev",
    "reserved.online",
    "undelegated.com",
    "html.dev",
  ]);
  assertEquals(code, 2);
  for (
    const line of [
      /^✗ taken {5}taken\.com +DNS has name servers · \d+ ms$/m,
      /^✓ free {6}free-name\.dev +the registry has no such name · \d+ ms$/m,
      /^⊘ reserved {2}reserved\.online +the registry keeps it back · \d+ ms$/m,
      /^✗ taken {5}undelegated\.com +registered, though not in DNS · \d+ ms$/m,
      /^\? unknown {3}html\.dev +The 404 did not come from an RDAP service$/m,
    ]
  ) assertMatch(out, line);
});

Deno.test("check writes results as they arrive", async () => {
  await using lab = await startLab();
  lab.script("slow.com", { dns: "nxdomain", rdap: "free", delayMs: 100 });
  const { out } = await run(lab, ["slow.com", "taken.com"]);
  assert(out.indexOf("taken.com") < out.indexOf("slow.com"));
});

Deno.test("check --json writes one JSON array with the fields of the API", async () => {
  await using lab = await startLab();
  const { code, out } = await run(lab, ["Taken", "free-name.DEV", "--json"]);
  assertEquals(code, 0);
  const rows = JSON.parse(out);
  const domains = rows.map(({ domain }: { domain: string }) => domain).toSorted();
  assertEquals(domains, ["free-name.dev", "taken.com", "taken.dev", "taken.online", "taken.xyz"]);
  assertEquals(Object.keys(rows[0]), [
    "domain",
    "tld",
    "available",
    "status",
    "premium",
    "source",
    "checkedAt",
    "responseMs",
  ]);
});

Deno.test("check colours for a terminal, and shows progress to whoever watches", async () => {
  await using lab = await startLab();
  const plain = await run(lab, ["taken.com"]);
  assertEquals(plain.out.includes("\x1b"), false);
  const shown = await run(lab, ["taken.com"], { colour: true, watched: true });
  assertStringIncludes(shown.out, "\x1b[31m✗ taken   \x1b[0m");
  assertStringIncludes(shown.err, "0/1 checked");
  assert(shown.err.endsWith("\r\x1b[2K"));
});

Deno.test("check says from the cache where it is so", async () => {
  await using lab = await startLab();
  assertMatch((await run(lab, ["taken.com", "taken.com"])).out, /^2 domains/m);
  await using service = await startService(lab);
  await service.check("taken.com");
  let out = "";
  const terminal = {
    out: (text: string) => void (out += text),
    err() {},
    colour: false,
    watched: false,
  };
  await runCheck(["taken.com"], terminal, () => Promise.resolve(service.services));
  assertMatch(out, /from the cache$/m);
});

// deno-fmt-ignore -- a table
const WRONG_USES: [string[], RegExp][] = [
  [[], /^Give at least one name\n\nUsage:/],
  [["-x"], /Unknown option '-x'/],
  [["foo", "--tld"], /tld/],
  [["-foo"], /Unknown option/],
  [["foo_bar"], /^foo_bar: Use 1 to 63 letters/],
  [["a.b.com"], /^a\.b\.com: Send one label and a TLD/],
  [["foo.com", "--tld", "net"], /^foo\.com: It has a TLD already/],
  [["foo", "--tld", "nowhere"], /^TLD nowhere is not supported; use one of com, dev, online, xyz\n$/],
];

Deno.test("check tells a wrong use from a right one, exit 1, and asks nobody", async () => {
  await using lab = await startLab();
  for (const [args, said] of WRONG_USES) {
    const { code, out, err } = await run(lab, args);
    assertEquals([code, out], [1, ""], args.join(" "));
    assertMatch(err, said);
  }
  assertEquals(lab.dnsQueries, []);
});

Deno.test("check --help prints how it is used", async () => {
  await using lab = await startLab();
  const { code, out } = await run(lab, ["--help"]);
  assertEquals(code, 0);
  assertMatch(out, /^Usage: deno task check/);
});

Deno.test("check ends quietly where nobody reads on", async () => {
  await using lab = await startLab();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "check", "taken", "--tld", "com"],
    cwd: new URL("../../", import.meta.url),
    env: { ...labEnv(lab), ...proxyEnv(lab) },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await child.stdout.cancel();
  const said = await new Response(child.stderr).text();
  assertEquals([(await child.status).code, said], [0, ""]);
});

Deno.test("deno task check works while a server runs on the same KV", async () => {
  await using lab = await startLab();
  const folder = await Deno.makeTempDir();
  const env = { KV_PATH: `${folder}/kv.sqlite` };
  await using service = await startProcess(lab, env);
  await (await fetch(`${service.url}/check?name=free-name&tld=com`)).body?.cancel();
  await (await fetch(`${service.url}/check?name=free-name&tld=com`)).body?.cancel();
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "check", "free-name", "another-name", "--tld", "com", "--json"],
    cwd: new URL("../../", import.meta.url),
    env: { ...labEnv(lab), ...proxyEnv(lab), ...env },
  }).output();
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
  const sources = JSON.parse(new TextDecoder().decode(stdout))
    .map(({ domain, source }: Record<string, string>) => `${domain} ${source}`);
  assertEquals(sources.toSorted(), ["another-name.com rdap", "free-name.com rdap+cache"]);
});
