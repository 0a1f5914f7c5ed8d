import { assert, assertEquals } from "@std/assert";
import { ourFiles, root, sourceFiles } from "./support/source_files.ts";

/**
 * Which module may import which: modules are the folders of src and the files at its top. `may` are other modules and
 * packages, `types` those of which only types are allowed, `dynamic` those that are loaded by `import()` when needed.
 */
const ALLOWED: Readonly<
  Record<string, { may: string[]; types?: string[]; dynamic?: string[] }>
> = {
  "rules": { may: [] },
  "flow": { may: [] },
  "sources": { may: ["rules", "flow"] },
  "store": { may: ["rules", "flow"] },
  "rate_limit": { may: ["rules", "flow"] },
  "jobs": { may: ["flow"], types: ["log", "rules", "store"] },
  "chain": {
    may: ["rules", "flow", "viem", "@ensdomains/content-hash", "dataloader"],
    types: ["sources"],
  },
  "lookup": { may: ["rules", "flow", "node:crypto", "node:url"] },
  "api": {
    may: ["rules", "flow", "static", "zod/mini", "hono"],
    types: ["lookup", "rate_limit", "wiring"],
  },
  // It wraps KV, hosts and jobs by their types and decides nothing about them.
  "metrics": {
    may: [],
    types: ["flow", "rules", "rate_limit", "sources", "store", "lookup", "jobs"],
  },
  "mcp": {
    may: [
      "api",
      "flow",
      "rules",
      "static",
      "zod/mini",
      "@modelcontextprotocol/server",
      "@modelcontextprotocol/server/stdio",
      "node:stream",
    ],
    types: ["hono", "wiring"],
  },
  "documents": {
    may: ["api", "mcp", "flow", "static", "zod/mini", "yaml", "node:crypto"],
    types: ["wiring"],
  },
  "page": { may: ["api", "rules", "static", "hono"], types: ["flow", "wiring"] },
  // A browser loads it without a build step: its only imports from elsewhere are types in JSDoc.
  "static": { may: [], types: ["rules"] },
  "cli": {
    may: [
      "store",
      "rules",
      "flow",
      "static",
      "wiring",
      "cron",
      "api",
      "mcp",
      "documents",
      "deno.json",
      "nanotar",
      "node:child_process",
      "node:fs",
      "node:module",
      "node:os",
      "node:path",
      "node:process",
      "node:url",
      "node:util",
    ],
    types: ["lookup", "jobs"],
  },
  // Its users import types and one function that calls fetch.
  "client": { may: [], types: ["api", "zod/mini"] },
  "log": { may: [], types: ["flow"] },
  "config": { may: ["rules", "log", "zod/mini"] },
  "wiring": {
    may: [
      "chain",
      "config",
      "flow",
      "jobs",
      "log",
      "lookup",
      "metrics",
      "rate_limit",
      "rules",
      "sources",
      "store",
      "deno.json",
    ],
    types: ["cron"],
    // OpenTelemetry's API is loaded only where OpenTelemetry is on.
    dynamic: ["tracing"],
  },
  "tracing": { may: ["@opentelemetry/api"] },
  "app": {
    may: ["api", "flow", "hono"],
    types: ["documents", "log", "wiring"],
    dynamic: ["documents", "mcp", "page"],
  },
  "cron": { may: ["rules", "flow"], types: ["jobs", "lookup"] },
  "main": { may: ["app", "wiring", "flow", "cron"] },
};

interface Import {
  from: string;
  to: string;
  kind: "static" | "types" | "dynamic";
}

const IMPORT =
  /^(?:import|export)\s+(?<only>type\s)?(?:[^;"']*?\sfrom\s+)?["'](?<specifier>[^"']+)["']/gm;

/** `@import { T } from "…"` in JSDoc: types only. */
const JSDOC_IMPORT = /@import\s[^"']*?\sfrom\s+["'](?<specifier>[^"']+)["']/g;

/** `import("…")`; without a group where what is imported is no literal. */
const DYNAMIC_IMPORT = /(?<!@\w*)\bimport\(\s*(?:["'](?<specifier>[^"']+)["'])?/g;

/** The module of a file or a specifier: the folder in src, the file's name at its top, or the package. */
function moduleOf(url: URL): string {
  const path = url.pathname.slice(root.pathname.length);
  const [first = "", second = ""] = path.split("/");
  return (first === "src" ? second : first).replace(/\.ts$/, "");
}

async function importsOf(file: URL): Promise<Import[]> {
  const text = await Deno.readTextFile(file);
  const from = moduleOf(file);
  const toModule = (specifier?: string) =>
    specifier?.startsWith(".")
      ? moduleOf(new URL(specifier, file))
      : specifier?.replace(/^hono\/.*/, "hono") ?? "an expression";
  const found = (pattern: RegExp, kind: Import["kind"]) =>
    [...text.matchAll(pattern)].map(({ groups: { only, specifier } = {} }): Import => ({
      from,
      to: toModule(specifier),
      kind: only === undefined ? kind : "types",
    }));
  return [
    ...found(IMPORT, "static"),
    ...found(JSDOC_IMPORT, "types"),
    ...found(DYNAMIC_IMPORT, "dynamic"),
  ].filter(({ from, to }) => from !== to);
}

function isForbidden({ from, to, kind }: Import): boolean {
  const { may = [], types = [], dynamic = [] } = ALLOWED[from] ?? {};
  if (may.includes(to)) return false;
  return kind === "static" || !(kind === "types" ? types : dynamic).includes(to);
}

Deno.test("every import in src, cron, static and main.ts is in the table", async () => {
  const imports = await importsOf(new URL("main.ts", root));
  for await (const file of ourFiles()) imports.push(...await importsOf(file));
  assertEquals(imports.filter(isForbidden), []);
  // If the patterns found no imports, none could be forbidden.
  const importing = new Set(imports.map(({ from }) => from));
  const independent = Object.keys(ALLOWED).filter((module) => !importing.has(module));
  assertEquals(independent, ["rules", "flow"]);
  const dynamic = new Set(imports.filter(({ kind }) => kind === "dynamic").map(({ to }) => to));
  assertEquals([...dynamic].toSorted(), ["documents", "mcp", "page", "rules", "tracing"]);
});

/** The files that a file imports in any way, types included. */
function filesImportedBy(file: URL, text: string): string[] {
  return [IMPORT, JSDOC_IMPORT, DYNAMIC_IMPORT]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .flatMap(({ groups }) => groups?.specifier?.startsWith(".") ? [groups.specifier] : [])
    .map((specifier) => new URL(specifier, file).pathname);
}

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

Deno.test("no files of src, cron and static import each other in a circle, not even types", async () => {
  const imports = new Map<string, string[]>();
  for await (const file of ourFiles()) {
    imports.set(file.pathname, filesImportedBy(file, await Deno.readTextFile(file)));
  }
  assertEquals(inCircles(imports), []);
  assert([...imports.values()].flat().length > imports.size, "the patterns find imports");
});

Deno.test("inCircles() finds a circle when one of its imports is of types, in JSDoc or loaded when needed", () => {
  const texts = {
    "/main.ts": 'import { one } from "./one.ts";',
    "/one.ts": 'import {\n  type Two,\n} from "./folder/two.ts";',
    "/folder/two.ts": 'export type { Three } from "../three.js";',
    "/three.js": '/** @import { Four } from "./four.ts" */',
    "/four.ts": 'const { one } = await import("./one.ts");',
  };
  const imports = new Map(
    Object.entries(texts).map(([path, text]) =>
      [path, filesImportedBy(new URL(path, "file:///"), text)] as const
    ),
  );
  assertEquals(inCircles(imports), Object.keys(texts));
  imports.delete("/four.ts");
  assertEquals(inCircles(imports), []);
});

/** What makes a function return another result for the same arguments. */
const IMPURE =
  /\bDeno\.|\bfetch\(|\bDate\.now\b|\bnew Date\(\)|\bperformance\.|\bMath\.random\b|\bcrypto\./;

Deno.test("rules and flow read no clock, no random source, no network and nothing of Deno", async () => {
  const impure: string[] = [];
  for (const folder of ["src/rules/", "src/flow/"]) {
    for await (const file of sourceFiles(new URL(folder, root))) {
      const code = (await Deno.readTextFile(file)).replace(/\/\*[^]*?\*\/|\/\/.*/g, "");
      if (IMPURE.test(code)) impure.push(file.pathname);
    }
  }
  assertEquals(impure, []);
  assertEquals(IMPURE.test("const at = Date.now();"), true);
});

Deno.test("the top level holds what was agreed and nothing else", async () => {
  const agreed = "LICENSE README.md cron deno.json deno.lock main.ts src static tests".split(" ");
  const found: string[] = [];
  for await (const { name } of Deno.readDir(root)) {
    if (!name.startsWith(".") && name !== "coverage" && name !== "node_modules") found.push(name);
  }
  assertEquals(found.filter((name) => !agreed.includes(name)), []);
});

/**
 * The most code lines (not blank, not only a comment) and bytes of documents. A finding changes a rule or a row: raise a
 * budget only in a commit of its own, with the reason.
 */
const BUDGETS = { src: 19_797, static: 2_299, tests: 27_149, documents: 49_845 };

/** All files below a folder whose names match. */
async function* filesBelow(folder: URL, name: RegExp): AsyncGenerator<URL> {
  for await (const entry of Deno.readDir(folder)) {
    const isFolder = entry.isDirectory && entry.name !== "node_modules";
    if (isFolder) yield* filesBelow(new URL(`${entry.name}/`, folder), name);
    else if (entry.isFile && name.test(entry.name)) yield new URL(entry.name, folder);
  }
}

async function codeLinesOf(folders: readonly string[], name: RegExp): Promise<number> {
  let count = 0;
  for (const folder of folders) {
    for await (const file of filesBelow(new URL(folder, root), name)) {
      const lines = (await Deno.readTextFile(file)).split("\n");
      count += lines.filter((line) => /\S/.test(line) && !/^\s*(?:\/\/|\/\*|\*)/.test(line)).length;
    }
  }
  return count;
}

Deno.test("source, page, tests and documents stay within their budgets", async () => {
  const main = (await Deno.readTextFile(new URL("main.ts", root))).split("\n").length;
  let documents = (await Deno.stat(new URL("README.md", root))).size;
  for await (const file of filesBelow(new URL(".github/", root), /\.md$/)) {
    documents += (await Deno.stat(file)).size;
  }
  const found = {
    src: main + await codeLinesOf(["src/", "cron/"], /\.ts$/),
    static: await codeLinesOf(["static/"], /\.js$/),
    tests: await codeLinesOf(["tests/"], /\.ts$/),
    documents,
  };
  const over = Object.entries(BUDGETS).filter(([part, most]) =>
    found[part as keyof typeof found] > most
  );
  assertEquals(over, [], JSON.stringify(found));
});

Deno.test("only log.ts writes to the console", async () => {
  const offenders: string[] = [];
  for await (const file of ourFiles()) {
    const text = await Deno.readTextFile(file);
    if (/\bconsole\./.test(text) && !file.pathname.endsWith("/log.ts")) {
      offenders.push(file.pathname);
    }
  }
  assertEquals(offenders, []);
});

Deno.test("a start reads no package but Hono and zod/mini, and none of what is printed on demand", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "main.ts"],
    cwd: root,
    stderr: "null",
  }).output();
  const { modules, redirects } = JSON.parse(new TextDecoder().decode(stdout));
  const byName = new Map<string, Module>(modules.map((one: Module) => [one.specifier, one]));
  const read = new Set([new URL("main.ts", root).href]);
  for (const specifier of read) {
    for (const { code, isDynamic } of byName.get(specifier)?.dependencies ?? []) {
      if (code !== undefined && !isDynamic) {
        read.add(redirects[code.specifier] ?? code.specifier);
      }
    }
  }
  const packages = [...read].filter((name) => name.startsWith("npm:"))
    .map((name) => name.replace(/^npm:\/?(.+)@[^/]+/, "$1"));
  const ofHono = ["compress", "deno", "etag", "route", "utils/accept", "utils/url"];
  const expected = ["hono", ...ofHono.map((part) => `hono/${part}`), "zod/mini"];
  assertEquals(packages.toSorted(), expected);
  const printed = /\/(?:openapi|agent_texts|mcp|tool)[^/]*$/;
  assertEquals([...read].filter((name) => printed.test(name)), []);
  assert([...byName.keys()].some((name) => name.endsWith("/openapi.ts")));
});

interface Module {
  specifier: string;
  dependencies?: { code?: { specifier: string }; isDynamic?: boolean }[];
}
