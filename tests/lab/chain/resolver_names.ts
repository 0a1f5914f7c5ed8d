import { ACCOUNTS, type ChainName, type NameRecords } from "./chain_name.ts";
import type { ResolverKind } from "./create_contracts.ts";

interface ResolverRow {
  resolver: ResolverKind;
  shows: string;
  records?: NameRecords;
}

/** The records that the gateway serves. */
const OFFCHAIN: NameRecords = {
  address: ACCOUNTS.carol,
  texts: { url: "https://offchain.example", "com.github": "offchain", email: "" },
  contenthash: "0xe40101fa011b20d1de9994b4d039f6548d191eb26786769f580809256b4685ef316805265ea162",
  uri: "bzz://d1de9994b4d039f6548d191eb26786769f580809256b4685ef316805265ea162",
};

/** The resolvers other than the public one: first the correct ones, then the hostile. */
const RESOLVERS: Readonly<Record<string, ResolverRow>> = {
  "wildcard": { resolver: "wildcard", shows: "a resolver that answers on chain for every name" },
  "offchain": {
    resolver: "offchain",
    shows: "records through the gateway, signed",
    records: OFFCHAIN,
  },
  "offchain-direct": {
    resolver: "offchainDirect",
    shows: "records through the gateway, which the resolver itself names to the client",
    records: OFFCHAIN,
  },
  "no-contract": { resolver: "account", shows: "an account where a resolver should be" },
  "burns-gas": { resolver: "gasBurner", shows: "a resolver that burns all gas" },
  "memory-bomb": { resolver: "memoryBomb", shows: "a resolver that returns four megabytes" },
  "huge-text": { resolver: "hugeText", shows: "a description of a megabyte, other records short" },
  "huge-texts": { resolver: "hugeTexts", shows: "records of a megabyte each" },
  "broken-text": { resolver: "brokenText", shows: "a resolver whose texts are not UTF-8" },
  "refuses": { resolver: "refuser", shows: "a resolver that reverts" },
  "babbles": { resolver: "babbler", shows: "a resolver that returns nonsense" },
  "abi-bomb": { resolver: "abiBomb", shows: "8,000 records that all lie in the same 400 KB" },
  "abi-alias": { resolver: "abiAlias", shows: "eight records that all lie in the same 400 KB" },
  "trap": { resolver: "trap", shows: "a resolver that points at loopback" },
  "trap-direct": {
    resolver: "trapDirect",
    shows: "a resolver that points at loopback, past the batch gateway",
  },
  "redirect": { resolver: "redirect", shows: "a resolver that points at a redirect to loopback" },
  "redirect-direct": {
    resolver: "redirectDirect",
    shows: "a resolver that points at a redirect to loopback, past the batch gateway",
  },
  "post-direct": {
    resolver: "postDirect",
    shows: "a resolver that points at loopback, past the batch gateway, by POST",
  },
  "file": {
    resolver: "file",
    shows: "a resolver whose gateway fails without an HTTP status",
  },
  "file-direct": { resolver: "fileDirect", shows: "a resolver that points at a file" },
};

/** Names that differ by their resolver. */
export const RESOLVER_NAMES: readonly ChainName[] = Object.entries(RESOLVERS).map(
  ([label, row]) => ({
    label,
    ...row,
    state: "taken",
    expiresIn: 200 * 86_400,
    owner: ACCOUNTS.bob,
  }),
);
