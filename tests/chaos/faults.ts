/** The faults of a chaos run; the short run of the test suite injects those whose handling the documents promise. */

/** Every fault that can be switched on. */
export const FAULTS = [
  "kill",
  "cutRequests",
  "clocks",
  "olderKv",
  "dnsLies",
  "dnsDenial",
  "registryLies",
  "refusals",
  "registryFaults",
  "redirectToOther",
  "wordings",
  "tables",
  "reservedWords",
  "legalWords",
  "oddWords",
  "oddShapes",
  "births",
  "turns",
  "renewals",
] as const;

/** A word of `FAULTS`. */
export type Fault = typeof FAULTS[number];

/**
 * Faults whose handling the suite checks. Left out: faults that take minutes (`registryFaults` open circuits for minutes,
 * `tables`), and shapes of a 404 that only the long run tries.
 */
export const SUITE_FAULTS: readonly Fault[] = [
  "kill",
  "cutRequests",
  "clocks",
  "dnsLies",
  "dnsDenial",
  "registryLies",
  "wordings",
  "reservedWords",
  "legalWords",
  "oddWords",
  "births",
  "renewals",
];

/** Ways in which a registry's answer fails, by the lab's names. */
export const REGISTRY_FAULTS = [
  "cut",
  "cutHeader",
  "reset",
  "garbage",
  "rateLimited",
  "unavailable503",
  "error500",
  "html404",
  "html200",
  "badJson404",
  "wrongName200",
  "wrongClass200",
  "notFound200",
  "oversized",
  "slow",
] as const;

/** A word of `REGISTRY_FAULTS`, or the redirect to the 404 of another name. */
export type RegistryFault = typeof REGISTRY_FAULTS[number] | "redirectToOther";
