/** The windows in KV, `["rate", subject]` → times and counts, and what this process remembers of them. */
import { createBoundedMap } from "../flow/bounded_map.ts";
import { live, type Window } from "../rules/window.ts";

/** A subject's window as KV was seen to hold it. */
export interface Page {
  readonly window: Window;
  /** Its version; null: KV holds none; undefined: another process has changed it since, or may have. */
  readonly stamp: string | null | undefined;
}

/** A window to be written over the version that it was made from. */
export interface Write {
  readonly subject: string;
  readonly stamp: string | null;
  readonly window: Window;
}

/** The windows in KV. All functions throw what KV throws. */
export interface Pages {
  /** What is remembered of a subject, without what has lapsed at that time. */
  of(subject: string, time: number): Page;
  /** Reads those of which the version is not known; at most ten. */
  refresh(subjects: readonly string[]): Promise<void>;
  /** Writes all or, where one of them has changed since, none; tells which. At most ten. */
  commit(writes: readonly Write[], time: number): Promise<boolean>;
  /** How many are remembered. */
  readonly size: number;
}

/** The part of KV that windows need. */
export type WindowKv = Pick<Deno.Kv, "getMany" | "atomic">;

/** A guess that spares new subjects a read, and costs others a commit that fails: nothing is there yet. */
const ABSENT: Page = { window: [], stamp: null };
/** KV's own expiry only collects garbage; it must not be early. */
const MARGIN_MS = 1_000;

/** Creates the pages; at most `max` are remembered, and what was forgotten is read again. */
export function createPages(
  kv: WindowKv,
  { max, windowMs }: { max: number; windowMs: number },
): Pages {
  const pages = createBoundedMap<Page>(max);

  function last(subject: string): Page {
    return pages.get(subject) ?? ABSENT;
  }

  function of(subject: string, time: number): Page {
    const page = last(subject);
    const window = live(page.window, time, windowMs);
    if (window === page.window) return page;
    const lapsed = { ...page, window };
    pages.set(subject, lapsed);
    return lapsed;
  }

  async function refresh(subjects: readonly string[]): Promise<void> {
    const stale = subjects.filter((subject) => last(subject).stamp === undefined);
    if (stale.length === 0) return;
    const entries = await kv.getMany<Float64Array[]>(stale.map(keyOf));
    stale.forEach((subject, n) => {
      const entry = entries[n];
      if (entry === undefined) return;
      learn(subject, { window: decode(entry.value), stamp: entry.versionstamp });
    });
  }

  async function commit(writes: readonly Write[], time: number): Promise<boolean> {
    const operation = kv.atomic();
    for (const { subject, stamp, window } of writes) {
      const key = keyOf(subject);
      const expireIn = (window.at(-1)?.at ?? time) + windowMs + MARGIN_MS - time;
      operation.check({ key, versionstamp: stamp }).set(key, encode(window), { expireIn });
      // Until the end of the commit is known, so is no version: whoever comes in between must read.
      pages.set(subject, { window: last(subject).window, stamp: undefined });
    }
    const result = await operation.commit();
    if (!result.ok) return false;
    for (const { subject, window } of writes) {
      learn(subject, { window, stamp: result.versionstamp });
    }
    return true;
  }

  /** An answer that comes late must not stand in for a newer one. */
  function learn(subject: string, page: Page): void {
    if (last(subject).stamp === undefined) pages.set(subject, page);
  }

  return {
    of,
    refresh,
    commit,
    get size() {
      return pages.size;
    },
  };
}

function keyOf(subject: string): Deno.KvKey {
  return ["rate", subject];
}

function encode(window: Window): Float64Array {
  return Float64Array.from(window.flatMap(({ at, count }) => [at, count]));
}

/** Whatever else may stand there is no window of ours, and is written over. */
function decode(value: unknown): Window {
  if (!(value instanceof Float64Array)) return [];
  return Array.from(
    { length: value.length >> 1 },
    (_, n) => ({ at: value[2 * n] ?? 0, count: value[2 * n + 1] ?? 0 }),
  );
}
