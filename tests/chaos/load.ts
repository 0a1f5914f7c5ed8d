/** The clients of a chaos run: they request names of all kinds, in every format, and some disconnect early. */
import type { Fault } from "./faults.ts";
import type { Run } from "./history.ts";
import type { ChaosRow } from "./oracle.ts";
import { CALM_TLDS, CHAOS_TLDS, PACED_TLDS } from "./population.ts";
import type { Random } from "./random.ts";
import { HOT_LABELS } from "./schedule.ts";

/** A service process that takes requests. */
export interface Target {
  run: Run;
  url: string;
  command(line: string): void;
}

/** What clients report. */
export interface Watch {
  asked(domain: string, run: Run, at: number): void;
  row(row: ChaosRow): void;
  /** A request failed: its process was killed, or it is a fault. */
  lost(target: Target, path: string, at: number, why: string): void;
  /** An answer that a correct request must not get. */
  wrong(target: Target, path: string, why: string): void;
  /** A request did not end within the limit. */
  hung(target: Target, path: string): void;
  cut(): void;
  /** A plain name of a healthy registry was not answered in time. */
  unanswered(row: ChaosRow): void;
}

/** A request that takes longer hangs: all that a look-up waits for takes less. */
export const HANG_MS = 35_000;

/** The formats of answers. */
type Form = "json" | "ndjson" | "sse";

/** How often each process is asked for a plain name of a healthy registry. */
const SAMPLE_EVERY_MS = 200;
/** Usually it takes some ms. */
const SAMPLE_LATE_MS = 2_500;

interface Question {
  label: string;
  /** Absent: all. */
  tld?: string;
  form: Form;
  /** After how many rows, or ms for a single body, the client disconnects. */
  leaves?: { rows: number; ms: number };
}

const ACCEPT: Readonly<Record<Form, string>> = {
  json: "application/json",
  ndjson: "application/x-ndjson",
  sse: "text/event-stream",
};

const QUICK_TLDS = CHAOS_TLDS.filter((tld) => !PACED_TLDS.includes(tld));

/** The clients. */
export interface Load {
  /** Sends requests until `stop` is aborted, then waits for those in flight; `leave` disconnects the clients. */
  run(
    callers: number,
    options: { slots: number; stop: AbortSignal; leave: AbortSignal },
  ): Promise<void>;
}

/** Creates clients of the processes that are up. */
export function createLoad(
  { random, faults, targets, watch, now }: {
    random: Random;
    faults: readonly Fault[];
    targets: () => readonly Target[];
    watch: Watch;
    now: () => number;
  },
): Load {
  const kinds = [
    ...["taken", "taken", "dark", "dark", "free", "free", "premium"],
    ...(faults.includes("reservedWords") ? ["reserved"] : []),
    ...(faults.includes("legalWords") ? ["legal"] : []),
    ...(faults.includes("oddWords") || faults.includes("oddShapes") ? ["withheld"] : []),
  ];
  const salt = Math.floor(random.next() * 1e9).toString(36);
  let count = 0;
  let samples = 0;
  const recent: string[] = [];
  const hotLabel = () => random.pick(HOT_LABELS);
  const recentLabel = () => recent.length > 0 ? random.pick(recent) : hotLabel();
  /** Sources of labels, dealt like cards: a run with few questions asks for names of all kinds, too. */
  const cards: readonly (() => string)[] = [
    ...[...kinds, ...kinds].map((kind) => () => freshLabel(kind)),
    ...Array<() => string>(4).fill(recentLabel),
    ...Array<() => string>(3).fill(hotLabel),
  ];
  let deck: (() => string)[] = [];
  /** A busy machine answers so few requests that the first deal may lack a kind: these go first, and stay to the end. */
  const opening = random.shuffled([
    hotLabel,
    ...[...new Set(kinds)].map((kind) => () => freshLabel(kind)),
  ]);
  const ending = new AbortController();

  function freshLabel(kind: string): string {
    const label = `${kind}-${salt}-${count++}`;
    recent.push(label);
    if (recent.length > 200) recent.shift();
    return label;
  }

  async function pause(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms));
  }

  function anyTarget(): Target | undefined {
    const up = targets();
    return up.length === 0 ? undefined : random.pick(up);
  }

  function nextLabel(): string {
    if (deck.length === 0) deck = random.shuffled(cards);
    return deck.pop()?.() ?? hotLabel();
  }

  function nextQuestion(): Question {
    const form: Form = random.chance(0.6) ? "json" : random.pick(["ndjson", "sse"]);
    const first = opening.pop();
    const label = first?.() ?? nextLabel();
    const isAll = random.chance(form === "json" ? 0.2 : 0.7);
    const leaves = first === undefined && faults.includes("cutRequests") && random.chance(0.1);
    return {
      label,
      form,
      ...(!isAll && { tld: random.pick(QUICK_TLDS) }),
      ...(leaves && {
        leaves: { rows: Math.floor(random.between(0, 8)), ms: random.between(5, 600) },
      }),
    };
  }

  async function ask(
    target: Target,
    { label, tld, form, leaves }: Question,
    client: number,
  ): Promise<void> {
    const { run, url } = target;
    const path = `/check?name=${label}${tld === undefined ? "" : `&tld=${tld}`}`;
    const from = now();
    for (const one of tld === undefined ? CHAOS_TLDS : [tld]) {
      watch.asked(`${label}.${one}`, run, from);
    }
    const leaving = new AbortController();
    const hanging = setTimeout(() => leaving.abort("hung"), HANG_MS);
    const going = leaves && setTimeout(() => leaving.abort("left"), leaves.ms);
    let rows = 0;
    const take = (value: unknown) => {
      if (!isRow(value)) return;
      rows++;
      watch.row({ ...value, run, from, to: now() });
      if (leaves !== undefined && rows > leaves.rows) leaving.abort("left");
    };
    try {
      const response = await fetch(`${url}${path}`, {
        headers: { accept: ACCEPT[form], "x-forwarded-for": addressOf(client, run) },
        signal: AbortSignal.any([leaving.signal, ending.signal]),
      });
      if (response.status !== 200) {
        const text = await response.text();
        watch.wrong(target, path, `${response.status} ${text.slice(0, 200)}`);
        return;
      }
      if (form === "json") (await response.json()).results.forEach(take);
      else await readLines(response, (line) => take(parseLine(line)));
      const expected = tld === undefined ? CHAOS_TLDS.length : 1;
      // A stream that its process's exit cuts ends like any other.
      if (rows < expected) watch.lost(target, path, now(), `${rows} rows of ${expected}`);
    } catch (error) {
      if (leaving.signal.reason === "left" || ending.signal.aborted) watch.cut();
      else if (leaving.signal.reason === "hung") watch.hung(target, path);
      else watch.lost(target, path, now(), String(error));
    } finally {
      clearTimeout(hanging);
      clearTimeout(going);
    }
  }

  /** Asks each process for plain names without waiting, so that a stalled one shows in the counts. */
  async function sample(stop: AbortSignal): Promise<void> {
    const asking = new Set<Promise<void>>();
    while (!stop.aborted) {
      await pause(SAMPLE_EVERY_MS);
      for (const target of targets()) {
        const label = freshLabel(random.pick(["free", "dark", "taken"]));
        const one = askSample(target, label, random.pick(CALM_TLDS))
          .finally(() => asking.delete(one));
        asking.add(one);
      }
    }
    await Promise.all(asking);
  }

  async function askSample({ run, url }: Target, label: string, tld: string): Promise<void> {
    const from = now();
    try {
      const response = await fetch(`${url}/check?name=${label}&tld=${tld}`, {
        headers: { "x-forwarded-for": addressOf(FIRST_SAMPLE + samples++ % SAMPLES, run) },
        signal: AbortSignal.any([AbortSignal.timeout(SAMPLE_LATE_MS), ending.signal]),
      });
      const { results } = await response.json();
      for (const row of results) watch.row({ ...row, run, from, to: now() });
    } catch {
      // A killed process is not counted.
      if (ending.signal.aborted) return;
      watch.unanswered({
        domain: `${label}.${tld}`,
        tld,
        available: false,
        status: ["unknown"],
        premium: false,
        source: "rdap",
        checkedAt: "",
        error: "no answer in time",
        run,
        from,
        to: now(),
      });
    }
  }

  /** A client keeps to one process while it is up, so that a stalled process does not stop all clients. */
  async function call(slot: number, client: number, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const target = targets().find(({ run }) => run.slot === slot) ?? anyTarget();
      if (target === undefined) await pause(50);
      else await ask(target, nextQuestion(), client);
    }
  }

  /**
   * A name is registered during its first look-up or renewal; the other processes are asked meanwhile, and all of them
   * once the first look-up has ended.
   */
  async function callForNewborn(client: number, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const first = anyTarget();
      const others = targets().filter((target) => target !== first);
      if (first === undefined || others.length === 0) {
        await pause(50);
        continue;
      }
      const label = freshLabel("birth");
      const tld = random.pick(QUICK_TLDS);
      const all = random.chance(0.3);
      const one: Question = { label, form: "json", ...(!all && { tld }) };
      const isRenewal = faults.includes("renewals") && random.chance(0.5);
      if (isRenewal) {
        for (const of of CHAOS_TLDS) watch.asked(`${label}.${of}`, first.run, now());
        first.command(`renew ${label}`);
      }
      const looking = isRenewal ? pause(1_800) : ask(first, one, client);
      await pause(random.between(250, 700));
      // A second request to the same process shares its look-up, but not its renewal.
      const second = isRenewal && random.chance(0.5) ? first : random.pick(others);
      await ask(second, { label, tld, form: "json" }, client);
      await looking;
      await pause(random.between(50, 400));
      for (const target of targets()) {
        if (!stop.aborted) await ask(target, one, client);
      }
    }
  }

  return {
    async run(callers, { slots, stop, leave }) {
      leave.addEventListener("abort", () => ending.abort(), { once: true });
      const newborn = faults.includes("births") ? Math.ceil(callers / 3) : 0;
      await Promise.all([
        sample(stop),
        ...Array.from(
          { length: callers },
          (_, caller) => call(caller % slots, caller, stop),
        ),
        ...Array.from(
          { length: newborn },
          (_, caller) => callForNewborn(callers + caller, stop),
        ),
      ]);
    },
  };
}

/** Samples are new clients, which wait behind no other's requests; so many that none comes again within a minute. */
const FIRST_SAMPLE = 1_000;
const SAMPLES = 10_000;

/**
 * Each client is in a network of its own, or they share turns. It has another address for each process, or its requests
 * conflict in KV: on a busy machine for longer than the second after which one is refused.
 */
function addressOf(client: number, { slot }: Run): string {
  return `10.${client >> 8}.${client & 255}.${slot + 1}`;
}

type AnsweredRow = Omit<ChaosRow, "run" | "from" | "to">;

function isRow(value: unknown): value is AnsweredRow {
  return typeof value === "object" && value !== null && "domain" in value && "available" in value;
}

function parseLine(line: string): unknown {
  const text = line.startsWith("data: ") ? line.slice(6) : line;
  return text.startsWith("{") ? JSON.parse(text) : undefined;
}

async function readLines(response: Response, onLine: (line: string) => void): Promise<void> {
  let rest = "";
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(onLine);
  }
}
