/** What the contracts' answers mean for a .eth name: free, taken, and at which price. */

/** What the contracts know of a name; an address that is absent was refused or zero. */
export interface Registration {
  /** When the registration ends, in seconds since 1970; 0 where there never was one. */
  readonly expires: bigint;
  /** The block's own time, for the host's clock decides nothing on chain. */
  readonly now: bigint;
  /** Whether the controller that was asked may still register names. */
  readonly isOpen: boolean;
  readonly holders: Holders;
  readonly resolver?: string;
  /** For a year, in wei. */
  readonly price?: { readonly base: bigint; readonly premium: bigint };
}

/** Who holds a name, as each contract has it. */
export interface Holders {
  /** BaseRegistrar's owner; it refuses to tell once the name has expired. */
  readonly registrant?: string;
  /** ENSRegistry's owner. */
  readonly manager?: string;
  /** NameWrapper's owner. */
  readonly wrapped?: string;
}

/** What a year costs. */
export interface RegistrationPrice {
  /** Base and temporary premium together. */
  readonly wei: string;
  readonly eth: string;
  /** How much of `wei` is the temporary premium, while one runs. */
  readonly premiumWei?: string;
  /** By the name's length; without the temporary premium. */
  readonly usdEstimate: number;
}

/** What is told of a name. */
export type EnsVerdict =
  | { kind: "free"; registrationPrice: RegistrationPrice }
  | { kind: "taken"; owner?: string; resolver?: string }
  | { kind: "failed"; why: string };

/** Why the records of a name could not be read. */
export interface RecordsProblem {
  /** What caused it, which decides whether it is cached. */
  readonly kind:
    /** The resolver burnt its gas, returned too much or returned nonsense: it would do so again. */
    | "resolver"
    /** The trusted gateway, or the one of the resolver that it asks, did not answer. */
    | "gateway"
    /** The Ethereum nodes did not answer. */
    | "node";
  readonly why: string;
}

/** A year as the contracts count it; 365.2425 days would cost 640.43 USD where the tier says 640. */
export const YEAR_SECONDS = 31_536_000n;
/** After its end a name stays with its owner for 90 days (BaseRegistrar's GRACE_PERIOD). */
const GRACE_SECONDS = 90n * 86_400n;
const WEI_DIGITS = 18;

const SECOND_MS = 1_000;
const LIFETIMES_MS = {
  taken: 600 * SECOND_MS,
  free: 60 * SECOND_MS,
  premium: 15 * SECOND_MS,
  withoutRecords: 60 * SECOND_MS,
};

/** Whether somebody holds the name, be it in its grace period. */
export function isHeld({ expires, now }: Pick<Registration, "expires" | "now">): boolean {
  return expires > 0n && expires + GRACE_SECONDS >= now;
}

/** Decides on a label. "Free" takes a controller that still sells: with registration closed, expiry means nothing. */
export function decideEns(
  label: string,
  registration: Registration,
  nameWrapper: string,
): EnsVerdict {
  const { isOpen, price, holders, resolver } = registration;
  if (isHeld(registration)) {
    const owner = ownerAmong(holders, nameWrapper);
    return { kind: "taken", ...(owner && { owner }), ...(resolver && { resolver }) };
  }
  if (!isOpen) {
    return { kind: "failed", why: "the configured controller does not register names any more" };
  }
  if (price === undefined) return { kind: "failed", why: "the controller told no price" };
  return { kind: "free", registrationPrice: tellPrice(label, price) };
}

/** The holder that a wallet would show: through the NameWrapper where it is the registrant, also in grace. */
export function ownerAmong(
  { registrant, manager, wrapped }: Holders,
  nameWrapper: string,
): string | undefined {
  const holder = registrant ?? manager;
  return holder?.toLowerCase() === nameWrapper.toLowerCase() ? wrapped : holder;
}

/** How long a verdict may be answered again; a premium halves daily, so it is soon too high. */
export function ensLifetimeMs(verdict: EnsVerdict): number {
  if (verdict.kind === "failed") return 0;
  if (verdict.kind === "taken") return LIFETIMES_MS.taken;
  return verdict.registrationPrice.premiumWei === undefined
    ? LIFETIMES_MS.free
    : LIFETIMES_MS.premium;
}

/** How long a profile may be answered again; `problem` says why it lacks its records. */
export function profileLifetimeMs(
  kind: "found" | "notFound" | "failed",
  problem?: RecordsProblem["kind"],
): number {
  switch (problem) {
    case undefined:
      return { found: LIFETIMES_MS.taken, notFound: LIFETIMES_MS.free, failed: 0 }[kind];
    case "resolver":
      // Uncached, each request would have the nodes burn the same gas again.
      return LIFETIMES_MS.withoutRecords;
    case "gateway":
    case "node":
      return 0;
  }
}

function tellPrice(
  label: string,
  { base, premium }: { base: bigint; premium: bigint },
): RegistrationPrice {
  const wei = base + premium;
  return {
    wei: `${wei}`,
    eth: inEther(wei),
    ...(premium > 0n && { premiumWei: `${premium}` }),
    usdEstimate: usdATier(label.length),
  };
}

/** The tiers that the DAO set: 3 characters 640 USD a year, 4 characters 160, more 5. */
function usdATier(length: number): number {
  if (length === 3) return 640;
  return length === 4 ? 160 : 5;
}

function inEther(wei: bigint): string {
  const digits = `${wei}`.padStart(WEI_DIGITS + 1, "0");
  const fraction = digits.slice(-WEI_DIGITS).replace(/0+$/, "");
  return `${digits.slice(0, -WEI_DIGITS)}${fraction && `.${fraction}`}`;
}
