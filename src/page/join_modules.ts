/**
 * Joins modules to one, without a build step: each becomes a block of its own, after those that it imports, and leaves what
 * it exports to the others. It reads the form that our modules have: named imports from `./`, named exports of functions,
 * classes and constants. What it cannot read ends the start.
 */

// Bounded: they are matched once with each of our own files.
const IMPORT = /^import \{(?<names>[^}]*)\} from "\.\/(?<module>[\w-]+\.js)";\n/gm;
const EXPORT = /^export (?=(?:async )?(?:function\*?|class|const) (?<name>\w+))/gm;

/** The text of a module that does what `entry` does. */
export function joinModules(entry: string, modules: ReadonlyMap<string, string>): string {
  const blocks = new Map<string, string>();

  function add(name: string): void {
    if (blocks.has(name)) return;
    const text = modules.get(name);
    if (text === undefined) throw new Error(`Cannot join ${entry}: ${name} is missing`);
    for (const { groups } of text.matchAll(IMPORT)) add(groups?.module ?? "");
    blocks.set(name, blockOf(name, text));
  }

  add(entry);
  return ["const modules = {};", ...blocks.values(), ""].join("\n");
}

function blockOf(name: string, text: string): string {
  const names = [...text.matchAll(EXPORT)].map(({ groups }) => groups?.name);
  const body = text
    .replaceAll(
      IMPORT,
      (_, names, module) => `const {${names.replaceAll(" as ", ": ")}} = modules["${module}"];\n`,
    )
    .replaceAll(EXPORT, "");
  const rest = /^(?:import|export)\b.*/m.exec(body);
  if (rest !== null) throw new Error(`Cannot join ${name}: ${rest[0]}`);
  return `{\n${body}modules["${name}"] = { ${names.join(", ")} };\n}`;
}
