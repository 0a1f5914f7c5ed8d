/** Runs the mutants of a file of src/rules, cached until the file, its tests or the tools change. */
import { TOOLS } from "../contract/npm_tool.ts";
import { importedFiles } from "./imported_files.ts";
import { type Mutant, runStryker } from "./run_stryker.ts";

const ROOT = new URL("../../", import.meta.url);
/** Results of earlier runs, in .gitignore. */
const CACHE = new URL(".mutation/", ROOT);
const PRELOAD = "tests/mutation/fixed_seed.ts";
/** Files that a run reads besides the tests and their imports. */
const ALWAYS = [
  "deno.json",
  "deno.lock",
  "tests/support/assert.ts",
  "tests/mutation/run_stryker.ts",
  "tests/mutation/sentences.mjs",
  PRELOAD,
];

/** The mutants of `src/rules/<name>`, run against the tests in tests/rules that import the file. */
export async function mutantsOf(name: string): Promise<Mutant[]> {
  const file = `src/rules/${name}`;
  const { tests, files } = await testsThatReach(file);
  // Without a test no mutant can be killed: that is an error in the tests, not a score.
  if (tests.length === 0) throw new Error(`Cannot mutate ${file}: no test imports it`);
  const texts = await readAll(new Set([...files, ...ALWAYS]));
  const key = await hash(texts);
  const cached = new URL(`${name.replaceAll("/", "-")}.json`, CACHE);
  const earlier = await readCache(cached);
  if (earlier?.key === key) return earlier.mutants;
  const folder = await Deno.makeTempDir();
  try {
    for (const [path, text] of texts) await write(`${folder}/${path}`, text);
    const mutants = await runStryker(folder, { file, tests, preload: PRELOAD });
    await Deno.mkdir(CACHE, { recursive: true });
    await Deno.writeTextFile(cached, JSON.stringify({ key, mutants }));
    return mutants;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The tests that import a file, and their imports; never exhaustive_test.ts, which imports none and runs compilers. */
async function testsThatReach(file: string): Promise<{ tests: string[]; files: string[] }> {
  const tests: string[] = [];
  const files = new Set<string>();
  for await (const { name } of Deno.readDir(new URL("tests/rules/", ROOT))) {
    const reached = await importedFiles(new URL(`tests/rules/${name}`, ROOT));
    const paths = reached.map(({ pathname }) => pathname.slice(ROOT.pathname.length));
    if (!name.endsWith("_test.ts") || !paths.includes(file)) continue;
    tests.push(`tests/rules/${name}`);
    for (const path of paths) files.add(path);
  }
  return { tests: tests.toSorted(), files: [...files].toSorted() };
}

type Texts = readonly (readonly [path: string, text: string])[];

/** Read once, so that the run matches the cache key even if a file is edited meanwhile. */
function readAll(paths: Iterable<string>): Promise<Texts> {
  return Promise.all(
    Array.from(
      paths,
      async (path) => [path, await Deno.readTextFile(new URL(path, ROOT))] as const,
    ),
  );
}

/** A hash of what decides the results; the tasks of deno.json do not. */
async function hash(texts: Texts): Promise<string> {
  const inputs = texts.map(([path, text]) =>
    path === "deno.json" ? [path, { ...JSON.parse(text), tasks: {} }] : [path, text]
  );
  const all = new TextEncoder().encode(JSON.stringify([TOOLS.stryker, inputs]));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", all)).toHex();
}

async function readCache(file: URL): Promise<{ key: string; mutants: Mutant[] } | undefined> {
  try {
    return JSON.parse(await Deno.readTextFile(file));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function write(path: string, text: string): Promise<void> {
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  await Deno.writeTextFile(path, text);
}
