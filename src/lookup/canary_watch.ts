/** Whether a registry's 404s can be trusted: by the test result in force, or by a canary test made now. */
import { pause } from "../flow/pause.ts";
import type { Priority, WaitOptions } from "../flow/upstream_host.ts";
import type { Report } from "../flow/report.ts";
import type { Background } from "../flow/background.ts";
import { createSingleFlight } from "../flow/cache/single_flight.ts";
import type { Canary } from "../rules/answer.ts";
import type { TldRow } from "../rules/tables/tlds.ts";
import { type CanaryProbe, madeUpLabel, madeUpLabelLike } from "./canary_probe.ts";
import type { CanaryRecords } from "./canary_records.ts";

/** The canaries of all TLDs. */
export interface CanaryWatch {
  /** The result in force, or the result of a new test, which may wait for those of other TLDs. */
  resultOf(row: TldRow, wait: WaitOptions): Promise<Canary>;
  /** The result in force that is believed, without a test. */
  inForce(row: TldRow): Promise<Canary | undefined>;
  /** When the test was made whose result is in force (ISO 8601); undefined if the result is another one. */
  testedAt(row: TldRow, result: Canary): string | undefined;
  /** Whether to trust a 404 to a question sent at `askedAt` (ms since 1970): not if the registry failed a test since. */
  trusts(row: TldRow, askedAt: number): boolean;
  /**
   * Asks about a random name of the same form as the label, whose 404 differs, once a minute for a TLD. Returns the result
   * in force with what was learnt.
   */
  learn(row: TldRow, label: string, priority: Priority): Promise<Canary | undefined>;
  /** Tests every TLD without a result in force, with background priority. */
  renew(rows: readonly TldRow[]): Promise<void>;
  /** Tests every TLD again, with background priority. */
  probe(rows: readonly TldRow[], options: ProbeOptions): Promise<void>;
  /** Whether the result in force of the row's base is a pass. */
  isProven(row: TldRow): Promise<boolean>;
  /** Tests a base that is not in use, with background priority; records only a pass, since the TLD has another base. */
  prove(row: TldRow): Promise<Canary>;
}

/** The stop signal and the result callback of a probe. */
export interface ProbeOptions {
  stop: AbortSignal;
  onResult(row: TldRow, canary: Canary): void;
}

/** The minimum interval between two random names of a TLD because of 404s that differ. */
const LEARN_EVERY_MS = 60_000;
/** The length of the second random name of a test: a long one may be cut or wrapped. */
const SHORT_LENGTH = 12;

/** Tests are shared by priority, because a client must not wait for a background test, which all clients overtake. */
function keyOf({ tld, rdapBase }: TldRow, priority: Priority): string {
  return `${priority} ${rdapBase} ${tld}`;
}

/** Creates the watch; `monotonic` is a clock in ms that is never set back. */
export function createCanaryWatch(
  { probe, records, admitTest = () => 0, onTest, background, stop, log, monotonic }: {
    probe: Pick<CanaryProbe, "test" | "askRandom">;
    records: Pick<
      CanaryRecords,
      "inForce" | "note" | "teach" | "testedAt" | "trusts"
    >;
    /** The ms until a client of a site may have the registry of a TLD tested; 0: now. */
    admitTest?: (tld: string, site: string) => Promise<number> | number;
    /** Called with the result of each test. */
    onTest?: (tld: string, kind: Canary["kind"]) => void;
    background: Pick<Background, "run">;
    /** Aborted when the service stops: ends renewals and probes. */
    stop: AbortSignal;
    log: Readonly<Record<"debug" | "info" | "warn", Report>>;
    monotonic: () => number;
  },
): CanaryWatch {
  /** The kinds of the last results, by TLD and base. */
  const lastKinds = new Map<string, Canary["kind"]>();
  const tests = createSingleFlight<Canary>();
  const learning = createSingleFlight<void>();
  const learntAt = new Map<string, number>();

  async function test(
    row: TldRow,
    priority: Priority,
    onDenial: (doubted: Canary) => Promise<void>,
  ): Promise<Canary> {
    const canary = await probe.test(row, priority, onDenial);
    onTest?.(row.tld, canary.kind);
    logResult(row, canary);
    return canary;
  }

  /** While a registry is down each look-up tests it again: only a change is worth a line. */
  function logResult({ tld, rdapBase }: TldRow, canary: Canary): void {
    const { kind } = canary;
    const key = `${tld} ${rdapBase}`;
    const level = lastKinds.get(key) === kind ? "debug" : kind === "passed" ? "info" : "warn";
    lastKinds.set(key, kind);
    const reason = kind === "passed" ? {} : { reason: canary.why };
    log[level]("canary", { tld, base: rdapBase, kind, ...reason });
  }

  async function testAndNote(row: TldRow, priority: Priority): Promise<Canary> {
    const canary = await test(row, priority, (doubted) => records.note(row, doubted));
    await records.note(row, canary);
    if (canary.kind === "passed") {
      // What the two 404s differ in varies. No client waits for the second.
      const teaching = teach(row, madeUpLabel(SHORT_LENGTH), "background");
      background.run(teaching);
      if (priority === "background") await teaching;
    }
    // Another process may have recorded another result meanwhile, and earlier results of this base count too.
    return canary.kind === "passed" ? await records.inForce(row) ?? canary : canary;
  }

  async function teach(row: TldRow, label: string, priority: Priority): Promise<void> {
    const template = stop.aborted ? undefined : await probe.askRandom(row, label, priority);
    if (template !== undefined) await records.teach(row, template);
  }

  function shareTest(row: TldRow, priority: Priority): Promise<Canary> {
    return tests.run(keyOf(row, priority), () => testAndNote(row, priority));
  }

  /** The ms until one of the sites may have the registry tested; 0: now. */
  async function admit(tld: string, sites: Iterable<string>): Promise<number> {
    let leastMs = Infinity;
    for (const site of sites) {
      const waitMs = await admitTest(tld, site);
      if (waitMs === 0) return 0;
      leastMs = Math.min(leastMs, waitMs);
    }
    return leastMs;
  }

  async function resultOf(
    row: TldRow,
    { priority = "foreground", site = "", clients, signal = stop, onQueue }: WaitOptions,
  ): Promise<Canary> {
    const sites = new Set([site]);
    let hasWaited = false;
    let joining = Promise.withResolvers<void>();
    const stopWatching = clients?.watch((client) => {
      sites.add(client.site ?? client.client);
      joining.resolve();
      return () => {};
    });
    try {
      for (;;) {
        const canary = await records.inForce(row);
        if (canary !== undefined) return canary;
        const isRunning = tests.isRunning(keyOf(row, priority));
        joining = Promise.withResolvers();
        const waitMs = priority === "background" || isRunning ? 0 : await admit(row.tld, sites);
        const queued = { host: new URL(row.rdapBase).host, why: MANY_TESTS };
        if (waitMs === 0) {
          if (hasWaited) onQueue?.({ ...queued, expectedMs: 0 });
          return await shareTest(row, priority);
        }
        hasWaited = true;
        onQueue?.({ ...queued, expectedMs: waitMs });
        const over = new AbortController();
        await Promise.race([joining.promise, pause(waitMs, signal, stop, over.signal)]);
        over.abort();
        if (signal.aborted || stop.aborted) return NOT_TESTED;
      }
    } finally {
      stopWatching?.();
    }
  }

  return {
    resultOf,
    inForce: records.inForce,
    testedAt: ({ tld }, { kind }) => records.testedAt(tld, kind),
    trusts: ({ tld }, askedAt) => records.trusts(tld, new Date(askedAt).toISOString()),
    async learn(row, label, priority) {
      const last = learntAt.get(row.tld) ?? -Infinity;
      const key = keyOf(row, priority);
      if (learning.isRunning(key) || monotonic() - last >= LEARN_EVERY_MS) {
        const learnt = learning.run(key, async () => {
          learntAt.set(row.tld, monotonic());
          await teach(row, await madeUpLabelLike(label), priority);
        });
        background.run(learnt);
        await learnt;
      }
      return await records.inForce(row);
    },
    renew: (rows) =>
      forEachRow(rows, stop, async (row) => {
        if (await records.inForce(row) === undefined) await shareTest(row, "background");
      }),
    probe: (rows, options) =>
      forEachRow(rows, AbortSignal.any([stop, options.stop]), async (row) => {
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

/** Calls `visit` for each row, for rows of one host one after the other. */
async function forEachRow(
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

const MANY_TESTS = "The registry's 404s were never tested, and those of many others are";

const NOT_TESTED: Canary = { kind: "undecided", why: `${MANY_TESTS}; try again` };
