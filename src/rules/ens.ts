/** What the contracts' answers mean for a .eth name: available or taken, and the price; and text from the chain, made harmless. */

/** A name's state in the contracts; an absent address was zero, or its call reverted. */
export interface Registration {
  /** When the registration ends, in seconds since 1970; 0 if there never was one. */
  readonly expires: bigint;
  /** The block's timestamp: the host's clock has no meaning on chain. */
  readonly now: bigint;
  /** Whether the configured controller may still register names. */
  readonly isOpen: boolean;
  /** BaseRegistrar's owner; the call reverts once the name has expired. */
  readonly registrant?: string;
  /** ENSRegistry's owner. */
  readonly manager?: string;
  /** NameWrapper's owner. */
  readonly wrapped?: string;
  readonly resolver?: string;
  /** For a year, in wei. */
  readonly price?: { readonly base: bigint; readonly premium: bigint };
}

/** What a year costs. */
export interface RegistrationPrice {
  /** Base and temporary premium together. */
  readonly wei: string;
  readonly eth: string;
  /** The share of `wei` that is the temporary premium; absent if there is none. */
  readonly premiumWei?: string;
  /** By the name's length; without the temporary premium. */
  readonly usdEstimate: number;
  /** Stands while `wei` holds a premium: five dollars beside 39 ETH would be read as the price of the whole. */
  readonly usdEstimateOf?: "base";
}

/** When a registration ends and what follows; ISO 8601. */
export interface EnsDates {
  readonly expiresAt?: string;
  /** Until then only its owner can renew it. */
  readonly graceEndsAt?: string;
  /** Until then a new owner pays a premium. */
  readonly premiumEndsAt?: string;
  /** The days on which the premium falls below some amounts, as YYYY-MM-DD in UTC. */
  readonly premiumBelow?: readonly { readonly usd: number; readonly on: string }[];
}

/** The verdict on a .eth name; `expires`: when its last registration ends, in seconds since 1970, if there was one. */
export type EnsVerdict =
  | { kind: "free"; registrationPrice: RegistrationPrice; expires?: number }
  | { kind: "taken"; owner?: string; resolver?: string; expires?: number }
  | { kind: "failed"; why: string };

/** Why the records of a name could not be read. */
export interface RecordsProblem {
  /** The cause; decides whether the result is cached. */
  readonly kind:
    /** The resolver ran out of gas, returned too much or returned malformed data: it would do so again. */
    | "resolver"
    /** The trusted gateway, or the resolver's own gateway behind it, did not answer. */
    | "gateway"
    /** The Ethereum nodes did not answer. */
    | "node";
  readonly why: string;
}

/** A year as the contracts count it; 365.2425 days would cost 640.43 USD where the tier says 640. */
export const YEAR_SECONDS = 31_536_000n;
/** An expired name stays with its owner for 90 days (BaseRegistrar's GRACE_PERIOD). */
const GRACE_SECONDS = 90n * 86_400n;
/**
 * The premium after that: it begins at 100 million US dollars and halves daily, and what would be left of it after 21 days is
 * taken off from the start (the price oracle of the registrar's controller, read in 2026-11). The contract counts in dollars
 * and converts the sum at its price feed's rate, so the ETH price moves no day.
 */
const PREMIUM_DAYS = 21;
const PREMIUM_SECONDS = PREMIUM_DAYS * 86_400;
const PREMIUM_START_USD = 100_000_000;
const PREMIUM_END_USD = PREMIUM_START_USD / 2 ** PREMIUM_DAYS;
/** Amounts that people wait for. */
const PREMIUMS_USD = [1_000, 100, 10];
const WEI_DIGITS = 18;

const SECOND_MS = 1_000;
const LIFETIMES_MS = {
  taken: 600 * SECOND_MS,
  free: 60 * SECOND_MS,
  premium: 15 * SECOND_MS,
};

/** Whether the name has an owner, grace period included. */
export function isHeld({ expires, now }: Pick<Registration, "expires" | "now">): boolean {
  return expires > 0n && expires + GRACE_SECONDS >= now;
}

const MOVED = "the name has moved to the contracts of ENSv2, which are not asked";
/** Follows the reason why these contracts do not sell a name that they do not hold. */
const NOT_ASKED = "and the contracts of ENSv2, which may hold the name, are not asked";

/** Decides on a label. Free requires a controller that still sells: without one, expiry means nothing. */
export function decideEns(
  label: string,
  registration: Registration,
  { nameWrapper, graveyard }: { nameWrapper: string; graveyard?: string },
): EnsVerdict {
  const failed = (why: string): EnsVerdict => ({ kind: "failed", why });
  const { isOpen, price, resolver } = registration;
  const expires = Number(registration.expires);
  if (isHeld(registration)) {
    const owner = ownerOf(registration, nameWrapper);
    if (owner && owner.toLowerCase() === graveyard?.toLowerCase()) return failed(MOVED);
    return { kind: "taken", ...(owner && { owner }), ...(resolver && { resolver }), expires };
  }
  if (!isOpen) return failed(`the configured controller no longer registers names, ${NOT_ASKED}`);
  if (price === undefined) return failed(`the controller returned no price, ${NOT_ASKED}`);
  const registrationPrice = toRegistrationPrice(label, price);
  return { kind: "free", registrationPrice, ...(expires > 0 && { expires }) };
}

/** The last moment that a date can show, in seconds since 1970: a registration may be paid for beyond it. */
const LAST_SECOND = Date.UTC(9999, 0) / 1_000;

/** The dates of a registration that ends at `expires`; none once its premium is over, or if it never ends. */
export function ensDates(expires: number | undefined, now: number): EnsDates {
  if (expires === undefined || expires > LAST_SECOND) return {};
  const graceEnds = expires + Number(GRACE_SECONDS);
  const premiumEnds = graceEnds + PREMIUM_SECONDS;
  if (premiumEnds * 1_000 <= now) return {};
  const dateOf = (seconds: number) => new Date(seconds * 1_000).toISOString();
  return {
    expiresAt: dateOf(expires),
    graceEndsAt: dateOf(graceEnds),
    premiumEndsAt: dateOf(premiumEnds),
    premiumBelow: PREMIUMS_USD.map((usd) => {
      const days = Math.log2(PREMIUM_START_USD / (usd + PREMIUM_END_USD));
      return { usd, on: dateOf(graceEnds + Math.ceil(days * 86_400)).slice(0, 10) };
    }),
  };
}

/** The owner that a wallet would show: the wrapped owner if the NameWrapper holds the name, also in the grace period. */
function ownerOf({ registrant, manager, wrapped }: Registration, nameWrapper: string) {
  const holder = registrant ?? manager;
  return holder?.toLowerCase() === nameWrapper.toLowerCase() ? wrapped : holder;
}

/** How long a verdict may be cached, in ms; a premium halves daily, so it is soon outdated. */
export function ensLifetimeMs(verdict: EnsVerdict & { readonly checkedAt: string }): number {
  if (verdict.kind === "failed") return 0;
  if (verdict.kind === "taken") return heldLifetimeMs(verdict);
  return LIFETIMES_MS[verdict.registrationPrice.premiumWei === undefined ? "free" : "premium"];
}

/** How long a profile may be cached, in ms; `problem` is the reason for missing records. */
export function profileLifetimeMs(
  { kind, problem, ...found }: HeldUntil & {
    readonly kind: "found" | "notFound" | "failed";
    readonly problem?: RecordsProblem["kind"] | undefined;
  },
): number {
  if (kind !== "found") return kind === "notFound" ? LIFETIMES_MS.free : 0;
  if (problem === undefined) return heldLifetimeMs(found);
  // Uncached, each request would cost the nodes the same gas again.
  return problem === "resolver" ? LIFETIMES_MS.free : 0;
}

/** When a held name's registration ends, in seconds since 1970, and when that was asked (ISO 8601). */
interface HeldUntil {
  readonly expires?: number;
  readonly checkedAt: string;
}

/** At most until the grace period ends, when others can register the name. */
function heldLifetimeMs({ expires = Infinity, checkedAt }: HeldUntil): number {
  const graceEnds = (expires + Number(GRACE_SECONDS)) * SECOND_MS;
  return Math.max(0, Math.min(LIFETIMES_MS.taken, graceEnds - Date.parse(checkedAt)));
}

function toRegistrationPrice(
  label: string,
  { base, premium }: { base: bigint; premium: bigint },
): RegistrationPrice {
  const wei = base + premium;
  return {
    wei: `${wei}`,
    eth: toEther(wei),
    ...(premium > 0n && { premiumWei: `${premium}` }),
    usdEstimate: usdOfTier(label.length),
    ...(premium > 0n && { usdEstimateOf: "base" }),
  };
}

/** The DAO's price tiers: 3 characters 640 USD a year, 4 characters 160, more 5. */
function usdOfTier(length: number): number {
  if (length === 3) return 640;
  return length === 4 ? 160 : 5;
}

function toEther(wei: bigint): string {
  const digits = `${wei}`.padStart(WEI_DIGITS + 1, "0");
  const fraction = digits.slice(-WEI_DIGITS).replace(/(?<!0)0+$/, "");
  return `${digits.slice(0, -WEI_DIGITS)}${fraction && `.${fraction}`}`;
}

/** Tabs and line ends, which separate words. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Control and bidi characters, which a terminal or a page would obey. */
const COMMANDS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** Longer than any honest record; six of them still fit into one KV value. */
const MAX_BYTES = 4_096;

/** The text without control and bidi characters, at most 4 KiB of it in UTF-8. */
export function harmlessText(text: string): string {
  // Cut first, so that a text of a megabyte is not searched as a whole; the rest is enough for 4 KiB.
  const clean = text.slice(0, 2 * MAX_BYTES).replace(BREAKS, " ").replace(COMMANDS, "")
    .toWellFormed();
  const bytes = new Uint8Array(MAX_BYTES);
  const { read } = new TextEncoder().encodeInto(clean, bytes);
  return clean.slice(0, read);
}

/** Mainnet's chain id; a node on another chain must not be used. */
export const MAINNET_ID = 1n;
