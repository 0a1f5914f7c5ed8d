import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { parseTarGzip } from "nanotar";
import { DatabaseSync } from "node:sqlite";
import manifest from "../../deno.json" with { type: "json" };
import { packageTarball } from "../../src/cli/package/package.ts";
import { hostPolicy } from "../../src/rules/tables/hosts.ts";
import { createFolder } from "../support/folder.ts";
import { builtPackage, testsOfPackage } from "../support/installed_package.ts";
import { outcome } from "../support/outcome.ts";
import { overPace } from "../support/over_pace.ts";
import { root } from "../support/source_files.ts";
import { until } from "../support/until.ts";

const test = testsOfPackage();

async function filesOf(repository?: string): Promise<Map<string, string>> {
  const tarball = repository === undefined ? await builtPackage() : packageTarball(repository);
  const files = await parseTarGzip(await tarball);
  return new Map(files.map(({ name, text }) => [name, text]));
}

Deno.test("packageTarball() holds the files of the package only, without paths of the machine, in 600 KB that are always the same", async () => {
  const files = await filesOf();
  const names = "package.json README.md LICENSE launcher.js command.js client.js client.d.ts";
  assertEquals([...files.keys()], names.split(" ").map((name) => `package/${name}`));
  const foreign = ["tests/", root.pathname, `${Deno.env.get("HOME") ?? "/root"}/`, "/tmp/"];
  for (const [name, text] of files) {
    assertEquals(foreign.filter((part) => text.includes(part)), [], name);
  }
  assertEquals(files.get("package/LICENSE"), await Deno.readTextFile(new URL("LICENSE", root)));
  const one = await builtPackage();
  assert(one.length <= 600_000, `${one.length} bytes`);
  assertEquals(await packageTarball(), one);
});

Deno.test("packageTarball() takes name and version from deno.json, and the repository from its argument", async () => {
  const read = async (repository?: string) =>
    JSON.parse((await filesOf(repository)).get("package/package.json") ?? "");
  const { name, version } = manifest;
  const here = await read();
  assertEquals([here.name, here.version, here.bin], [name, version, { [name]: "launcher.js" }]);
  assertEquals(here.repository, undefined);
  const published = await read("someone/domains");
  assertEquals(published.repository.url, "git+https://github.com/someone/domains.git");
});

test("checks names with or without `check`, and keeps answers in the user's cache folder", async ({ installed, lab }) => {
  // Configuration of the project that the user is in must not reach the command.
  await Deno.writeTextFile(`${installed.folder}/deno.json`, `{ "imports": 1 }`);
  const first = await installed.run(lab, ["check", "free-name.com", "--json"]);
  assertEquals([first.code, first.err], [0, ""]);
  assertEquals(JSON.parse(first.out)[0].source, "rdap");
  assert((await Deno.stat(`${installed.folder}/cache/domain-availability/kv.sqlite`)).isFile);
  const second = await installed.run(lab, ["free-name.com", "--json"]);
  assertEquals(JSON.parse(second.out)[0].source, "rdap+cache");
  const surplus = await installed.run(lab, ["mcp", "serve"]);
  assertEquals([surplus.code, surplus.err], [1, "Cannot start: mcp takes no arguments\n"]);
  const third = await installed.run(lab, ["check", "check", "--tld", "com", "--ndjson"]);
  assertEquals(JSON.parse(third.out).domain, "check.com");
  // The tables of all TLDs, which are loaded when the first name needs them, are in the bundle.
  const { err } = await installed.run(lab, ["free-name.nowhere"]);
  assertMatch(err, /^free-name\.nowhere: TLD nowhere is not supported: \.nowhere is no known TLD/);
});

test("reads files of the user's folder, and writes KV where KV_PATH says", async ({ installed, lab }) => {
  await Deno.writeTextFile(`${installed.folder}/names.txt`, "taken.com\n");
  // A path with a comma: Deno's permissions cannot name it.
  for (const KV_PATH of ["kv.sqlite", `${installed.folder}/a,b.sqlite`, ":memory:"]) {
    const args = ["--file", "names.txt", "--ndjson"];
    const { code, out, err } = await installed.run(lab, args, { KV_PATH });
    assertEquals([code, err, JSON.parse(out).domain], [0, "", "taken.com"]);
  }
  const names = (await Array.fromAsync(Deno.readDir(installed.folder))).map(({ name }) => name);
  // Where DENO_DIR is unset, Deno keeps its own files in the user's cache folder; ours are elsewhere here.
  const ours = names.filter((name) => name !== "cache").toSorted();
  assertEquals(ours, ["a,b.sqlite", "kv.sqlite", "names.txt", "node_modules"]);
  const cache = `${installed.folder}/cache/domain-availability`;
  await assertRejects(() => Deno.stat(cache), Deno.errors.NotFound);
});

test("reports wrong usage under its own name, and a cache that cannot be written", async ({ installed, lab }) => {
  const wrong = await installed.run(lab, ["--nope"]);
  assertEquals(wrong.code, 1);
  assertMatch(wrong.err, /--nope.*\nRun domain-availability --help for usage\n$/);
  const { out } = await installed.run(lab, ["--help"]);
  assertEquals(out.includes("deno task"), false);
  const lost = await installed.run(lab, ["taken.com"], { XDG_CACHE_HOME: "/dev/null/cache" });
  assertEquals(lost.code, 1);
  assertMatch(lost.err, /^Cannot start: .+; set KV_PATH to a file that can be written\n$/);
});

test("prints a summary and exits 130 when its process alone gets SIGINT", async ({ installed, lab }) => {
  lab.script("stuck.com", { dns: "silent", rdap: "free" });
  const child = installed.start(lab, ["stuck.com"]);
  await until("the lab is asked", () => lab.dnsQueries.length > 0);
  child.kill("SIGINT");
  const { code, out } = await outcome(child);
  assertEquals(code, 130);
  assertMatch(out, /^Interrupted: 0 domains/m);
});

test("keeps a registry's pace in twenty runs in a row, and in five at once after them", async ({ installed, lab }) => {
  for (let run = 1; run <= 20; run++) await installed.run(lab, [`in-a-row-${run}.io`]);
  await Promise.all([1, 2, 3, 4, 5].map((run) => installed.run(lab, [`at-once-${run}.io`])));
  const host = "rdap.identitydigital.services";
  const starts = lab.requests.filter((request) => request.host === host).map(({ at }) => at);
  assert(starts.length >= 25, `${starts.length} requests`);
  // One more than the pace, where a slot was used late, and the way to the lab.
  const over = overPace(starts, hostPolicy(host));
  assert(over < 2, `${over} over the pace`);
  // Tested once: the result outlives the run.
  const tests = lab.requests.filter(({ path, host: asked }) =>
    asked === host && !/in-a-row|at-once/.test(path)
  );
  assert(tests.length <= 5, `${tests.length} requests to test the registry`);
});

test("asks no registry while another program locks KV's file, says why, and exits 130 on Ctrl-C", async ({ installed, lab }) => {
  const KV_PATH = `${installed.folder}/kv.sqlite`;
  const other = new DatabaseSync(KV_PATH);
  other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  const started = [["free-name.com", "--ndjson"], ["taken.com", "--json"], ["mcp"]]
    .map((args) => installed.start(lab, args, { KV_PATH }));
  const [child, checking, serving] = started;
  // Deno waits 5 s before it reports a lock.
  const messages = started.map(({ stderr }) =>
    stderr.pipeThrough(new TextDecoderStream()).getReader()
  );
  for (const message of messages) {
    const said = "Waiting for another program that has locked KV's file\n";
    assertEquals((await message.read()).value, said);
  }
  assertEquals([lab.dnsQueries.length, lab.requests.length], [0, 0]);
  for (const [one, document] of [[checking!, "[\n\n]\n"], [serving!, ""]] as const) {
    one.kill("SIGINT");
    assertEquals(await new Response(one.stdout).text(), document);
    assertEquals((await one.status).code, 130);
  }
  other.close();
  const out = await new Response(child!.stdout).text();
  assertEquals([JSON.parse(out).state, (await child!.status).code], ["available", 0]);
  for (const message of messages) await message.cancel();
});

Deno.test("the package's types need no package, and accept what the service accepts and answers", async () => {
  const types = (await filesOf()).get("package/client.d.ts") ?? "";
  assertEquals(types.match(/import/g), null);
  await using folder = await createFolder();
  await Deno.writeTextFile(`${folder.path}/client.d.ts`, types);
  const ours = new URL("src/client.ts", root).href;
  const comparison =
    `import type { Api as Ours, ApiFailure as OurFailure, Client as OurClient, createClient } from "${ours}";
import type { Api as Theirs, ApiFailure, Client, createClient as create } from "./client.d.ts";

type Path = keyof Ours;
export const path = (path: Path): keyof Theirs => path;
export const back = (path: keyof Theirs): Path => path;
export const sent = (queries: { [P in Path]: Theirs[P]["query"] }): { [P in Path]: Ours[P]["query"] } =>
  queries;
export const answered = (
  answers: { [P in Path]: Ours[P]["answer"] },
): { [P in Path]: Theirs[P]["answer"] } => answers;
export const parameters = (ours: Parameters<typeof createClient>): Parameters<typeof create> => ours;
export const failure = (ours: OurFailure): ApiFailure => ours;
export const client = ({ checkNames, stream }: OurClient): Pick<Client, "checkNames" | "stream"> => (
  { checkNames, stream }
);
declare const get: Client;
// @ts-expect-error -- there is no such path
export const nope = () => get("/nope", {});
// @ts-expect-error -- there is no such type
export const generic = () => get("/tlds", { type: "generic" });
`;
  const compared = `${folder.path}/compared.ts`;
  await Deno.writeTextFile(compared, comparison);
  const args = ["check", "--config", "deno.json", compared];
  const env = { NO_COLOR: "1" };
  const { code, err } = await outcome(new Deno.Command(Deno.execPath(), { args, cwd: root, env }));
  assertEquals(code, 0, err);
});
