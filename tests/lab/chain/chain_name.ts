import type { Address, Hex } from "viem";
import type { ResolverKind } from "./create_contracts.ts";

/** The accounts that own names. */
export const ACCOUNTS = {
  alice: "0x00000000000000000000000000000000000A11cE",
  bob: "0x0000000000000000000000000000000000000B0b",
  carol: "0x00000000000000000000000000000000000ca401",
} as const;

/** The state of a name: in grace it still belongs to its owner; in its premium it is available at a high price. */
export type NameState = "taken" | "grace" | "premium" | "free";

/** A name of the chain, below `.eth`. */
export interface ChainName {
  label: string;
  shows: string;
  state: NameState;
  /** Seconds from the chain's present to the registration's end; absent for a name that was never registered. */
  expiresIn?: number;
  /** The present or former owner; for a wrapped name, the one that the wrapper stores. */
  owner?: Address;
  /** The manager of its records, if not the owner. */
  manager?: Address;
  /** Whether the registration belongs to the wrapper. */
  wrapped?: boolean;
  resolver?: ResolverKind;
  /** The records of its resolver, on chain or through the gateway. */
  records?: NameRecords;
}

/** Records as they are stored. */
export interface NameRecords {
  address?: Address;
  texts?: Readonly<Record<string, string>>;
  contenthash?: Hex;
  /** The contenthash as its readers write it. */
  uri?: string;
}
