import { assert, assertEquals, assertMatch } from "@std/assert";
import { copySources, root } from "../support/source_files.ts";

const NEVER = /does not satisfy the expected type 'never'/;

/** The unions in the verdict's evidence, each with the text before which a member is inserted. */
const UNIONS: readonly [union: string, file: string, before: RegExp][] = [
  ["DnsAnswer", "answer.ts", /(?<=export type DnsAnswer =\n)/],
  ["RdapAnswer", "answer.ts", /(?<=export type RdapAnswer =\n)/],
  ["Notice", "answer.ts", /(?<=export type Notice =\n)/],
  ["Canary", "answer.ts", /(?<=export type Canary =\n)/],
  ["LabelPolicy", "answer.ts", /(?<=export type LabelPolicy =\n)/],
  ["WhoisAnswer", "answer.ts", /(?<=export type WhoisAnswer =\n)/],
  ["RegistrarAnswer", "answer.ts", /(?<=export type RegistrarAnswer =\n)/],
  ["RegistryEvidence", "verdict.ts", /(?<=export type RegistryEvidence =\n)/],
];

/** Copies the rules and the look-up that uses them. */
async function copyRules(to: string): Promise<void> {
  for (const folder of ["src/rules/", "src/flow/", "src/lookup/"]) await copySources(folder, to);
}

async function insertMember(path: string, before: RegExp): Promise<void> {
  const text = await Deno.readTextFile(path);
  const changed = text.replace(before, '  | { kind: "novel" }\n');
  assert(changed !== text, `${before} was not found in ${path}`);
  await Deno.writeTextFile(path, changed);
}

/** Type-checks all copies at once, which takes little longer than one; returns the errors of each. */
async function checkCopies(folder: string, copies: readonly string[]): Promise<string[]> {
  for (const file of ["deno.json", "deno.lock"]) {
    await Deno.copyFile(new URL(file, root), `${folder}/${file}`);
  }
  const { stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", ...copies.map((copy) => `${copy}/src/lookup/check_domain.ts`)],
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  const errors = new TextDecoder().decode(stderr).split("\n\n");
  return copies.map((copy) => errors.filter((error) => error.includes(`/${copy}/src/`)).join("\n"));
}

Deno.test("the verdict does not compile when a union has a member without a branch", async (t) => {
  const folder = await Deno.makeTempDir();
  try {
    await copyRules(`${folder}/unchanged`);
    for (const [union, file, before] of UNIONS) {
      await copyRules(`${folder}/${union}`);
      await insertMember(`${folder}/${union}/src/rules/${file}`, before);
    }
    const [unchanged, ...changed] = await checkCopies(folder, [
      "unchanged",
      ...UNIONS.map(([union]) => union),
    ]);
    await t.step("unchanged, it compiles", () => assertEquals(unchanged, ""));
    for (const [place, [union]] of UNIONS.entries()) {
      await t.step(union, () => assertMatch(changed[place] ?? "", NEVER));
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
