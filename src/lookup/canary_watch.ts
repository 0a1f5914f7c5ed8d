/** Whether a registry's 404s can be trusted: by the result in force, or by a canary test made now. */
import type { Priority } from "../flow/gate.ts";
import type { Report } from "../flow/report.ts";
import { withFallbackAfter } from "../flow/with_fallback_after.ts";
import type { Canary } from "../rules/answer.ts";
import type { TldRow } from "../rules/tlds.ts";
import type { CanaryProbe } from "./canary_probe.ts";
import type { CanaryRecords } from "./canary_records.ts";

/** The canaries of all TLDs. */
export interface CanaryWatch {
  /** The result in force, or that of a test made now; undecided where that takes too long. */
  resultOf(row: TldRow, priority: Priority): Promise<Canary>;
  /** The result in force, without a test. */
  inForce(row: TldRow): Promise<Canary | undefined>;
  /** Whether a 404 counts that was asked for at `askedAt` (ms since 1970): not if its registry denied registered names since. */
  trusts(row: TldRow, askedAt: number): boolean;
  /**
   * Tests the registry anew, for it has worded a 404 in a way that is not known; the result in force where its host was
   * tested for that reason within the last minute.
   */
  retest(row: TldRow, priority: Priority): Promise<Canary>;
  /** Tests every TLD without a result in force, behind clients' look-ups. */
  renew(rows: readonly TldRow[]): Promise<void>;
  /** Tests every TLD again, likewise. */
  probe(rows: readonly TldRow[], options: ProbeOptions): Promise<void>;
  /** Whether the row's base has passed its test, by the result in force. */
  isProven(row: TldRow): Promise<boolean>;
  /** Tests a base that is not in use, likewise; only a pass is recorded, for the TLD still has another base. */
  prove(row: TldRow): Promise<Canary>;
}

/** How a probe is stopped, and who hears of its results. */
export interface ProbeOptions {
  stop: AbortSignal;
  onResult(row: TldRow, canary: Canary): void;
}

/** How long a client waits for a test, beyond the registry's own answer. */
const PATIENCE_MS = 14_000;
/** How often a host may be tested because of the wording of its 404s. */
const RELEARN_EVERY_MS = 60_000;

/** Creates the watch; `monotonic` is a clock in ms that is never set back. */
export function createCanaryWatch(
  { probe, records, stop, report, monotonic }: {
    probe: Pick<CanaryProbe, "test">;
    records: Pick<CanaryRecords, "inForce" | "note" | "trusts">;
    /** Ends the renewal: a service that shuts down has nothing to test. */
    stop: AbortSignal;
    report: Report;
    monotonic: () => number;
  },
): CanaryWatch {
  const tests = new Map<string, Promise<Canary>>();
  const relearntAt = new Map<string, number>();

  async function test(
    row: TldRow,
    priority: Priority,
    onDenial: (doubted: Canary) => Promise<void>,
  ): Promise<Canary> {
    const canary = await probe.test(row, priority, onDenial);
    const reason = canary.kind === "passed" ? {} : { reason: canary.why };
    report("canary", { tld: row.tld, base: row.rdapBase, kind: canary.kind, ...reason });
    return canary;
  }

  async function testAndNote(row: TldRow, priority: Priority): Promise<Canary> {
    const canary = await test(row, priority, (doubted) => records.note(row, doubted));
    await records.note(row, canary);
    // Another process may have noted something else meanwhile, and what was known of this base counts as well.
    return canary.kind === "passed" ? await records.inForce(row) ?? canary : canary;
  }

  function shareTest(row: TldRow, priority: Priority): Promise<Canary> {
    // A client does not wait for a test with background priority, which every client overtakes.
    const key = `${priority} ${row.rdapBase} ${row.tld}`;
    const running = tests.get(key);
    if (running !== undefined) return running;
    const started = testAndNote(row, priority).finally(() => tests.delete(key));
    tests.set(key, started);
    return started;
  }

  async function trust(row: TldRow, priority: Priority): Promise<Canary> {
    const canary = await records.inForce(row);
    return canary ?? await withFallbackAfter(shareTest(row, priority), PATIENCE_MS, SLOW);
  }

  return {
    resultOf: trust,
    inForce: records.inForce,
    trusts: ({ tld }, askedAt) => records.trusts(tld, new Date(askedAt).toISOString()),
    async retest(row, priority) {
      const { host } = new URL(row.rdapBase);
      const last = relearntAt.get(host);
      const isRunning = tests.has(`${priority} ${row.rdapBase} ${row.tld}`);
      if (!isRunning && last !== undefined && monotonic() - last < RELEARN_EVERY_MS) {
        return await trust(row, priority);
      }
      relearntAt.set(host, monotonic());
      return await withFallbackAfter(shareTest(row, priority), PATIENCE_MS, SLOW);
    },
    renew: (rows) =>
      inTurn(rows, stop, async (row) => {
        if (await records.inForce(row) === undefined) await shareTest(row, "background");
      }),
    probe: (rows, options) =>
      inTurn(rows, AbortSignal.any([stop, options.stop]), async (row) => {
        options.onResult(row, await shareTest(row, "background"));
      }),
    isProven: async (row) => (await records.inForce(row))?.kind === "passed",
    async prove(row) {
      const canary = await test(row, "background", () => Promise.resolve());
      if (canary.kind === "passed") await records.note(row, canary);
      return canary;
    },
  };
}

/** Visits the rows, those of one host one after the other. */
async function inTurn(
  rows: readonly TldRow[],
  stop: AbortSignal,
  context: (row: TldRow) => Promise<void>,
): Promise<void> {
  const byHost = Map.groupBy(rows, ({ rdapBase }) => new URL(rdapBase).host);
  await Promise.all([...byHost.values()].map(async (ofHost) => {
    for (const row of ofHost) {
      if (stop.aborted) return;
      await context(row);
    }
  }));
}

const SLOW: Canary = {
  kind: "undecided",
  why: 'This registry\'s "not found" is still being tested; try again in a few seconds',
};
