/** What differs from run to run, and what stands for it. */
const VARYING: Readonly<Record<string, unknown>> = {
  checkedAt: "a time",
  endedAt: "a time",
  timestamp: "a time",
  refreshedAt: "a time",
  responseMs: "a duration",
  totalMs: "a duration",
  uptimeSeconds: "a duration",
  version: "a version",
};

/** An answer without its times, durations and versions, so that it compares with one that was printed before. */
export function masked<T>(answer: T): T {
  return JSON.parse(
    JSON.stringify(answer),
    (key, value) => Object.hasOwn(VARYING, key) ? VARYING[key] : value,
  );
}
