import type { Address, Hex } from "viem";
import type { ResolverKind } from "./create_contracts.ts";

/** The people of the chain. */
export const ACCOUNTS = {
  alice: "0x00000000000000000000000000000000000A11cE",
  bob: "0x0000000000000000000000000000000000000B0b",
  carol: "0x00000000000000000000000000000000000ca401",
} as const;

/** What holds for a name: in grace it is still its owner's, in its premium it is free and dear. */
export type NameState = "taken" | "grace" | "premium" | "free";

/** A name of the chain, below `.eth`. */
export interface ChainName {
  label: string;
  shows: string;
  state: NameState;
  /** Seconds from the chain's present to the registration's end; none for a name that nobody ever had. */
  expiresIn?: number;
  /** Whose it really is, or was: of a wrapped name, whom the wrapper knows. */
  owner?: Address;
  /** Who manages its records, where that is somebody else. */
  manager?: Address;
  /** Whether the registration belongs to the wrapper. */
  wrapped?: boolean;
  resolver?: ResolverKind;
  /** What its resolver says of it, on chain or through the gateway. */
  records?: NameRecords;
}

/** Records as they are kept. */
export interface NameRecords {
  address?: Address;
  texts?: Readonly<Record<string, string>>;
  contenthash?: Hex;
  /** The contenthash as its readers write it. */
  uri?: string;
}
