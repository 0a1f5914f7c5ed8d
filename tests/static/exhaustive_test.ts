import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("../../", import.meta.url);

/** The tables of the page that need an entry for a new state: file and declaration. */
const TABLES = [
  "static/answer.js: SENTENCES",
  "static/vocabulary.js: ETH_EXPLANATIONS",
  "static/vocabulary.js: STATE_ENTRIES",
];

/** Type-checks a copy of the rules and the page with `verdict.ts` changed, and returns the places of errors. */
async function placesOfErrors(change: (text: string) => string): Promise<string[]> {
  const folder = await Deno.makeTempDir();
  try {
    for (const name of ["deno.json", "deno.lock"]) {
      await Deno.copyFile(new URL(name, ROOT), `${folder}/${name}`);
    }
    await copyFolder("src/rules", folder);
    await copyFolder("static", folder);
    const path = `${folder}/src/rules/verdict.ts`;
    await Deno.writeTextFile(path, change(await Deno.readTextFile(path)));
    const { stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", "src/rules/verdict.ts", "static"],
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();
    const errors = new TextDecoder().decode(stderr)
      .matchAll(/at file:\/\/(?<file>\S+?):(?<line>\d+):\d+/g);
    const places = new Set<string>();
    for (const { groups: { file = "", line = "" } = {} } of errors) {
      const place = file.slice(file.lastIndexOf(file.includes("/static/") ? "static/" : "src/"));
      places.add(`${place}: ${await declarationAt(`${folder}/${place}`, Number(line))}`);
    }
    return [...places].toSorted();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function copyFolder(name: string, target: string): Promise<void> {
  await Deno.mkdir(`${target}/${name}`, { recursive: true });
  for await (const entry of Deno.readDir(new URL(`${name}/`, ROOT))) {
    if (!entry.isFile) continue;
    await Deno.copyFile(new URL(`${name}/${entry.name}`, ROOT), `${target}/${name}/${entry.name}`);
  }
}

/** The name of the top-level declaration that a line is in. */
async function declarationAt(path: string, line: number): Promise<string> {
  const lines = (await Deno.readTextFile(path)).split("\n").slice(0, line);
  const declarations = lines.map((text) =>
    /^(?:export )?(?:const|(?:async )?function) (?<name>\w+)/.exec(text)?.groups?.name
  );
  return declarations.findLast((name) => name !== undefined) ?? "";
}

Deno.test("the page compiles as it is", async () => {
  assertEquals(await placesOfErrors((text) => text), []);
});

Deno.test("a state added to STATES does not compile until each table has an entry for it", async () => {
  const places = await placesOfErrors((text) => {
    const changed = text.replace("export const STATES = [", '$&"novel", ');
    assert(changed !== text, "STATES was not found");
    return changed;
  });
  assertEquals(places.filter((place) => place.startsWith("static/")), TABLES);
  assert(places.some((place) => place.startsWith("src/rules/verdict.ts")), `${places}`);
});
