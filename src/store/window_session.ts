/** A time in which KV works: claims wait for a commit that they share, until one of them has waited too long. */
import { type Alarm, startAlarm } from "../flow/alarm.ts";
import { createGroups } from "../flow/groups.ts";
import { type Admission, admit, type Claim, countOf, merge } from "../rules/window.ts";
import type { Debts } from "./debts.ts";
import type { Pages, Write } from "./window_pages.ts";

/** A claim that waits for KV. */
export interface Waiting {
  readonly subject: string;
  readonly claim: Claim;
  readonly since: number;
  decide(admission: Admission): void;
}

/** Claims decided by KV. */
export interface Session {
  request(subject: string, claim: Claim): Promise<Admission>;
  /** Writes what these subjects owe; at most ten. Rejects where KV fails. */
  pay(subjects: readonly string[]): Promise<void>;
  /** Ends it; returns the claims that still wait, longest first. */
  end(): Waiting[];
  settled(): Promise<void>;
}

/** What a session needs to know. */
export interface SessionOptions {
  deadlineMs: number;
  now: () => number;
  random: () => number;
  /** Called once at most; the session is to be ended then. */
  onFailure: (session: Session, reason: string) => void;
}

/** KV takes ten checks in a commit; Deno Deploy's limit, the local one is higher. */
export const LARGEST_COMMIT = 10;
/** For a KV that is far away; a local one takes commits one by one anyway. */
const COMMITS_AT_ONCE = 8;
/** After as many conflicts each subject goes alone, so that one that is contended does not hold up the others. */
const CONFLICTS_TOGETHER = 2;
/** Short: SQLite has no queue, and whoever waits long while others try often never gets its turn. */
const LONGEST_PAUSE_MS = 4;
/** Our own event loop may have stood still: what came in meanwhile is heard before KV is given up. */
const GRACE_MS = 10;

type Outcome = "landed" | "conflict" | "locked";

interface Plan extends Write {
  readonly admissions: readonly Admission[];
  readonly changes: boolean;
}

/** Opens a session. */
export function openSession(pages: Pages, debts: Debts, options: SessionOptions): Session {
  const { deadlineMs, now, random, onFailure } = options;
  const lines = new Map<string, Waiting[]>();
  const waiting = new Set<Waiting>();
  const groups = createGroups(work, { size: LARGEST_COMMIT, atOnce: COMMITS_AT_ONCE });
  let alarm: Alarm | undefined;
  let isOver = false;

  function request(subject: string, claim: Claim): Promise<Admission> {
    const { promise, resolve: decide } = Promise.withResolvers<Admission>();
    const one: Waiting = { subject, claim, since: performance.now(), decide };
    const line = lines.get(subject);
    if (line === undefined) lines.set(subject, [one]);
    else line.push(one);
    waiting.add(one);
    // Left to ring: to set and stop one for each claim would cost more than the claim.
    alarm ??= startAlarm(() => watch(false), deadlineMs - GRACE_MS);
    groups.add(subject);
    return promise;
  }

  function watch(isLastCall: boolean): void {
    alarm = undefined;
    const [longest] = waiting;
    if (longest === undefined) return;
    const leftMs = longest.since + deadlineMs - performance.now();
    if (leftMs > GRACE_MS) alarm = startAlarm(() => watch(false), leftMs - GRACE_MS);
    else if (!isLastCall) alarm = startAlarm(() => watch(true), GRACE_MS);
    else onFailure(session, `no answer within ${deadlineMs} ms`);
  }

  async function work(subjects: readonly string[]): Promise<void> {
    try {
      await settle(subjects);
    } catch (error) {
      if (!isOver) onFailure(session, String(error));
    }
  }

  async function settle(subjects: readonly string[]): Promise<void> {
    let conflicts = 0;
    for (let tries = 0; !isOver; tries++) {
      const outcome = await attempt(subjects);
      if (outcome === "landed") return;
      if (outcome === "conflict") conflicts++;
      if (conflicts === CONFLICTS_TOGETHER && subjects.length > 1) {
        return void await Promise.all(subjects.map((subject) => settle([subject])));
      }
      // The first conflict is mostly a subject that is not as new as was guessed: nobody is in the way.
      if (conflicts !== 1 || outcome === "locked") await pause(tries);
    }
  }

  async function attempt(subjects: readonly string[]): Promise<Outcome> {
    try {
      await pages.refresh(subjects);
      if (isOver) return "landed";
      // One reading of the clock: what lapses between two of them would make room a moment too early.
      const time = now();
      const plans: Plan[] = [];
      for (const subject of subjects) {
        const { stamp, window } = pages.of(subject, time);
        // Two commits of one subject may meet while debts are paid; one of them must read again.
        if (stamp === undefined) return "conflict";
        plans.push(planOf({ subject, stamp, window }, time));
      }
      const writes = plans.filter(({ changes }) => changes);
      if (writes.length > 0 && !await pages.commit(writes, time)) return "conflict";
      if (!isOver) { for (const plan of plans) land(plan); }
      return "landed";
    } catch (error) {
      // SQLite's answer while another process writes: nothing was applied.
      if (String(error).includes("database is locked")) return "locked";
      throw error;
    }
  }

  function planOf({ subject, stamp, window: written }: Write, time: number): Plan {
    const debt = debts.pay(subject, time);
    const withheld = countOf(debts.common(subject, time));
    let window = merge(written, debt);
    const admissions = (lines.get(subject) ?? []).map(({ claim }) => {
      const decided = admit(window, time, { ...claim, limit: claim.limit - withheld });
      window = decided.window;
      return decided.admission;
    });
    const changes = debt.length > 0 || admissions.some(({ kind }) => kind === "admitted");
    return { subject, stamp, window, admissions, changes };
  }

  function land({ subject, admissions }: Plan): void {
    debts.paid(subject);
    const line = lines.get(subject) ?? [];
    const decided = line.splice(0, admissions.length);
    if (line.length === 0) lines.delete(subject);
    decided.forEach((one, n) => {
      const admission = admissions[n];
      if (admission === undefined) return;
      waiting.delete(one);
      one.decide(admission);
    });
  }

  function pause(tries: number): Promise<void> {
    const ms = random() * Math.min(LONGEST_PAUSE_MS, 2 ** tries);
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  function silence(): void {
    alarm?.stop();
    alarm = undefined;
  }

  function end(): Waiting[] {
    isOver = true;
    silence();
    return [...waiting];
  }

  async function settled(): Promise<void> {
    await groups.settled();
    silence();
  }

  const session: Session = { request, pay: settle, end, settled };
  return session;
}
