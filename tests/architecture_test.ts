import { assert, assertEquals } from "@std/assert";
import { filesIn, ourFiles, root } from "./support/source_files.ts";

/** Modules and packages, as words. */
interface Rule {
  may: string;
  types?: string;
  dynamic?: string;
}

/**
 * Which module may import which: modules are the folders of src and the files at its top. `may` are other modules and
 * packages, `types` those of which only types are allowed, `dynamic` those that are loaded by `import()` when needed.
 */
const ALLOWED: Readonly<Record<string, Rule>> = {
  rules: { may: "" },
  flow: { may: "", types: "rules" },
  sources: { may: "rules flow" },
  store: { may: "rules flow" },
  rate_limit: { may: "rules flow store" },
  chain: { may: "rules flow viem @ensdomains/content-hash dataloader", types: "sources" },
  lookup: { may: "rules flow node:url", dynamic: "tldts-icann" },
  api: {
    may: "rules flow static zod/mini hono",
    types: "lookup rate_limit wiring",
    // For feeds.
    dynamic: "feedsmith ical-generator",
  },
  // It wraps KV, hosts and jobs by their types and decides nothing about them.
  metrics: { may: "", types: "flow rules rate_limit sources store lookup" },
  mcp: {
    may: "api flow rules static zod/mini @modelcontextprotocol/server node:stream",
    types: "hono wiring",
  },
  documents: { may: "api mcp flow static zod/mini yaml node:crypto", types: "wiring" },
  page: { may: "api rules static hono", types: "flow wiring" },
  // A browser loads it without a build step: its only imports from elsewhere are types in JSDoc.
  static: { may: "", types: "rules" },
  cli: {
    may: "store rules flow static wiring cron api mcp documents deno.json nanotar " +
      "node:child_process node:fs node:module node:os node:path node:process node:url node:util",
    types: "lookup",
    // In the package that npm installs.
    dynamic: "deno/install_api.cjs",
  },
  // Its users import types and one function that calls fetch.
  client: { may: "", types: "api zod/mini" },
  log: { may: "", types: "flow" },
  config: { may: "rules log zod/mini" },
  wiring: {
    may: "chain config cron flow log lookup metrics rate_limit rules sources store deno.json",
    // OpenTelemetry's API is loaded only where OpenTelemetry is on.
    dynamic: "tracing",
  },
  tracing: { may: "@opentelemetry/api" },
  app: { may: "api flow hono", types: "documents log wiring", dynamic: "documents mcp page" },
  cron: { may: "rules flow", types: "log lookup store" },
  main: { may: "app wiring flow cron" },
};

/** An import of a module, as `deno info` has it: of code, of types, those in JSDoc included, or of both. */
interface Dependency {
  specifier: string;
  code?: unknown;
  type?: unknown;
  isDynamic?: boolean;
}

/** What each file of ours imports, by its URL. */
async function readImports(): Promise<ReadonlyMap<string, readonly Dependency[]>> {
  const files = [new URL("main.ts", root), ...ourFiles()].map(({ href }) => href);
  const all = await Deno.makeTempFile({ suffix: ".js" });
  await Deno.writeTextFile(all, files.map((file) => `import "${file}";`).join("\n"));
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--config", "deno.json", all],
    cwd: root,
    stderr: "null",
  }).output();
  await Deno.remove(all);
  const modules: { specifier: string; dependencies?: Dependency[] }[] =
    JSON.parse(new TextDecoder().decode(stdout)).modules;
  const found = new Map(
    modules.map(({ specifier, dependencies = [] }) => [specifier, dependencies]),
  );
  return new Map(files.map((file) => [file, found.get(file) ?? []]));
}

const IMPORTS = await readImports();

/** The module of a file: the folder in src, or the file's name at its top. */
function moduleOf(file: string): string {
  const [first = "", second = ""] = file.slice(root.href.length).split("/");
  return (first === "src" ? second : first).replace(/\.ts$/, "");
}

/** The file or the package that a file imports. */
function targetOf(file: string, specifier: string): string {
  return specifier.startsWith(".") ? new URL(specifier, file).href : specifier;
}

/** The imports of other modules and of packages. */
const BETWEEN_MODULES = [...IMPORTS].flatMap(([file, dependencies]) =>
  dependencies.flatMap(({ specifier, code, type, isDynamic }) => {
    const target = targetOf(file, specifier);
    const to = target === specifier
      ? target.replace(/^(hono|@modelcontextprotocol\/server)\/.*/, "$1")
      : moduleOf(target);
    const kinds = [...(code ? [isDynamic ? "dynamic" : "may"] : []), ...(type ? ["types"] : [])];
    return kinds.map((kind) => ({ from: moduleOf(file), to, kind: kind as keyof Rule }));
  })
).filter(({ from, to }) => from !== to);

Deno.test("every import in src, cron, static and main.ts is in the table", () => {
  const forbidden = BETWEEN_MODULES.filter(({ from, to, kind }) => {
    const rule = ALLOWED[from];
    return !`${rule?.may} ${rule?.[kind]}`.split(" ").includes(to);
  });
  assertEquals(forbidden, []);
  // If no imports were found, none could be forbidden.
  const importing = new Set(BETWEEN_MODULES.map(({ from }) => from));
  const independent = Object.keys(ALLOWED).filter((module) => !importing.has(module));
  assertEquals(independent, ["rules"]);
  const dynamic = BETWEEN_MODULES.filter(({ kind }) => kind === "dynamic").map(({ to }) => to);
  const expected =
    "deno/install_api.cjs documents feedsmith ical-generator mcp page rules tldts-icann tracing wiring";
  assertEquals([...new Set(dynamic)].toSorted().join(" "), expected);
  assert(BETWEEN_MODULES.some(({ from, kind }) => from === "static" && kind === "types"), "JSDoc");
});

/** The files in circles of imports, and those that import such a file. */
function inCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const left = new Map(imports);
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const [file, imported] of left) {
      if (!imported.some((other) => left.has(other))) left.delete(file);
    }
  }
  return [...left.keys()];
}

Deno.test("no files of src, cron and static import each other in a circle, not even types", () => {
  const imports = [...IMPORTS].map(([file, dependencies]) =>
    [file, dependencies.map(({ specifier }) => targetOf(file, specifier))] as const
  );
  assertEquals(inCircles(new Map(imports)), []);
  const circle = { a: ["b"], b: ["c"], c: ["a"], d: ["a"], e: [] };
  assertEquals(inCircles(new Map(Object.entries(circle))), ["a", "b", "c", "d"]);
  assert(imports.flatMap(([, imported]) => imported).length > imports.length);
});

/** What the code of files must not have, comments apart, and an example of it. */
const FORBIDDEN: readonly [what: string, files: RegExp, code: RegExp, example: string][] = [
  [
    "rules and flow read no clock, no random source, no network and nothing of Deno",
    /^src\/(?:rules|flow)\//,
    /\bDeno\.|\bfetch\(|\bDate\.now\b|\bnew Date\(\)|\bperformance\.|\bMath\.random\b|\bcrypto\./,
    "const at = Date.now();",
  ],
  ["only log.ts writes to the console", /^(?!src\/log\.ts)/, /\bconsole\./, "console.log(1);"],
  // The table of imports cannot have it.
  ["no file imports what an expression says", /^/, /\bimport\((?!\s*["'])/, "import(`./${name}`)"],
];

for (const [what, files, code, example] of FORBIDDEN) {
  Deno.test(what, () => {
    const offenders = ourFiles().filter((file) => {
      const text = Deno.readTextFileSync(file).replace(/\/\*[^]*?\*\/|\/\/.*/g, "");
      return files.test(file.href.slice(root.href.length)) && code.test(text);
    });
    assertEquals(offenders, []);
    assert(code.test(example));
  });
}

Deno.test("the top level holds what was agreed and nothing else", () => {
  const agreed = "LICENSE README.md cron deno.json deno.lock main.ts src static tests".split(" ");
  const found = [...Deno.readDirSync(root)].map(({ name }) => name);
  const others = found.filter((name) => !/^\.|^(?:coverage|node_modules)$/.test(name));
  assertEquals(others.filter((name) => !agreed.includes(name)), []);
});

/**
 * The most code lines (not blank, not only a comment) and bytes of documents. A finding changes a rule or a row: raise a
 * budget only in a commit of its own, with the reason.
 */
const BUDGETS = { src: 17_902, static: 2_296, tests: 23_000, documents: 49_916 };

function codeLinesOf(folder: string, name: RegExp): number {
  const lines = filesIn(folder, name).flatMap((file) => Deno.readTextFileSync(file).split("\n"));
  return lines.filter((line) => /\S/.test(line) && !/^\s*(?:\/\/|\/\*|\*)/.test(line)).length;
}

Deno.test("source, page, tests and documents stay within their budgets", () => {
  const main = Deno.readTextFileSync(new URL("main.ts", root)).split("\n").length;
  const documents = [new URL("README.md", root), ...filesIn(".github/", /\.md$/)];
  const found = {
    src: main + codeLinesOf("src/", /\.ts$/) + codeLinesOf("cron/", /\.ts$/),
    static: codeLinesOf("static/", /\.js$/),
    tests: codeLinesOf("tests/", /\.ts$/),
    documents: documents.reduce((sum, file) => sum + Deno.statSync(file).size, 0),
  };
  const over = Object.entries(BUDGETS).filter(([part, most]) =>
    found[part as keyof typeof found] > most
  );
  assertEquals(over, [], JSON.stringify(found));
});

Deno.test("a start reads no package but Hono and zod/mini, and none of what is printed on demand", () => {
  const read = new Set([new URL("main.ts", root).href]);
  for (const file of read) {
    for (const { specifier, code, isDynamic } of IMPORTS.get(file) ?? []) {
      if (code !== undefined && !isDynamic) read.add(targetOf(file, specifier));
    }
  }
  const packages = [...read].filter((name) => !/^(?:file|node):/.test(name));
  const ofHono = ["compress", "etag", "route", "utils/accept", "utils/url"];
  const expected = ["hono", ...ofHono.map((part) => `hono/${part}`), "zod/mini"];
  assertEquals(packages.toSorted(), expected);
  const printed = /\/(?:openapi|agent_texts|mcp|tool)[^/]*$/;
  assertEquals([...read].filter((name) => printed.test(name)), []);
  assert([...IMPORTS.keys()].some((name) => printed.test(name)));
});
