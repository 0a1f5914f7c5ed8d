import { assert, assertEquals } from "@std/assert";
import { copySources, root } from "../support/source_files.ts";

/** The tables of the page that need an entry for a new state: file and declaration. */
const TABLES = [
  "static/answer.js: SENTENCES",
  "static/vocabulary.js: ETH_EXPLANATIONS",
  "static/vocabulary.js: STATE_ENTRIES",
];

/** Copies the rules and the page, with `verdict.ts` changed. */
async function copyChanged(to: string, change: (text: string) => string): Promise<void> {
  await copySources("src/rules/", to);
  await copySources("static/", to);
  const path = `${to}/src/rules/verdict.ts`;
  await Deno.writeTextFile(path, change(await Deno.readTextFile(path)));
}

/** Type-checks all copies at once, which takes little longer than one; returns the places of errors in each. */
async function placesOfErrors<Copy extends string>(
  copies: Readonly<Record<Copy, (text: string) => string>>,
): Promise<Record<Copy, string[]>> {
  const folder = await Deno.makeTempDir();
  try {
    for (const name of ["deno.json", "deno.lock"]) {
      await Deno.copyFile(new URL(name, root), `${folder}/${name}`);
    }
    const names = Object.keys(copies) as Copy[];
    for (const name of names) await copyChanged(`${folder}/${name}`, copies[name]);
    const { stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "check",
        "--quiet",
        ...names.flatMap((name) => [`${name}/src/rules/verdict.ts`, `${name}/static`]),
      ],
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();
    const errors = new TextDecoder().decode(stderr)
      .matchAll(/at file:\/\/(?<file>\S+?):(?<line>\d+):\d+/g)
      .map(({ groups: { file = "", line = "" } = {} }) => ({ file, line: Number(line) }))
      .toArray();
    const found = {} as Record<Copy, string[]>;
    for (const name of names) {
      const places = new Set<string>();
      const below = `/${name}/`;
      for (const { file, line } of errors.filter(({ file }) => file.includes(below))) {
        const path = file.slice(file.lastIndexOf(below) + below.length);
        places.add(`${path}: ${await declarationAt(`${folder}${below}${path}`, line)}`);
      }
      found[name] = [...places].toSorted();
    }
    return found;
  } finally {
    await Deno.remove(folder, { recursive: true });
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

/** Inserts a member before the first of a union or a list. */
function inserting(before: string, member: string): (text: string) => string {
  return (text) => {
    const changed = text.replace(before, `$&${member}`);
    assert(changed !== text, `${before} was not found`);
    return changed;
  };
}

Deno.test("a state, a likely state or a source that is added does not compile until each table has an entry for it", async () => {
  const { unchanged, state, likely, source } = await placesOfErrors({
    unchanged: (text) => text,
    state: inserting("export const STATES = [", '"novel", '),
    likely: inserting("export const LIKELY = [", '"novel", '),
    source: inserting("export type Source = ", '"novel" | '),
  });
  assertEquals(unchanged, []);
  assertEquals(state.filter((place) => place.startsWith("static/")), TABLES);
  assert(state.some((place) => place.startsWith("src/rules/verdict.ts")), `${state}`);
  assertEquals(likely.filter((place) => place.startsWith("static/")), [
    "static/vocabulary.js: LIKELY_ENTRIES",
  ]);
  assertEquals(source.filter((place) => place.startsWith("static/")), [
    "static/vocabulary.js: TAKEN_BY",
  ]);
});
