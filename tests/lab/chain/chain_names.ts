import type { ChainName } from "./chain_name.ts";
import { CONTENTHASH_NAMES } from "./contenthash_names.ts";
import { RECORD_NAMES } from "./record_names.ts";
import { REGISTRATION_NAMES } from "./registration_names.ts";
import { RESOLVER_NAMES } from "./resolver_names.ts";

/** All names of the chain: every state, record and resolver that a look-up can meet. */
export const CHAIN_NAMES: readonly ChainName[] = [
  ...REGISTRATION_NAMES,
  ...RECORD_NAMES,
  ...CONTENTHASH_NAMES,
  ...RESOLVER_NAMES,
];
