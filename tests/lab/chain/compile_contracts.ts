import solc from "solc";

const FOLDER = new URL("contracts/", import.meta.url);

interface Output {
  errors?: { formattedMessage: string }[];
  contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>;
}

/** Compiles the Solidity of this folder: what a contract is created with, by its name. */
export async function compileContracts(): Promise<Record<string, string>> {
  const sources: Record<string, { content: string }> = {};
  for await (const { name } of Deno.readDir(FOLDER)) {
    if (!name.endsWith(".sol")) continue;
    sources[name] = { content: await Deno.readTextFile(new URL(name, FOLDER)) };
  }
  const output: Output = JSON.parse(solc.compile(JSON.stringify({
    language: "Solidity",
    sources,
    settings: {
      evmVersion: "cancun",
      optimizer: { enabled: true, runs: 200 },
      viaIR: true,
      // Without the hash of the sources at its end, the code changes only where it does something else.
      metadata: { appendCBOR: false },
      outputSelection: { "*": { "*": ["evm.bytecode.object"] } },
    },
  })));
  if (output.errors) throw new Error(output.errors.map((e) => e.formattedMessage).join("\n"));
  return Object.fromEntries(
    Object.values(output.contracts).flatMap((file) => Object.entries(file))
      .filter(([, { evm }]) => evm.bytecode.object !== "")
      .map(([name, { evm }]): [string, string] => [name, `0x${evm.bytecode.object}`])
      .sort(([a], [b]) => a < b ? -1 : 1),
  );
}
