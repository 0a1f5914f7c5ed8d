/** The result of a run: counts, violations with their history, and the report's text. */
import type { History } from "./history.ts";
import { calmGroup, type ChaosRow, type Judgement, rowStateOf } from "./oracle.ts";
import { classOf } from "./population.ts";

/** A violation and the events that led to it. */
export interface Violation {
  rule: string;
  subject: string;
  why: string;
  story: readonly string[];
}

/** The counts of a run. */
export interface Tally {
  rows: number;
  fresh: number;
  requestsCut: number;
  requestsLost: number;
  byClass: Map<string, Map<string, number>>;
  windows: Map<string, number>;
  /** Rows of plain names while nothing was wrong, by the state of the clock, and how many were unknown. */
  calm: Map<string, { rows: number; unknown: number }>;
  health: { polls: number; longestMs: number };
  kills: number;
  /** How often KV came back older. */
  rollbacks: number;
  /** How long the machine was so busy that plain names were not counted. */
  busyMs: number;
  violations: Violation[];
}

/** An empty tally. */
export function createTally(): Tally {
  return {
    rows: 0,
    fresh: 0,
    requestsCut: 0,
    requestsLost: 0,
    byClass: new Map(),
    windows: new Map(),
    calm: new Map(),
    health: { polls: 0, longestMs: 0 },
    kills: 0,
    rollbacks: 0,
    busyMs: 0,
    violations: [],
  };
}

/** Of similar violations only the first have their history printed. */
const STORIES = 3;

/** Counts a judged row. */
export function countRow(
  tally: Tally,
  history: History,
  row: ChaosRow,
  judgement: Judgement,
): void {
  const state = rowStateOf(row) ?? "malformed";
  const isKept = row.source.endsWith("+cache");
  tally.rows++;
  if (!isKept) tally.fresh++;
  const ofClass = tally.byClass.get(classOf(row.domain) ?? "?") ?? new Map<string, number>();
  tally.byClass.set(classOf(row.domain) ?? "?", ofClass);
  const word = `${state}${isKept ? " (kept)" : ""}`;
  ofClass.set(word, (ofClass.get(word) ?? 0) + 1);
  countCalm(tally, history, row);
  if (judgement.kind === "window") {
    tally.windows.set(judgement.window, (tally.windows.get(judgement.window) ?? 0) + 1);
  }
  if (judgement.kind === "violation") {
    const { rule, why } = judgement;
    const alike = tally.violations.filter((one) =>
      one.rule === rule && classOf(one.subject) === classOf(row.domain)
    );
    const story = alike.length < STORIES ? storyOf(history, row) : [];
    tally.violations.push({ rule, subject: row.domain, why, story });
  }
}

/** Counts a row, or a plain name that was not answered, if nothing was wrong when it was asked for. */
export function countCalm(tally: Tally, history: History, row: ChaosRow): void {
  const group = row.source.endsWith("+cache") ? undefined : calmGroup(history, row);
  if (group === undefined) return;
  const before = tally.calm.get(group) ?? { rows: 0, unknown: 0 };
  const unknown = before.unknown + (rowStateOf(row) === "unknown" ? 1 : 0);
  tally.calm.set(group, { rows: before.rows + 1, unknown });
}

/** Too few rows make the share meaningless. */
const SHARE_ROWS = 10;

/** Judges how many plain names were unknown while nothing was wrong: "always unknown" must not pass. */
export function judgeCalm(tally: Tally, largestShare: number): void {
  for (const [group, { rows, unknown }] of tally.calm) {
    if (rows < SHARE_ROWS || unknown / rows <= largestShare) continue;
    tally.violations.push({
      rule: "unknown without a reason",
      subject: group,
      why: `${unknown} of ${rows} plain names were unknown while nothing was wrong`,
      story: [],
    });
  }
}

/** What happened to the name, its TLD, DNS and the processes in the time before a row. */
export function storyOf(history: History, row: ChaosRow): string[] {
  const from = row.from - 60_000;
  const { domain, run, tld } = row;
  const events: { at: number; text: string }[] = [];
  for (const { at, truth } of history.truths.get(domain) ?? []) {
    if (Number.isFinite(at)) events.push({ at, text: `${domain} becomes ${truth}` });
  }
  for (const { at, endsAt, slot, host, answer } of history.questions.get(domain) ?? []) {
    const text = `process ${slot} asks ${host} for ${domain}: ${answer}, ${
      Math.round(endsAt - at)
    } ms`;
    events.push({ at, text });
  }
  for (const { at, slot, host, tld: of } of history.shown) {
    if (of === tld) {
      events.push({ at, text: `process ${slot} is shown that ${host} lies of ${of}` });
    }
  }
  for (const { at, slot, kind, host, tld: of } of history.canaries) {
    if (of === tld) events.push({ at, text: `process ${slot} logs canary ${kind} for ${host}` });
  }
  const hosts = (history.questions.get(domain) ?? []).map(({ host }) => host);
  for (const { at, text } of history.notes) {
    const isOther = text.startsWith("rdap.") && !hosts.some((host) => text.startsWith(host));
    if (!isOther) events.push({ at, text });
  }
  for (const { slot, run: nth, offsets, endingAt } of history.runs) {
    for (const { at, offsetMs } of offsets) {
      events.push({ at, text: `process ${slot}.${nth} has its clock off by ${offsetMs} ms` });
    }
    if (Number.isFinite(endingAt)) {
      events.push({ at: endingAt, text: `process ${slot}.${nth} is sent its last signal` });
    }
  }
  const { source, status, checkedAt, error } = row;
  events.push({ at: row.from, text: `process ${run.slot}.${run.run} is asked for it` });
  events.push({
    at: row.to,
    text: `process ${run.slot}.${run.run} answers ${status} (${source}, ${checkedAt}) ${
      error ?? ""
    }`,
  });
  return events.filter(({ at }) => at >= from && at <= row.to + 1)
    .toSorted((a, b) => a.at - b.at)
    .slice(-40)
    .map(({ at, text }) => `${((at - row.from) / 1_000).toFixed(3).padStart(9)} s  ${text}`);
}

/** The report in words; of each rule and class the first violations have their history printed. */
export function reportText(
  tally: Tally,
  { seed, seconds, perRule = STORIES }: { seed: number; seconds: number; perRule?: number },
): string {
  const lines = [
    `seed ${seed}, ${Math.round(seconds)} s`,
    `${tally.rows} rows judged, ${tally.fresh} of them fresh look-ups`,
    `${tally.requestsCut} requests cut by us, ${tally.requestsLost} lost with their process, ` +
    `${tally.kills} kills, KV came back older ${tally.rollbacks} times`,
    `/health: ${tally.health.polls} asked, the slowest ${Math.round(tally.health.longestMs)} ms`,
  ];
  for (const [kind, counts] of [...tally.byClass].toSorted()) {
    const text = [...counts].toSorted().map(([word, count]) => `${word} ${count}`).join(", ");
    lines.push(`  ${kind.padEnd(9)} ${text}`);
  }
  const busySeconds = Math.round(tally.busyMs / 1_000);
  lines.push(`plain names while nothing was wrong, without ${busySeconds} s of a busy machine:`);
  for (const [group, { rows, unknown }] of tally.calm) {
    lines.push(`  ${group.padEnd(15)} ${unknown} of ${rows} unknown`);
  }
  lines.push("inside documented windows:");
  for (const [window, count] of tally.windows) lines.push(`  ${count} ${window}`);
  const byRule = Map.groupBy(tally.violations, ({ rule, subject }) => {
    const kind = classOf(subject);
    return kind === undefined ? rule : `${rule}: ${kind}`;
  });
  lines.push(`${tally.violations.length} violations`);
  for (const [rule, violations] of byRule) {
    lines.push("", `## ${rule}, ${violations.length} times`);
    for (const { subject, why, story } of violations.slice(0, perRule)) {
      lines.push(`${subject}: ${why}`, ...story.map((line) => `  ${line}`));
    }
  }
  return lines.join("\n");
}
