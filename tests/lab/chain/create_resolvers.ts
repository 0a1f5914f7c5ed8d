import type { Address } from "viem";
import type { Deployer } from "./deployer.ts";
import { OUR_CONTRACTS } from "./our_contracts.ts";
import type { RealContracts } from "./real_contracts.ts";

/** Where what is not on the chain can be reached. */
export interface OffchainPlaces {
  /** The trusted gateway. */
  gateway: string;
  /** Who signs what the gateway answers. */
  signer: Address;
  /** Where nobody may go. */
  trap: string;
  /** What sends its visitors to the trap. */
  redirect: string;
}

/** A resolver by what it does. */
export type ResolverKind = keyof ReturnType<typeof createResolvers>;

/** With it in a URL the client asks by GET, without it by POST. */
const IN_PATH = "{sender}/{data}.json";

/** Every kind of resolver once. */
export function createResolvers(
  { create }: Deployer,
  { registry, real, places }: { registry: Address; real: RealContracts; places: OffchainPlaces },
) {
  const pointer = (url: string) =>
    create(OUR_CONTRACTS.OffchainPointer, "string, bool", [url, false]);
  // Takes whole multicalls, and so its own URL reaches the client.
  const direct = (url: string) =>
    create(OUR_CONTRACTS.OffchainPointer, "string, bool", [url, true]);
  return {
    public: create(real.publicResolver, "address", [registry]),
    /** An account: it has no code that could answer. */
    account: "0x00000000000000000000000000000000000E0A00" as const,
    wildcard: create(OUR_CONTRACTS.WildcardResolver),
    offchain: create(real.offchainResolver, "string, address[]", [
      `${places.gateway}${IN_PATH}`,
      [places.signer],
    ]),
    offchainDirect: direct(places.gateway),
    trap: pointer(`${places.trap}${IN_PATH}`),
    trapDirect: direct(`${places.trap}${IN_PATH}`),
    redirect: pointer(`${places.redirect}${IN_PATH}`),
    redirectDirect: direct(`${places.redirect}${IN_PATH}`),
    postDirect: direct(places.trap),
    fileDirect: direct("file:///etc/hosts"),
    gasBurner: create(OUR_CONTRACTS.GasBurner),
    memoryBomb: create(OUR_CONTRACTS.MemoryBomb),
    hugeText: create(OUR_CONTRACTS.HugeText, "string", ["description"]),
    hugeTexts: create(OUR_CONTRACTS.HugeText, "string", [""]),
    brokenText: create(OUR_CONTRACTS.BrokenText),
    refuser: create(OUR_CONTRACTS.Refuser),
    babbler: create(OUR_CONTRACTS.Babbler),
    // 0.66 MB, and 3.2 GB once decoded; and as many items as were asked for.
    abiBomb: create(OUR_CONTRACTS.AbiBomb, "uint256, uint256", [8_000n, 400_000n]),
    abiAlias: create(OUR_CONTRACTS.AbiBomb, "uint256, uint256", [8n, 400_000n]),
  };
}
