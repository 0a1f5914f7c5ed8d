import type { Address, Hex } from "viem";

/** The state of a name: in grace it still belongs to its owner; in its premium it is available at a high price. */
export type NameState = "taken" | "grace" | "premium" | "free";

/** Resolvers other than the public one, first the correct ones, then the hostile; a name has the label of each. */
const RESOLVERS = [
  /** Answers on chain for every name. */
  "wildcard",
  /** Through a batch gateway, or by its own URL: to the trusted gateway, the trap and a file. */
  "offchain",
  "offchain-direct",
  /** An account, which has no code. */
  "no-contract",
  "burns-gas",
  "huge-text",
  "broken-text",
  "refuses",
  "babbles",
  /** Records that all lie in the same bytes: 900, and as many as are asked for. */
  "abi-bomb",
  "abi-alias",
  "trap",
  "trap-direct",
  "file",
] as const;

/** A resolver by what it does. */
export type ResolverKind = "public" | typeof RESOLVERS[number];

/** A name of the chain, below `.eth`. */
export interface ChainName {
  label: string;
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

const ALICE = "0x00000000000000000000000000000000000A11cE";
const BOB = "0x0000000000000000000000000000000000000B0b";
const CAROL = "0x00000000000000000000000000000000000ca401";

const DAY = 86_400;
const GRACE = 90 * DAY;

const HELD = { state: "taken", expiresIn: 200 * DAY, owner: BOB } as const;
const WRAPPED = { owner: CAROL, wrapped: true } as const;
const IPFS = {
  contenthash: "0xe3010170122029f2d17be6139079dc48696d1f582a8530eb9805b561eda517e22a892c7e3f1f",
  uri: "ipfs://bafybeibj6lixxzqtsb45ysdjnupvqkufgdvzqbnvmhw2kf7cfkesy7r7d4",
} as const;

/** A name that has, or had, an owner with records, which stay on chain when it expires. */
function expiring(label: string, state: NameState, expiresIn: number): ChainName {
  const texts = { url: "https://left.example", email: "left@left.example" };
  const records = { address: ALICE, texts } as const;
  return { label, state, expiresIn, owner: ALICE, resolver: "public", records };
}

const REGISTRATIONS: readonly ChainName[] = [
  { label: "fre", state: "free" },
  { label: "free-for-you", state: "free" },
  { label: "x".repeat(63), state: "free" },
  { ...HELD, label: "bare", expiresIn: DAY },
  { ...HELD, label: "sold", manager: ALICE, resolver: "public", records: { address: ALICE } },
  { ...HELD, ...WRAPPED, label: "wrapped", resolver: "public", records: { address: CAROL } },
  { ...HELD, ...WRAPPED, label: "wrapped-bare" },
  expiring("grace", "grace", -10 * DAY),
  { ...expiring("grace-wrapped", "grace", -10 * DAY), ...WRAPPED },
  expiring("premium-day-10", "premium", -GRACE - 10 * DAY),
  { ...expiring("premium-wrapped", "premium", -GRACE - 10 * DAY), ...WRAPPED },
  expiring("free-again", "free", -GRACE - 51 * DAY),
];

/** The names on the public resolver, by their records. */
const RECORDS: Readonly<Record<string, NameRecords>> = {
  "alice": {
    address: BOB,
    texts: {
      avatar: "eip155:1/erc721:0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d/1",
      url: "https://alice.example",
      description: "Alice of the test chain",
      "com.twitter": "alice",
      "com.github": "alice-codes",
      email: "alice@alice.example",
    },
    ...IPFS,
  },
  "control-records": {
    texts: {
      url: "https://a.example/\u202Egpj.exe",
      description: "one\u0000two\u001B[31mthree\u007Ffour\u0085five\u2066six\u2069seven\r\n",
    },
  },
  "on-arweave": {
    contenthash: "0x90b2ca05b3a1a1c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f405162738495a6b7c8d",
    uri: "ar://s6GhwdLj9AUWJzhJWmt8jZ6vsMHS4_QFFic4SVprfI0",
  },
};

/** The records that the gateway serves. */
const OFFCHAIN_TEXTS = { url: "https://offchain.example", "com.github": "offchain", email: "" };
const OFFCHAIN: NameRecords = { address: CAROL, texts: OFFCHAIN_TEXTS, ...IPFS };

/** All names of the chain: every state, record and resolver that a look-up can meet. */
export const CHAIN_NAMES: readonly ChainName[] = [
  ...REGISTRATIONS,
  ...Object.entries(RECORDS).map(([label, records]): ChainName => {
    return { ...HELD, label, owner: ALICE, resolver: "public", records };
  }),
  ...RESOLVERS.map((resolver): ChainName => {
    const records = resolver.startsWith("offchain") ? OFFCHAIN : undefined;
    return { ...HELD, label: resolver, resolver, ...(records && { records }) };
  }),
];
