/** Schedules of paced RDAP hosts: `["pace", host]` → what processes share of it, changed by compare-and-set. */
import type { ChangeOutcome, ChangePace } from "../flow/shared_schedule.ts";
import type { SharedPace } from "../flow/slots.ts";
import type { GuardedKv } from "./guarded_kv.ts";
import type { Kv } from "./open_kv.ts";

/** The shared schedules of all hosts. */
export interface Paces {
  /** Changes a host's record: one round trip where this process was the last to change it, else two. */
  change(host: string, next: Parameters<ChangePace>[0]): Promise<ChangeOutcome>;
}

type Entry = Pick<Deno.KvEntryMaybe<SharedPace>, "value" | "versionstamp">;

/** Longer than any slot is ahead: a host that was not asked for so long has its whole burst. */
const LIFETIME_MS = 3_600_000;

/** Keeps schedules in KV. */
export function createPaces(kv: GuardedKv): Paces {
  /** Entries as this process has written them. While another process writes too, the newest is read first. */
  const written = new Map<string, { entry: Entry; isNewest: boolean }>();

  async function tryToChange(
    kv: Kv,
    host: string,
    next: Parameters<ChangePace>[0],
  ): Promise<ChangeOutcome> {
    const key = ["pace", host];
    const last = written.get(host);
    const entry: Entry = last?.isNewest ? last.entry : await kv.get<SharedPace>(key);
    const value = next(entry.value ?? undefined);
    if (value === undefined) return "done";
    const { versionstamp } = entry;
    const result = await kv.atomic().check({ key, versionstamp })
      .set(key, value, { expireIn: LIFETIME_MS }).commit();
    if (!result.ok) {
      if (last !== undefined) written.set(host, { ...last, isNewest: false });
      return "conflict";
    }
    written.set(host, {
      entry: { value, versionstamp: result.versionstamp },
      isNewest: versionstamp === null || versionstamp === last?.entry.versionstamp,
    });
    return "done";
  }

  return {
    change: (host, next) => kv.attempt((kv) => tryToChange(kv, host, next), "failed"),
  };
}
