import type { Address, Hex } from "viem";
import type { ResolverKind } from "./create_contracts.ts";

/** What somebody who asks for a name must be told. */
export type NameState = "taken" | "grace" | "premium" | "free";

/** A name of the chain. */
export interface ChainName {
  label: string;
  shows: string;
  state: NameState;
  /** Seconds from the chain's present to the end of the registration; none for a name that nobody ever had. */
  expiresIn?: number;
  /** Who really owns it, or did: for a wrapped name its owner in the wrapper. */
  owner?: Address;
  /** Who manages its records, if that is somebody else. */
  manager?: Address;
  wrapped?: boolean;
  resolver?: ResolverKind;
  /** What the public resolver or the offchain gateway says of it. */
  records?: NameRecords;
}

/** Records as they are on chain. */
export interface NameRecords {
  address?: Address;
  texts?: Readonly<Record<string, string>>;
  contenthash?: Hex;
  /** The contenthash as it must be shown. */
  uri?: string;
}
