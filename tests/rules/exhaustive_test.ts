import { assert, assertEquals, assertMatch } from "@std/assert";

const RULES = new URL("../../src/rules/", import.meta.url);

/** The unions in the verdict's evidence, each with the text before which a member is inserted. */
const UNIONS: readonly [union: string, file: string, before: RegExp][] = [
  ["DnsAnswer", "answer.ts", /(?<=export type DnsAnswer =\n)/],
  ["RdapAnswer", "answer.ts", /(?<=export type RdapAnswer =\n)/],
  ["Notice", "answer.ts", /(?<=export type Notice =\n)/],
  ["Canary", "answer.ts", /(?<=export type Canary =\n)/],
  ["LabelPolicy", "answer.ts", /(?<=export type LabelPolicy =\n)/],
  ["RegistryEvidence", "verdict.ts", /(?<=export type RegistryEvidence =\n)/],
];

/** Type-checks a copy of the rules and of the look-up that uses them, after a change to one file. */
async function checkChanged(file: string, change: (text: string) => string) {
  const folder = await Deno.makeTempDir();
  try {
    for (const room of ["rules", "flow", "lookup"]) {
      await Deno.mkdir(`${folder}/src/${room}`, { recursive: true });
      const from = new URL(`../${room}/`, RULES);
      for await (const { name } of Deno.readDir(from)) {
        await Deno.copyFile(new URL(name, from), `${folder}/src/${room}/${name}`);
      }
    }
    const path = `${folder}/src/rules/${file}`;
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, change(text));
    const root = new URL("../../", RULES);
    await Deno.copyFile(new URL("deno.json", root), `${folder}/deno.json`);
    await Deno.copyFile(new URL("deno.lock", root), `${folder}/deno.lock`);
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", "src/lookup/check_domain.ts"],
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();
    return { code, said: new TextDecoder().decode(stderr) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("the unchanged rules compile", async () => {
  const { code, said } = await checkChanged("answer.ts", (text) => text);
  assertEquals(code, 0, said);
});

for (const [union, file, before] of UNIONS) {
  Deno.test(`the verdict does not compile when ${union} has a member without a branch`, async () => {
    const { code, said } = await checkChanged(file, (text) => {
      const changed = text.replace(before, '  | { kind: "novel" }\n');
      assert(changed !== text, `${union} was not found in ${file}`);
      return changed;
    });
    assertEquals(code, 1);
    assertMatch(said, /does not satisfy the expected type 'never'/);
  });
}
