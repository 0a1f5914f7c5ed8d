/** Whether a registry's 404s may be believed, found out by asking it what is known already. */
import { deadline } from "../flow/deadline.ts";
import type { Lane } from "../flow/gate.ts";
import type { Report } from "../flow/report.ts";
import type { Canary, DnsAnswer, RdapAnswer } from "../rules/answer.ts";
import {
  CANARY_SEEDS,
  canaryLifetimeMs,
  type CanaryRecord,
  DENIALS_TO_FAIL,
  judgeCanary,
} from "../rules/canary.ts";
import type { TldRow } from "../rules/tlds.ts";
import type { AskRegistry } from "./registry.ts";

/** The canaries of all TLDs. */
export interface CanaryWatch {
  /** The result in force, or that of a test made now; undecided where that takes too long. */
  trust(row: TldRow): Promise<Canary>;
  /** Tests every TLD without a result in force, one after the other for each host, behind users' look-ups. */
  renew(rows: readonly TldRow[]): Promise<void>;
  /** Takes note of a label that DNS showed to be delegated under the TLD: something to test with. */
  noteDelegated(tld: string, label: string): void;
  /** TLDs whose registry failed its last test. */
  failing(): string[];
}

/** How long a user waits for a test, beyond the registry's own answer. */
const PATIENCE_MS = 14_000;
const SEEN_PER_TLD = 3;

/** Creates the watch over `ask` and DNS. */
export function createCanaryWatch(
  { ask, isDelegated, store, stop, report, now }: {
    ask: AskRegistry;
    isDelegated: (domain: string) => Promise<DnsAnswer>;
    store: {
      get(tld: string): Promise<CanaryRecord | undefined>;
      set(tld: string, record: CanaryRecord): Promise<void>;
    };
    /** Ends the renewal: a service on its way out has nothing to test. */
    stop: AbortSignal;
    report: Report;
    now: () => number;
  },
): CanaryWatch {
  const records = new Map<string, CanaryRecord>();
  const tests = new Map<string, Promise<Canary>>();
  const seen = new Map<string, string[]>();

  function isInForce(record: CanaryRecord | undefined, { rdapBase }: TldRow) {
    return record !== undefined && record.base === rdapBase && record.expiresAt > now();
  }

  async function recall(row: TldRow): Promise<Canary | undefined> {
    const own = records.get(row.tld);
    const record = isInForce(own, row) ? own : await store.get(row.tld);
    if (record === undefined || !isInForce(record, row)) return undefined;
    records.set(row.tld, record);
    return record.canary;
  }

  async function askDelegated({ tld, rdapBase }: TldRow, lane: Lane): Promise<RdapAnswer[]> {
    const labels = [...new Set([...CANARY_SEEDS, ...(seen.get(tld) ?? [])])];
    const found = await Promise.all(labels.map((label) => isDelegated(`${label}.${tld}`)));
    const answers: RdapAnswer[] = [];
    for (const label of labels.filter((_, place) => found[place]?.kind === "delegated")) {
      const answer = await ask(rdapBase, `${label}.${tld}`, { lane });
      answers.push(answer);
      if (answer.kind === "registered" || answers.length >= DENIALS_TO_FAIL) break;
    }
    return answers;
  }

  async function test(row: TldRow, lane: Lane): Promise<Canary> {
    const { tld, rdapBase: base } = row;
    const [madeUp, delegated] = await Promise.all([
      ask(base, `${madeUpLabel()}.${tld}`, { lane }),
      askDelegated(row, lane),
    ]);
    const canary = judgeCanary(delegated, madeUp);
    report("canary", { tld, base, ...canary });
    const expiresAt = now() + canaryLifetimeMs(canary);
    const record = { base, canary, testedAt: new Date(now()).toISOString(), expiresAt };
    records.set(tld, record);
    if (canary.kind !== "undecided") await store.set(tld, record);
    return canary;
  }

  function shareTest(row: TldRow, lane: Lane): Promise<Canary> {
    // A user does not wait for a test in the spare lane, which everybody else may overtake.
    const key = `${lane} ${row.rdapBase} ${row.tld}`;
    const running = tests.get(key);
    if (running !== undefined) return running;
    const started = test(row, lane).finally(() => tests.delete(key));
    tests.set(key, started);
    return started;
  }

  async function renewInTurn(rows: readonly TldRow[]): Promise<void> {
    for (const row of rows) {
      if (stop.aborted) return;
      if (await recall(row) === undefined) await shareTest(row, "spare");
    }
  }

  return {
    async trust(row) {
      const canary = await recall(row);
      return canary ?? await deadline(shareTest(row, "now"), PATIENCE_MS, SLOW);
    },
    async renew(rows) {
      const byHost = Map.groupBy(rows, ({ rdapBase }) => new URL(rdapBase).host);
      await Promise.all([...byHost.values()].map(renewInTurn));
    },
    noteDelegated(tld, label) {
      const labels = seen.get(tld) ?? [];
      if (labels.includes(label)) return;
      seen.set(tld, [label, ...labels].slice(0, SEEN_PER_TLD));
    },
    failing: () => [...records].filter(([, r]) => r.canary.kind === "failed").map(([tld]) => tld),
  };
}

const SLOW: Canary = {
  kind: "undecided",
  why: 'The registry\'s "not found" is still being tested; try again in a few seconds',
};

/** 30 letters: nobody holds such a name, and no registry can have kept it back. */
function madeUpLabel(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(30));
  return String.fromCharCode(...bytes.map((byte) => 97 + byte % 26));
}
