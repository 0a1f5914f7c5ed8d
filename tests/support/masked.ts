/** Fields that differ from run to run, by their replacements. */
const VARYING = {
  "a time": "askedAt checkedAt endedAt expiresAt graceEndsAt premiumEndsAt timestamp refreshedAt " +
    "since updatedAt testedAt",
  "days": "premiumBelow",
  "a duration": "ms responseMs totalMs uptimeSeconds",
  "a version": "version",
};

const REPLACEMENTS = new Map(
  Object.entries(VARYING).flatMap(([what, names]) => names.split(" ").map((name) => [name, what])),
);

/** A copy of an answer without times, durations and versions, to compare it with a documented one. */
export function masked<T>(answer: T): T {
  return JSON.parse(JSON.stringify(answer), (key, value) => REPLACEMENTS.get(key) ?? value);
}
