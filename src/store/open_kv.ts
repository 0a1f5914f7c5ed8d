/** Opens Deno KV, and retries in the background where a KV Connect server is out of reach. */
import { pause, withDeadline } from "../flow/deadline.ts";
import type { Report } from "../flow/process.ts";

/** What the service uses of Deno KV. */
export type Kv = Pick<Deno.Kv, "get" | "getMany" | "set" | "delete" | "list" | "atomic">;

/** A KV that its opener must close. */
export type OpenKv = Kv & Pick<Deno.Kv, "close">;

/** In ms. */
const TIMES = {
  /** From a failed attempt to the next one. */
  retryMs: 5_000,
  /** How long a start waits for the first attempt. */
  startMs: 3_000,
  /** How long a later attempt may take before another one begins: a connection may never answer. */
  attemptMs: 60_000,
};

/**
 * Opens KV by `open`. Rejects where the configuration is wrong.
 *
 * Where the server is out of reach it returns a KV whose operations fail, and retries in the background:
 * `kv.unavailable` is reported then, and `kv.opened` once the operations reach the server.
 *
 * Before Deno 2.9 `Deno.openKv` contacts no server, so it never fails for a URL; the operations do.
 */
export async function openKv(
  open: () => Promise<Deno.Kv>,
  { report, times: { retryMs, startMs, attemptMs } = TIMES }: {
    report: Report;
    /** Tests shorten them. */
    times?: typeof TIMES;
  },
): Promise<OpenKv> {
  let kv: Deno.Kv | undefined;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reason = `no answer within ${startMs} ms`;

  function adopt(opened: Deno.Kv): void {
    // An attempt that was given up may succeed after another one.
    if (isClosed || kv !== undefined) return opened.close();
    clearTimeout(timer);
    kv = opened;
    report("kv.opened", {});
  }

  function noteFailure(error: unknown): void {
    const last = reason;
    reason = String(error);
    // The server is back and refuses us, or fails in another way than at the start.
    if (!isOutOfReach(error) && reason !== last) report("kv.unavailable", { reason, retryMs });
  }

  /** Tries again until one succeeds; `opening` is under way or has failed. */
  async function attempt(opening: Promise<Deno.Kv>): Promise<void> {
    await withDeadline(opening.then(adopt, noteFailure), attemptMs, undefined);
    if (kv === undefined && !isClosed) timer = setTimeout(() => void attempt(open()), retryMs);
  }

  function current(): Deno.Kv {
    if (kv === undefined) throw new Error(`KV is unavailable: ${reason}`);
    return kv;
  }

  const opening = open();
  try {
    const opened = await withDeadline(opening, startMs, undefined);
    if (opened !== undefined) return opened;
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    reason = String(error);
  }
  report("kv.unavailable", { reason, retryMs });
  void attempt(opening);
  return {
    get: async (...args) => await current().get(...args),
    getMany: async (...args) => await current().getMany(...args),
    set: async (...args) => await current().set(...args),
    delete: async (...args) => await current().delete(...args),
    list: (...args) => current().list(...args),
    atomic: () => current().atomic(),
    close() {
      isClosed = true;
      clearTimeout(timer);
      kv?.close();
    },
  };
}

/**
 * Whether an error of `Deno.openKv` may pass: no connection, 429 or 5xx of the server, or a file that another process locks.
 * All others need another configuration: a file that cannot be opened, a URL that is no KV Connect server, a refused
 * token (401), a missing database (404). Deno has no error class for either; these are the texts of Deno 2.9.6.
 */
function isOutOfReach(error: unknown): boolean {
  return isLocked(error) ||
    /failed to connect to|responded with status (?:429|5\d\d)\b/.test(String(error));
}

/** Whether an error means that another process holds SQLite's write lock: nothing was written. */
export function isLocked(error: unknown): boolean {
  return String(error).includes("database is locked");
}

/** SQLite itself waits 5 s for a lock before Deno reports it, but not for every kind of lock. */
const UNLOCKED_PAUSE_MS = 200;

/**
 * Opens KV by `open`, again and again while another process locks its file: without KV a process would not know of the
 * requests that others have just sent to the registries. `onLocked` is called once.
 */
export async function openUnlockedKv(
  open: () => Promise<Deno.Kv>,
  { onLocked }: { onLocked: () => void },
): Promise<Deno.Kv> {
  for (let isFirst = true;; isFirst = false) {
    try {
      return await open();
    } catch (error) {
      if (!isLocked(error)) throw error;
    }
    if (isFirst) onLocked();
    await pause(UNLOCKED_PAUSE_MS);
  }
}
