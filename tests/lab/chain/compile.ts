/** `deno run --allow-all tests/lab/chain/compile.ts`: compiles our contracts into `contracts/compiled.json`. */
import { compileContracts } from "./compile_contracts.ts";

const compiled = JSON.stringify(await compileContracts(), null, 2) + "\n";
await Deno.writeTextFile(new URL("contracts/compiled.json", import.meta.url), compiled);
