/** Hours of look-ups: `["accuracy", beginning]` → what all processes counted in that hour. */
import { addHours, type DatedHour, EMPTY_HOUR, type Hour } from "../rules/accuracy.ts";
import { changeEntry } from "./change_entry.ts";
import type { GuardedKv } from "./guarded_kv.ts";

/** An hour is shown for a day after its beginning. */
const LIFETIME_MS = 25 * 3_600_000;

/** Stores the hours in KV as all processes know them. */
export function createAccuracyStore(kv: GuardedKv) {
  return {
    /** Adds to an hour in one commit; false where KV failed. */
    async add({ startsAt, ...counted }: DatedHour): Promise<boolean> {
      const next = (stored = EMPTY_HOUR) => addHours(stored, counted);
      const change = { next, lifetimeMs: () => LIFETIME_MS };
      return await changeEntry<Hour>(kv, ["accuracy", startsAt], change) !== undefined;
    },
    /** The hours that KV has, in order; none where KV fails. */
    list: (): Promise<DatedHour[]> =>
      kv.attempt(async (kv) => {
        const hours: DatedHour[] = [];
        for await (const { key, value } of kv.list<Hour>({ prefix: ["accuracy"] })) {
          hours.push({ startsAt: Number(key[1]), ...value });
        }
        return hours;
      }, []),
  };
}
