import type { Hex } from "viem";
import { npmFile, type NpmPackage } from "./npm_file.ts";

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

/** The contracts that ENS itself has published compiled: what each is created with. */
export async function loadRealContracts() {
  const [registry, registrar, publicResolver, offchainResolver] = await Promise.all([
    bytecode(REGISTRAR, "build/contracts/ENSRegistry.json"),
    bytecode(REGISTRAR, "build/contracts/BaseRegistrarImplementation.json"),
    bytecode(RESOLVER, "build/contracts/PublicResolver.json"),
    bytecode(OFFCHAIN_RESOLVER, "artifacts/contracts/OffchainResolver.sol/OffchainResolver.json"),
  ]);
  return { registry, registrar, publicResolver, offchainResolver };
}

async function bytecode(pack: NpmPackage, path: string): Promise<Hex> {
  return JSON.parse(await Deno.readTextFile(await npmFile(pack, path))).bytecode;
}
