/** Fields that differ from run to run, and their replacements. */
const VARYING: Readonly<Record<string, unknown>> = {
  askedAt: "a time",
  checkedAt: "a time",
  endedAt: "a time",
  expiresAt: "a time",
  graceEndsAt: "a time",
  premiumEndsAt: "a time",
  premiumBelow: "days",
  timestamp: "a time",
  refreshedAt: "a time",
  since: "a time",
  updatedAt: "a time",
  testedAt: "a time",
  ms: "a duration",
  responseMs: "a duration",
  totalMs: "a duration",
  uptimeSeconds: "a duration",
  version: "a version",
};

/** A copy of an answer without times, durations and versions, to compare it with a documented one. */
export function masked<T>(answer: T): T {
  return JSON.parse(
    JSON.stringify(answer),
    (key, value) => Object.hasOwn(VARYING, key) ? VARYING[key] : value,
  );
}
