import type { ChainName } from "./chain_name.ts";

const DAY = 86_400;

const ALICE = "0x00000000000000000000000000000000000A11cE";
const BOB = "0x0000000000000000000000000000000000000B0b";
const CAROL = "0x00000000000000000000000000000000000ca401";

/** The names that differ by the state of their registration. A label that has no row is free. */
export const CHAIN_NAMES: readonly ChainName[] = [
  { label: "fre", shows: "free, three characters: 640 USD a year", state: "free" },
  { label: "four", shows: "free, four characters: 160 USD a year", state: "free" },
  { label: "freename", shows: "free, five characters or more: 5 USD a year", state: "free" },
  {
    label: "alice",
    shows: "taken, with all records",
    state: "taken",
    expiresIn: 200 * DAY,
    owner: ALICE,
    resolver: "public",
    records: {
      address: BOB,
      texts: {
        avatar: "https://alice.example/avatar.png",
        url: "https://alice.example",
        description: "Alice of the test chain",
        "com.twitter": "alice",
        "com.github": "alice-codes",
        email: "alice@alice.example",
      },
    },
  },
  { label: "bare", shows: "taken, without resolver", state: "taken", expiresIn: DAY, owner: BOB },
  {
    label: "wrapped",
    shows: "taken; the registration is the wrapper's, the name is Carol's",
    state: "taken",
    expiresIn: 30 * DAY,
    owner: CAROL,
    wrapped: true,
    resolver: "public",
  },
];
