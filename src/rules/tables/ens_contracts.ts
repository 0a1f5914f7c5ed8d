/** The ENS contracts on mainnet (docs.ens.domains, ensjs; read in June 2026). */

/** Addresses of the contracts that are called. */
export interface EnsContracts {
  /** ENSRegistry: who manages a name, and its resolver. */
  readonly registry: string;
  /** BaseRegistrar: the ERC-721 of second-level names, with their expiry. */
  readonly registrar: string;
  /** ETHRegistrarController: sells names and returns their price. */
  readonly controller: string;
  readonly nameWrapper: string;
  readonly universalResolver: string;
  readonly multicall3: string;
  /** Owns the registrations that have moved to ENSv2; absent if there is none. It is not called. */
  readonly graveyard?: string;
}

/** Mainnet's. The Universal Resolver is the DAO's upgradeable proxy, so its address is stable. */
export const MAINNET_CONTRACTS: EnsContracts = {
  registry: "0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e",
  registrar: "0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85",
  controller: "0x59E16fcCd424Cc24e280Be16E11Bcd56fb0CE547",
  nameWrapper: "0xD4416b13d2b3a9aBae7AcD5D6C2BbDBE25686401",
  universalResolver: "0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe",
  multicall3: "0xcA11bde05977b3631167028862bE2a173976CA11",
};

/** Mainnet's chain id; a node on another chain must not be used. */
export const MAINNET_ID = 1n;
