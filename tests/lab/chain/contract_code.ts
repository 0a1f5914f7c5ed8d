import type { Hex } from "viem";
import compiled from "./contracts/compiled.json" with { type: "json" };
import { npmFiles, type NpmPackage } from "./npm_files.ts";

/** The creation code of our own versions of contracts that ENS has not published compiled. */
export const OUR_CONTRACTS = compiled as Readonly<Record<keyof typeof compiled, Hex>>;

const REGISTRAR: NpmPackage = {
  name: "@ensdomains/ethregistrar",
  version: "2.0.5",
  integrity:
    "sha512-jd1Ca9m0HsfIJQ+dqmyrVBF3fXVDUnzMQmJU1IxydJVvqPq0Ijh/aP/8YoPjLpuzlfnTqUdX0VIAZvTCMw4Tag==",
};

const RESOLVER: NpmPackage = {
  name: "@ensdomains/resolver",
  version: "0.3.1",
  integrity:
    "sha512-cXY7nomODddJ59pvkwkxp7StgKcv8Xb0OhQE/pCe80448T8tELPGEghf2thtjz4+4f+c7mt8XJQ04Y0Guc0lnA==",
};

const OFFCHAIN_RESOLVER: NpmPackage = {
  name: "@ensdomains/offchain-resolver-contracts",
  version: "0.2.1",
  integrity:
    "sha512-dG0W798nkE8ySlB32+e2h/KxR4NK81SMluVSlE4zKSmS5h3d8ecZ2Aj5XnNKjf6x7RDdeZv/Kciqoa9cUMK77Q==",
};

/** The creation code of contracts that ENS has published compiled. */
export type RealContracts = Awaited<ReturnType<typeof loadRealContracts>>;

/** Reads the contracts from their packages. */
export async function loadRealContracts() {
  const [[registry, registrar], [publicResolver], [offchainResolver]] = await Promise.all([
    bytecodes(REGISTRAR, [
      "build/contracts/ENSRegistry.json",
      "build/contracts/BaseRegistrarImplementation.json",
    ]),
    bytecodes(RESOLVER, ["build/contracts/PublicResolver.json"]),
    bytecodes(OFFCHAIN_RESOLVER, [
      "artifacts/contracts/OffchainResolver.sol/OffchainResolver.json",
    ]),
  ]);
  return {
    registry: registry!,
    registrar: registrar!,
    publicResolver: publicResolver!,
    offchainResolver: offchainResolver!,
  };
}

async function bytecodes(pack: NpmPackage, paths: readonly string[]): Promise<Hex[]> {
  const texts = (await npmFiles(pack, paths)).map((path) => Deno.readTextFile(path));
  return (await Promise.all(texts)).map((text) => JSON.parse(text).bytecode);
}
