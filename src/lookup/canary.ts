/** Whether a registry's 404s may be believed: by the result in force, or by a test made now. */
import { deadline } from "../flow/deadline.ts";
import type { Lane } from "../flow/gate.ts";
import type { Report } from "../flow/report.ts";
import type { Canary } from "../rules/answer.ts";
import type { TldRow } from "../rules/tlds.ts";
import type { CanaryProbe } from "./canary_probe.ts";
import type { CanaryRecords } from "./canary_records.ts";

/** The canaries of all TLDs. */
export interface CanaryWatch {
  /** The result in force, or that of a test made now; undecided where that takes too long. */
  trust(row: TldRow, lane: Lane): Promise<Canary>;
  /** Tests every TLD without a result in force, behind users' look-ups. */
  renew(rows: readonly TldRow[]): Promise<void>;
  /** Tests every TLD whatever is known of it, likewise. */
  probe(rows: readonly TldRow[], options: ProbeOptions): Promise<void>;
  /** Whether the row's base has passed its test, by the result in force. */
  isProven(row: TldRow): Promise<boolean>;
  /** Tests a base that is not in use, likewise; only a pass is put down, for the TLD still has another base. */
  prove(row: TldRow): Promise<Canary>;
}

/** What a probe is told and tells. */
export interface ProbeOptions {
  stop: AbortSignal;
  onResult(row: TldRow, canary: Canary): void;
}

/** How long a user waits for a test, beyond the registry's own answer. */
const PATIENCE_MS = 14_000;

/** Creates the watch. */
export function createCanaryWatch(
  { probe, records, stop, report }: {
    probe: Pick<CanaryProbe, "test">;
    records: Pick<CanaryRecords, "inForce" | "note">;
    /** Ends the renewal: a service on its way out has nothing to test. */
    stop: AbortSignal;
    report: Report;
  },
): CanaryWatch {
  const tests = new Map<string, Promise<Canary>>();

  async function test(row: TldRow, lane: Lane): Promise<Canary> {
    const canary = await probe.test(row, lane);
    report("canary", { tld: row.tld, base: row.rdapBase, ...canary });
    return canary;
  }

  async function testAndNote(row: TldRow, lane: Lane): Promise<Canary> {
    const canary = await test(row, lane);
    await records.note(row, canary);
    return canary;
  }

  function shareTest(row: TldRow, lane: Lane): Promise<Canary> {
    // A user does not wait for a test in the spare lane, which everybody else may overtake.
    const key = `${lane} ${row.rdapBase} ${row.tld}`;
    const running = tests.get(key);
    if (running !== undefined) return running;
    const started = testAndNote(row, lane).finally(() => tests.delete(key));
    tests.set(key, started);
    return started;
  }

  return {
    async trust(row, lane) {
      const canary = await records.inForce(row);
      return canary ?? await deadline(shareTest(row, lane), PATIENCE_MS, SLOW);
    },
    renew: (rows) =>
      inTurn(rows, stop, async (row) => {
        if (await records.inForce(row) === undefined) await shareTest(row, "spare");
      }),
    probe: (rows, options) =>
      inTurn(rows, AbortSignal.any([stop, options.stop]), async (row) => {
        options.onResult(row, await shareTest(row, "spare"));
      }),
    isProven: async (row) => (await records.inForce(row))?.kind === "passed",
    async prove(row) {
      const canary = await test(row, "spare");
      if (canary.kind === "passed") await records.note(row, canary);
      return canary;
    },
  };
}

/** Visits the rows, those of one host one after the other. */
async function inTurn(
  rows: readonly TldRow[],
  stop: AbortSignal,
  visit: (row: TldRow) => Promise<void>,
): Promise<void> {
  const byHost = Map.groupBy(rows, ({ rdapBase }) => new URL(rdapBase).host);
  await Promise.all([...byHost.values()].map(async (ofHost) => {
    for (const row of ofHost) {
      if (stop.aborted) return;
      await visit(row);
    }
  }));
}

const SLOW: Canary = {
  kind: "undecided",
  why: 'The registry\'s "not found" is still being tested; try again in a few seconds',
};
