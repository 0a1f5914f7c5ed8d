import { ACCOUNTS, type ChainName } from "./chain_name.ts";

const { alice, bob, carol } = ACCOUNTS;

const HOUR = 3_600;
const DAY = 24 * HOUR;
const GRACE = 90 * DAY;
const PREMIUM = 21 * DAY;

/** A former owner's records, which stay on chain when the name expires. */
const LEFT = {
  owner: alice,
  resolver: "public",
  records: { address: alice, texts: { url: "https://left.example", email: "left@left.example" } },
} as const;

/** Names that differ by how their registration stands. A label that has no row anywhere is free. */
export const REGISTRATION_NAMES: readonly ChainName[] = [
  { label: "fre", shows: "free, three characters", state: "free" },
  { label: "four", shows: "free, four characters", state: "free" },
  { label: "free-for-you", shows: "free, five characters or more", state: "free" },
  { label: "x".repeat(63), shows: "free, and as long as can be", state: "free" },
  { label: "bare", shows: "taken, no resolver", state: "taken", expiresIn: DAY, owner: bob },
  {
    label: "sold",
    shows: "taken by Bob; Alice, who had it before, still manages it",
    state: "taken",
    expiresIn: 90 * DAY,
    owner: bob,
    manager: alice,
    resolver: "public",
    records: { address: alice },
  },
  {
    label: "wrapped",
    shows: "taken by Carol; the registration is the wrapper's",
    state: "taken",
    expiresIn: 30 * DAY,
    owner: carol,
    wrapped: true,
    resolver: "public",
    records: { address: carol, texts: { url: "https://wrapped.example" } },
  },
  {
    label: "wrapped-bare",
    shows: "taken by Carol, wrapped, no resolver",
    state: "taken",
    expiresIn: 30 * DAY,
    owner: carol,
    wrapped: true,
  },
  { label: "last-second", shows: "ends this second: taken", state: "taken", expiresIn: 0, ...LEFT },
  {
    label: "grace-first-second",
    shows: "in grace for a second",
    state: "grace",
    expiresIn: -1,
    ...LEFT,
  },
  { label: "grace", shows: "in grace", state: "grace", expiresIn: -10 * DAY, ...LEFT },
  {
    label: "grace-wrapped",
    shows: "in grace, wrapped",
    state: "grace",
    expiresIn: -10 * DAY,
    ...LEFT,
    owner: carol,
    wrapped: true,
  },
  {
    label: "grace-last-second",
    shows: "in grace until now",
    state: "grace",
    expiresIn: -GRACE,
    ...LEFT,
  },
  {
    label: "premium-first-second",
    shows: "out of grace for a second: nearly 100 million USD",
    state: "premium",
    expiresIn: -GRACE - 1,
    ...LEFT,
  },
  {
    label: "premium-day-0",
    shows: "out of grace for an hour",
    state: "premium",
    expiresIn: -GRACE - HOUR,
    ...LEFT,
  },
  {
    label: "premium-day-10",
    shows: "out of grace for ten days",
    state: "premium",
    expiresIn: -GRACE - 10 * DAY,
    ...LEFT,
  },
  {
    label: "premium-wrapped",
    shows: "out of grace for ten days, wrapped before",
    state: "premium",
    expiresIn: -GRACE - 10 * DAY,
    ...LEFT,
    owner: carol,
    wrapped: true,
  },
  {
    label: "pre",
    shows: "out of grace for ten days, three characters",
    state: "premium",
    expiresIn: -GRACE - 10 * DAY,
    ...LEFT,
  },
  {
    label: "premium-last-second",
    shows: "the last second of its premium: a trifle",
    state: "premium",
    expiresIn: -GRACE - PREMIUM + 1,
    ...LEFT,
  },
  {
    label: "free-first-second",
    shows: "free again this second",
    state: "free",
    expiresIn: -GRACE - PREMIUM,
    ...LEFT,
  },
  {
    label: "free-again",
    shows: "free again for a month, its records still there",
    state: "free",
    expiresIn: -GRACE - PREMIUM - 30 * DAY,
    ...LEFT,
  },
];
