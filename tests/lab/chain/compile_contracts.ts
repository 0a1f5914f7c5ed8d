import { createRequire } from "node:module";
import { npmFiles, type NpmPackage } from "./npm_files.ts";

/** The package has a command line with dependencies; the compiler is a single file of it. */
const SOLC: NpmPackage = {
  name: "solc",
  version: "0.8.37",
  integrity:
    "sha512-ieUYdPDRGNKMsZpCfi9tY64Q+ASoL8tyhLuvf9cFiqDs+6ijlx8Wn2CRi0N71AlCvRx0V092rlUYu3b3PuxWlA==",
};

const FOLDER = new URL("contracts/", import.meta.url);

type Compile = (input: string, callback: number, context: number) => string;

interface Output {
  errors?: { formattedMessage: string }[];
  contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>;
}

const SETTINGS = {
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 200 },
  viaIR: true,
  // Without the hash of the sources at its end, the code changes only where it does something else.
  metadata: { appendCBOR: false },
  outputSelection: { "*": { "*": ["evm.bytecode.object"] } },
};

/** Compiles the Solidity of this folder: what a contract is created with, by its name. */
export async function compileContracts(): Promise<Record<string, string>> {
  const sources: Record<string, { content: string }> = {};
  for await (const { name } of Deno.readDir(FOLDER)) {
    if (!name.endsWith(".sol")) continue;
    sources[name] = { content: await Deno.readTextFile(new URL(name, FOLDER)) };
  }
  const input = JSON.stringify({ language: "Solidity", sources, settings: SETTINGS });
  const output: Output = JSON.parse((await loadCompiler())(input, 0, 0));
  if (output.errors) throw new Error(output.errors.map((e) => e.formattedMessage).join("\n"));
  return Object.fromEntries(
    Object.values(output.contracts).flatMap((file) => Object.entries(file))
      .filter(([, { evm }]) => evm.bytecode.object !== "")
      .map(([name, { evm }]): [string, string] => [name, `0x${evm.bytecode.object}`])
      .sort(([a], [b]) => a < b ? -1 : 1),
  );
}

async function loadCompiler(): Promise<Compile> {
  const [path] = await npmFiles(SOLC, ["soljson.js"]);
  const { cwrap } = createRequire(import.meta.url)(path!);
  return cwrap("solidity_compile", "string", ["string", "number", "number"]);
}
