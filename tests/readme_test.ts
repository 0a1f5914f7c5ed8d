/** README and the documents in `.github` are true: their commands, answers, tables, links and file names. */
import { existsSync } from "node:fs";
import { assert, assertEquals } from "@std/assert";
import manifest from "../deno.json" with { type: "json" };
import { JOBS } from "../cron/jobs.ts";
import { operations } from "../src/api/operations.ts";
import { readConfig } from "../src/config.ts";
import { BUILT_IN_TLDS } from "../src/rules/tables/tlds.ts";
import { tools } from "../src/mcp/tools.ts";
import { startChain } from "./lab/chain/chain.ts";
import { startLab } from "./lab/lab.ts";
import { runCli } from "./support/cli.ts";
import { fetchText } from "./support/fetch_text.ts";
import { createFolder } from "./support/folder.ts";
import { masked } from "./support/masked.ts";
import { testsOnLab } from "./support/on_lab.ts";
import { outcome } from "./support/outcome.ts";
import { startService } from "./support/service.ts";
import { filesIn, root } from "./support/source_files.ts";

const test = testsOnLab();

/** Their paths and texts. */
const documents = [new URL("README.md", root), ...filesIn(".github/", /\.md$/)].map((file) => (
  { path: file.href.slice(root.href.length), text: Deno.readTextFileSync(file) }
));
const text = documents.map(({ text }) => text).join("\n");

/** The items of the list below a line of a document that ends like this, without the line breaks in them. */
function listBelow(line: string): string[] {
  const words = line.split(" ").map(RegExp.escape).join("\\s");
  const [, below = ""] = text.split(new RegExp(`${words}\n\n`));
  const [list = ""] = /^(?:(?:- | {2}).+\n)+/.exec(below) ?? [];
  assert(list !== "", line);
  return list.slice(2).split("\n- ").map((item) => item.trim().replaceAll("\n  ", " "));
}

/** The codes of a cell: what stands between backticks. */
function codesIn(cell = ""): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}

const COMMAND = /```sh\n(curl (?:[^`]|\\\n)+?)\n```\n\n```(\w*)\n([^`]+)```/g;

/** The curl commands and what is printed below them. */
const commands = documents.flatMap(({ path, text }) =>
  [...text.matchAll(COMMAND)].map(([, command = "", language = "", answer = ""]) => (
    { path, command, language, answer }
  ))
);

Deno.test("the documents print an answer below each of their curl commands", () => {
  assert(commands.some(({ path }) => path === "README.md"));
  assertEquals(commands.length, text.match(/^ *curl /gm)?.length);
});

/** A line of a stream as it is printed; times may be any, and so may what `…` stands for. */
function patternOf(line: string): RegExp {
  const untimed = line.replace(/(?<="totalMs":)\d+|(?<="timestamp":")[^"]+/g, "…");
  return new RegExp(`^${untimed.split("…").map(RegExp.escape).join(".*")}$`);
}

/** Runs a curl command by the shell, as a reader does, and returns what it prints. */
async function run(command: string): Promise<string> {
  const quiet = command.replace("curl ", "curl --silent --show-error --fail --noproxy '*' ");
  const { code, out, err } = await outcome(new Deno.Command("sh", { args: ["-c", quiet] }));
  assertEquals(code, 0, err);
  return out;
}

for (const { path, command, language, answer } of commands) {
  Deno.test(`${path}: ${command} returns the printed answer`, async () => {
    await using lab = await startLab();
    await using chain = command.includes("/ens/") ? await startChain() : undefined;
    await using service = await startService(lab, { env: chain?.env ?? {} });
    const body = await run(command.replaceAll("http://localhost:8000", service.url));
    if (language === "json") {
      return assertEquals(masked(JSON.parse(body)), masked(JSON.parse(answer)));
    }
    // Rows come as they settle: each printed one must be there, in any order.
    const lines = body.split("\n");
    for (const printed of answer.trimEnd().split("\n").filter((line) => line !== "…")) {
      const pattern = patternOf(printed);
      assert(lines.some((line) => pattern.test(line)), `${pattern} is not in ${body}`);
    }
  });
}

test("the typed client's example type-checks and prints the value beside it", async ({ url }) => {
  const [, snippet = "", printed = ""] = /```ts\n([^`]+?\/\/ (.+)\n)```/.exec(text) ?? [];
  const client = new URL("src/client.ts", root).href;
  await using folder = await createFolder();
  const file = `${folder.path}/example.ts`;
  const example = snippet.replace("./src/client.ts", client)
    .replace("http://localhost:8000", url);
  await Deno.writeTextFile(file, example);
  const args = ["run", "--check", "--allow-net", "--config", "deno.json", file];
  const options = { args, cwd: root, env: { NO_COLOR: "1" } };
  const { out, err } = await outcome(new Deno.Command(Deno.execPath(), options));
  assertEquals(out, `${printed}\n`, err);
});

Deno.test("README can be read in two minutes: 6.5 KB at most", () => {
  const [readme = 0] = documents.map(({ text }) => new TextEncoder().encode(text).length);
  assert(readme <= 6_500, `${readme}`);
});

Deno.test("the documents name tasks, options and one version of Deno that exist", async () => {
  const named = text.match(/(?<=\btask )[a-z:]+(?= |`|$)/gm) ?? [];
  assert(named.length > 15);
  assertEquals(named.filter((task) => !Object.hasOwn(manifest.tasks, task)), []);
  const ofPackage = await Deno.readTextFile(new URL("src/cli/package/README.md", root));
  const ofCommand = documents.find(({ path }) => path.endsWith("/cli.md"))?.text ?? "";
  const options = [
    ...`${text}\n${ofPackage}`.match(/(?<=\bcheck [^\n#`]*(?<= ))--[\w-]+/g) ?? [],
    ...ofCommand.match(/(?<=`)--[a-z][\w-]*/g) ?? [],
  ];
  assert(options.length > 20);
  const { out: usage } = await runCli(["--help"], () => Promise.reject(new Error("Opened")));
  assertEquals(options.filter((option) => !usage.includes(option)), []);
  assertEquals(new Set(text.match(/(?<=\bdeno@)\d+\.\d+\.\d+/g)).size, 1);
});

/** A heading as GitHub makes an anchor of it. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
}

for (const { path, text } of documents) {
  Deno.test(`${path}: links and named files exist`, () => {
    const missing: string[] = [];
    const links = text.match(/(?<=\]\(|src="|srcset=")[^)"\s]+/g) ?? [];
    for (const target of links.filter((link) => !/^https?:/.test(link))) {
      const url = new URL(target, new URL(path, root));
      const anchor = url.hash.slice(1);
      url.hash = "";
      if (!existsSync(url)) missing.push(target);
      else if (anchor !== "") {
        const headings = Deno.readTextFileSync(url).match(/(?<=^#+ ).+/gm) ?? [];
        if (!headings.map(anchorOf).includes(anchor)) missing.push(target);
      }
    }
    const files = text.matchAll(/(?<![\w/.])(?:src|cron|static|tests|\.github|\.ci)\/[\w./-]*/g);
    for (const [named] of files) {
      const file = named.replace(/\.$/, "");
      if (!existsSync(new URL(file, root))) missing.push(file);
    }
    assertEquals(missing, []);
  });
}

Deno.test("the list of configuration variables is what src/config.ts reads", () => {
  const source = Deno.readTextFileSync(new URL("src/config.ts", root));
  const read: string[] = source.match(/(?<=^ {2})[A-Z][A-Z_0-9]+(?=: )/gm) ?? [];
  // Each default stands behind its variables: `ONE`, `TWO` (unset), `THREE` (`3`): what they mean.
  const listed = listBelow("The default stands in parentheses.").flatMap((item) =>
    [...item.slice(0, item.indexOf("):") + 1).matchAll(/(?<names>[^()]+) \((?<value>[^)]*)\)/g)]
      .flatMap(({ groups: { names, value } = {} }) =>
        codesIn(names).map((name) => ({ name, value }))
      )
  );
  assertEquals(listed.map(({ name }) => name).toSorted(), read.toSorted());
  const defaults: Readonly<Record<string, unknown>> = readConfig({});
  for (const { name, value } of listed) {
    const [printed] = codesIn(value);
    if (value === "unset") assert(!defaults[name], name);
    else if (printed !== undefined) assertEquals(`${defaults[name]}`, printed, name);
  }
});

Deno.test("the documents have the number of built-in TLDs, every MCP tool, and every job with its schedule", () => {
  const numbers = text.match(/\b\d+(?= TLDs and `\.eth`)|(?<="name":"mixed","count":)\d+/g);
  assertEquals(numbers, Array(2).fill(`${BUILT_IN_TLDS.length}`));
  const named = listBelow("The tools are read-only and return text and structured content:");
  assertEquals(named.map((item) => codesIn(item)[0]), tools.map(({ name }) => name));
  const listed = listBelow("Times are UTC.").map((item) => codesIn(item).slice(0, 2));
  assertEquals(listed.toSorted(), JOBS.map(({ name, schedule }) => [name, schedule]).toSorted());
});

Deno.test("the list of endpoints has every operation and its parameters", () => {
  const listed = listBelow("ignored. All answer JSON but the feeds and `/metrics`.")
    .map((item) => new URL(codesIn(item)[0] ?? "", "http://localhost"));
  const expected = operations.filter(({ body }) => !body)
    .map(({ path, query }) => [path, ...Object.keys(query().shape)]);
  const shown = listed.map(({ pathname, searchParams }) => [pathname, ...searchParams.keys()]);
  assertEquals(shown, expected);
});

test("the list of documents has paths that the service answers", async ({ url }) => {
  const paths = listBelow("What the service prints of itself:").flatMap((item) =>
    codesIn(item.split(": ")[0])
  );
  assert(paths.length > 5);
  for (const path of paths) {
    assertEquals((await fetchText(`${url}${path}`)).status, 200, path);
  }
});
