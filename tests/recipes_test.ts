/** The recipes of CONTRIBUTING.md, followed: each is made in a copy of the tree, in the files that it lists and no other. */
import { assert, assertEquals } from "@std/assert";

const root = new URL("../", import.meta.url);

/** What the copy needs: all that the probe and the tests of the documents' tables read. */
const COPIED = [
  "README.md",
  ".github/",
  "cron/",
  "deno.json",
  "deno.lock",
  "main.ts",
  "src/",
  "static/",
  "tests/architecture_test.ts",
  "tests/lab/",
  "tests/readme_test.ts",
  "tests/support/",
];

/** Gives a file's new text; that of a new file is "". */
type Edit = (text: string) => string;

/** Puts `added` before the only match of `anchor`. */
function before(anchor: RegExp, added: string): Edit {
  return (text) => {
    assertEquals(text.match(new RegExp(anchor, "g" + anchor.flags))?.length, 1, `${anchor}`);
    return text.replace(anchor, (found) => `${added}${found}`);
  };
}

function all(...edits: Edit[]): Edit {
  return (text) => edits.reduce((text, edit) => edit(text), text);
}

/** Adds one to the number that the pattern finds. */
function more(number: RegExp): Edit {
  return (text) => {
    assert(number.test(text), `${number}`);
    return text.replace(number, (found) => `${Number(found) + 1}`);
  };
}

/** A change for each recipe, by its heading: the edits of its numbered list, by file. */
const CHANGES: Readonly<Record<string, Readonly<Record<string, Edit>>>> = {
  "A TLD": {
    // The last one, at a host of its own.
    "src/rules/tables/tlds.ts": before(
      /^\];$/m,
      `  { tld: "zone", rdapBase: "https://rdap.zone.example/" },\n`,
    ),
    "README.md": more(/\d+(?= TLDs)/),
    ".github/docs/api.md": more(/(?<="count":)\d+/),
  },
  "A registrar": {
    "src/rules/tables/registrars.ts": all(
      before(/"porkbun" \|/, `"gandi" | `),
      before(
        /^\];$/m,
        `  { slug: "gandi", name: "Gandi", link: "https://gandi.example/?q={domain}", priced: false },\n`,
      ),
    ),
    ".github/docs/operate.md": before(/`AFFILIATE_GODADDY`/, "`AFFILIATE_GANDI`, "),
    ".github/docs/api.md": before(/(?<=links to )`porkbun`/, "`gandi`, "),
  },
  "An error": {
    "src/api/errors.ts": before(
      / {2}check_failed: \{/,
      `  too_many_tlds: { status: 422, message: "The list is too long" },\n`,
    ),
    "src/api/tlds.ts": all(
      before(/import \{ operation \}/, `import { ApiError } from "./errors.ts";\n`),
      before(/(?<=errors: \[)"invalid_type"/, `"too_many_tlds", `),
      before(
        / {4}const rows = /,
        `    if (type === "ccTLD") throw new ApiError("too_many_tlds");\n`,
      ),
    ),
  },
  "An endpoint": {
    "src/api/greeting.ts": () =>
      `import * as z from "zod/mini";
import { operation } from "./operation.ts";

/** \`GET /greeting\`. */
export const greeting = operation({
  name: "greeting",
  path: "/greeting",
  chapter: "service",
  summary: "Greet",
  description: "Greets.",
  query: () => z.object({ loud: z.optional(z.string()) }),
  answer: () => z.object({ text: z.string() }),
  errors: [],
  run: ({ loud }) => ({ text: loud === undefined ? "hello" : "HELLO" }),
});
`,
    "src/api/operations.ts": all(
      before(/import \{ health, ready \}/, `import { greeting } from "./greeting.ts";\n`),
      before(/(?<=\n {2})health,\n {2}ready,\n\]/, "greeting,\n  "),
    ),
    "src/app.ts": all(
      before(/import \{ health, ready \}/, `import { greeting } from "./api/greeting.ts";\n`),
      before(
        / {2}app\.get\(health\.path/,
        `  app.get(greeting.path, limited, answer(greeting));\n`,
      ),
    ),
    "src/api/examples.ts": before(
      / {2}"\/health": \[/,
      `  "/greeting": [{ shows: "it", query: {}, answer: { text: "hello" } }],\n`,
    ),
    ".github/docs/api.md": before(/^- `\/health`:/m, "- `/greeting?loud=`: greets\n"),
  },
  "A job": {
    "cron/reread_prices.ts": () =>
      `import type { JobDependencies } from "./job.ts";

/** Reads the prices again. */
export const rereadPrices = ({ prices }: Pick<JobDependencies, "prices">) => prices.refresh();
`,
    "cron/jobs.ts": all(
      before(
        /import \{ probeRegistries \}/,
        `import { rereadPrices } from "./reread_prices.ts";\n`,
      ),
      before(
        /^\];$/m,
        `  { name: "reread_prices", schedule: "3 3 * * *", about: "read", retryAfterMs: [], run: rereadPrices },\n`,
      ),
    ),
    ".github/docs/operate.md": before(
      /^- `warm_popular`/m,
      "- `reread_prices` (`3 3 * * *`): reads\n",
    ),
  },
  "A configuration variable": {
    "src/config.ts": before(
      / {2}LOG_LEVEL: \{/,
      `  GREETING: { parse: asText, default: "hello", takes: "a text" },\n`,
    ),
    ".github/docs/operate.md": before(/^- `LOG_LEVEL`/m, "- `GREETING` (`hello`): a text\n"),
  },
};

/** Runs in the copy: what each change must bring about, without a network. */
const PROBE = `
import { JOBS } from "./cron/jobs.ts";
import { readConfig } from "./src/config.ts";
import { startLab } from "./tests/lab/lab.ts";
import { startService } from "./tests/support/service.ts";

await using lab = await startLab();
await using service = await startService(lab, { env: { AFFILIATE_GANDI: "https://a.example/?{url}" } });
const get = async (path: string) => (await service.get(path)).body;
const { dependencies } = service.services.jobs;
const job = JOBS.find(({ name }) => name === "reread_prices");
const context = { stop: new AbortController().signal, progress() {} };
const { paths } = await get("/openapi.json");
console.log(JSON.stringify({
  "A TLD": (await get("/check?name=taken&tld=zone")).results[0].domain,
  "A registrar": (await get("/register?domain=a.com&registrar=gandi")).registrars[0].url,
  "An error": [(await get("/tlds?type=ccTLD")).error, Object.keys(paths["/tlds"].get.responses).includes("422")],
  "An endpoint": [(await get("/greeting?loud=1")).text, "/greeting" in paths],
  "A job": (await job?.run(dependencies, context))?.kind,
  "A configuration variable": [readConfig({}).GREETING, readConfig({ GREETING: "hi" }).GREETING],
}));
`;

const WORKS: Readonly<Record<keyof typeof CHANGES, unknown>> = {
  "A TLD": "taken.zone",
  "A registrar": `https://a.example/?${encodeURIComponent("https://gandi.example/?q=a.com")}`,
  "An error": ["too_many_tlds", true],
  "An endpoint": ["HELLO", true],
  "A job": "done",
  "A configuration variable": ["hello", "hi"],
};

interface Recipe {
  title: string;
  /** The first file of each numbered step; `<name>` stands for the name of what is added. */
  listed: string[];
  /** The files of "Only if it applies". */
  optional: string[];
}

const FILE = /`((?:[\w.<>-]+\/)*[\w.<>-]+\.(?:md|ts))`/g;

/** The recipes of CONTRIBUTING.md. */
async function readRecipes(): Promise<Recipe[]> {
  const text = await Deno.readTextFile(new URL(".github/CONTRIBUTING.md", root));
  const [, recipes = ""] = text.split("## Recipes\n");
  return recipes.split(/^### /m).slice(1).map((section) => {
    const [title = ""] = section.split("\n");
    const steps = section.match(/^\d+\. .+/gm) ?? [];
    const filesIn = (text: string) => [...text.matchAll(FILE)].map(([, file = ""]) => file);
    const listed = steps.map((step) => filesIn(step)[0] ?? "");
    return { title, listed, optional: filesIn(section.slice(section.indexOf("\nOnly if"))) };
  });
}

async function copy(path: string, folder: string): Promise<void> {
  if (!path.endsWith("/")) {
    return await Deno.copyFile(new URL(path, root), `${folder}/${path}`);
  }
  await Deno.mkdir(`${folder}/${path}`, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(new URL(path, root))) {
    await copy(isDirectory ? `${path}${name}/` : `${path}${name}`, folder);
  }
}

/** Makes the changes of a recipe in the folder. */
async function follow(changes: Readonly<Record<string, Edit>>, folder: string): Promise<void> {
  for (const [path, edit] of Object.entries(changes)) {
    const isNew = await Deno.stat(new URL(path, root)).then(() => false, () => true);
    const text = isNew ? "" : await Deno.readTextFile(`${folder}/${path}`);
    await Deno.writeTextFile(`${folder}/${path}`, edit(text));
  }
}

/** Runs Deno in the folder; its stdout. */
async function deno(cwd: string, ...args: string[]): Promise<string> {
  const env = { NO_COLOR: "1" };
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd, env })
    .output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assertEquals(code, 0, `deno ${args.join(" ")}: ${out}${err}`);
  return out ?? "";
}

const recipes = await readRecipes();

Deno.test("the recipes name files that exist, and every recipe has a change here", async () => {
  assertEquals(recipes.map(({ title }) => title), Object.keys(CHANGES));
  for (const { title, listed, optional } of recipes) {
    const changed = Object.keys(CHANGES[title] ?? {});
    assertEquals(listed.length, changed.length, title);
    for (const [index, file] of listed.entries()) {
      const path = changed[index] ?? "";
      assertEquals(
        path.replace(/[^/]+(?=\.ts$)/, (name) => file.includes("<name>") ? "<name>" : name),
        file,
      );
    }
    for (const file of [...listed, ...optional].filter((file) => !file.includes("<"))) {
      assert((await Deno.stat(new URL(file, root))).isFile, file);
    }
  }
});

Deno.test("the recipes are complete: the changed copy compiles, works and matches its documents", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/tests`);
    for (const path of COPIED) await copy(path, folder);
    for (const changes of Object.values(CHANGES)) await follow(changes, folder);
    await Deno.writeTextFile(`${folder}/probe.ts`, PROBE);
    const filter = "--filter=/the list of (?:configuration|endpoints|jobs)|number of TLDs/";
    const [, printed, tested] = await Promise.all([
      deno(folder, "check", "main.ts"),
      deno(folder, "run", "-A", "--no-check", "probe.ts"),
      deno(folder, "test", "-A", "--no-check", filter, "tests/readme_test.ts"),
    ]);
    assertEquals(JSON.parse(printed), WORKS);
    assert(/ok \| 4 passed/.test(tested), tested);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** The tests that read the table of TLDs, by file: each must pass for a TLD of which nothing else is known. */
const TLD_TESTS = {
  "tests/api/check_names_test.ts": "POST /check answers an invalid body with its documented error",
  "tests/api/examples_test.ts": "the examples of /health equal the answers of the demo",
  "tests/api/http_test.ts": "error messages say what to send instead",
  "tests/cron/warm_service_test.ts": "after a warm run the most popular names",
  "tests/lookup/price_table_test.ts": "/tlds and /register have the price and the renewal",
  "tests/mcp/tools_test.ts": "a call with invalid arguments returns an error",
  "tests/readme_test.ts": "number of TLDs",
  "tests/rules/label_policy_test.ts": "IDN_POLICIES names each TLD once",
  "tests/rules/tables_test.ts": "hostPolicy() knows each host of the built-in TLDs",
};

Deno.test("the recipe of a TLD leaves no test failing that reads the table of TLDs", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/tests`);
    for (const path of [...COPIED, "tests/"]) await copy(path, folder);
    await follow(CHANGES["A TLD"] ?? {}, folder);
    const filter = `--filter=/${Object.values(TLD_TESTS).map(RegExp.escape).join("|")}/`;
    const files = Object.keys(TLD_TESTS);
    const tested = await deno(folder, "test", "-A", "--no-check", filter, ...files);
    assert(tested.includes(`ok | ${files.length} passed`), tested);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
