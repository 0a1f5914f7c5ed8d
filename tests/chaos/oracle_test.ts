import { assertEquals } from "@std/assert";
import { createHistory, type History, noteQuestion, noteTruth, type Run } from "./history.ts";
import {
  calmGroup,
  type ChaosRow,
  createOracle,
  type Judgement,
  OTHER_PROCESS_LEARNS_MS,
  TEST_ENDS_MS,
} from "./oracle.ts";

const HOST = "rdap.radix.host";
const SECOND = 1_000;
const MINUTE = 60_000;

/** A run that is up from the beginning. */
function addRun(history: History, slot: number, offsetMs = 0, from = 0): Run {
  const run: Run = {
    slot,
    run: 1,
    from,
    to: Infinity,
    readyAt: from,
    endingAt: Infinity,
    offsets: [{ at: from, offsetMs }],
  };
  history.runs.push(run);
  return run;
}

/** Three processes since 0, which is 1970. */
function createCase() {
  const history = createHistory(0);
  const runs = [0, 1, 2].map((slot) => addRun(history, slot));
  const oracle = createOracle(history);
  return { history, oracle, run: (slot: number) => runs[slot] as Run };
}

const ROWS = {
  available: { available: true, status: ["undelegated", "inactive"], premium: false },
  premium: { available: true, status: ["undelegated", "inactive", "premium"], premium: true },
  taken: { available: false, status: ["undelegated", "active"], premium: false },
  reserved: { available: false, status: ["undelegated"], premium: false },
  unknown: { available: false, status: ["unknown"], premium: false, error: "why" },
} as const;

/** A row requested at `from`, which arrives half a second later; `kept` is the time of its cached fact. */
function row(
  domain: string,
  state: keyof typeof ROWS,
  { run, from, kept, source = "rdap" }: {
    run: Run;
    from: number;
    kept?: number;
    source?: string;
  },
): ChaosRow {
  return {
    domain,
    tld: domain.slice(domain.indexOf(".") + 1),
    ...ROWS[state],
    source: kept === undefined ? source : `${source}+cache`,
    checkedAt: new Date(kept ?? from + 400).toISOString(),
    run,
    from,
    to: from + 500,
  };
}

/** A look-up: DNS shows nothing, and the registry, asked 100 ms later, takes `ms` to give its answer. */
function lookUp(
  history: History,
  domain: string,
  { slot, at, answer = "denied", host = HOST, ms = 100 }: {
    slot: number;
    at: number;
    answer?: string;
    host?: string;
    ms?: number;
  },
): void {
  noteQuestion(history, domain, { at, endsAt: at, slot, host: "dns", answer: "none" });
  noteQuestion(history, domain, { at: at + 100, endsAt: at + 100 + ms, slot, host, answer });
}

/** The rule or the window of a judgement. */
function gist(judgement: Judgement): string {
  if (judgement.kind === "violation") return judgement.rule;
  return judgement.kind === "window" ? `window: ${judgement.window}` : "allowed";
}

Deno.test("judge() allows true rows, fresh and cached, and unknown for every name", () => {
  const { history, oracle, run } = createCase();
  const truths = {
    "free-1.site": "available",
    "premium-1.site": "premium",
    "dark-1.site": "taken",
    "reserved-1.site": "reserved",
    "withheld-1.site": "reserved",
  } as const;
  for (const [domain, state] of Object.entries(truths)) {
    lookUp(history, domain, { slot: 0, at: MINUTE });
    const fresh = row(domain, state, { run: run(0), from: MINUTE });
    const kept = row(domain, state, { run: run(1), from: 2 * MINUTE, kept: MINUTE + 400 });
    const unknown = row(domain, "unknown", { run: run(0), from: 2 * MINUTE });
    assertEquals([fresh, kept, unknown].map((one) => gist(oracle.judge(one))), [
      "allowed",
      "allowed",
      "allowed",
    ], domain);
  }
  const delegated = {
    ...row("taken-1.site", "taken", { run: run(0), from: MINUTE, source: "dns" }),
    status: ["active"],
  };
  assertEquals(gist(oracle.judge(delegated)), "allowed");
});

Deno.test("judge() finds every registered or kept back name that an honest registry's TLD answers as available", () => {
  for (const kind of ["taken", "dark", "reserved", "legal", "withheld"]) {
    const { history, oracle, run } = createCase();
    const domain = `${kind}-1.site`;
    lookUp(history, domain, { slot: 0, at: MINUTE, answer: "fault: redirect to another name" });
    const fresh = row(domain, "available", { run: run(0), from: MINUTE });
    assertEquals(gist(oracle.judge(fresh)), "wrongly available", kind);
    const kept = row(domain, "available", { run: run(1), from: 2 * MINUTE, kept: MINUTE + 400 });
    assertEquals(gist(oracle.judge(kept)), "wrongly available", `${kind}, kept`);
  }
});

Deno.test("judge() allows what was true in any moment of a look-up, and nothing that was true before it", () => {
  const { history, oracle, run } = createCase();
  const domain = "birth-1.site";
  lookUp(history, domain, { slot: 0, at: MINUTE });
  noteTruth(history, domain, MINUTE + 200, "delegated");
  assertEquals(
    gist(oracle.judge(row(domain, "available", { run: run(0), from: MINUTE }))),
    "allowed",
  );
  lookUp(history, domain, { slot: 1, at: MINUTE + SECOND });
  const late = row(domain, "available", { run: run(1), from: MINUTE + SECOND });
  assertEquals(gist(oracle.judge(late)), "wrongly available");
});

Deno.test("judge() finds what is called taken, reserved or premium and never was", () => {
  const { oracle, run } = createCase();
  const judged = (domain: string, what: keyof typeof ROWS) =>
    gist(oracle.judge(row(domain, what, { run: run(0), from: MINUTE })));
  assertEquals(judged("free-1.site", "taken"), "wrongly taken");
  assertEquals(judged("free-1.site", "reserved"), "wrongly reserved");
  assertEquals(judged("dark-1.site", "reserved"), "wrongly reserved");
  assertEquals(judged("free-1.site", "premium"), "wrong premium");
  assertEquals(judged("premium-1.site", "available"), "wrong premium");
  const byDns = {
    ...row("dark-1.site", "taken", { run: run(0), from: MINUTE, source: "dns" }),
    status: ["active"],
  };
  assertEquals(gist(oracle.judge(byDns)), "wrongly taken");
});

Deno.test("judge() finds rows whose fields contradict each other", () => {
  const { oracle, run } = createCase();
  const plain = row("free-1.site", "available", { run: run(0), from: MINUTE });
  const unknown = row("free-1.site", "unknown", { run: run(0), from: MINUTE });
  const { error: _, ...withoutError } = unknown;
  const broken: ChaosRow[] = [
    { ...plain, available: false },
    { ...plain, premium: true },
    { ...plain, source: "dns" },
    { ...plain, error: "why" },
    { ...plain, status: ["active"] },
    { ...unknown, available: true },
    { ...unknown, source: "rdap+cache" },
    withoutError,
  ];
  assertEquals(broken.map((one) => gist(oracle.judge(one))), broken.map(() => "shape"));
});

Deno.test("judge() counts a lie apart until a test has been shown it, and no longer", () => {
  const { history, oracle, run } = createCase();
  history.lies.push({ host: HOST, tld: "site", from: MINUTE, to: 10 * MINUTE });
  const ask = (at: number, domain: string) => {
    lookUp(history, domain, { slot: 0, at, answer: "lied" });
    return gist(oracle.judge(row(domain, "available", { run: run(0), from: at })));
  };
  const unnoticed = "window: a registry lies unnoticed until its next test";
  assertEquals(ask(2 * MINUTE, "dark-1.site"), unnoticed);
  assertEquals(ask(2 * MINUTE, "free-1.site"), "allowed");
  const shown = 3 * MINUTE;
  history.shown.push({ at: shown, slot: 1, tld: "site", host: HOST });
  const learnt = shown + TEST_ENDS_MS + OTHER_PROCESS_LEARNS_MS;
  assertEquals(ask(learnt - 200, "dark-2.site"), unnoticed);
  assertEquals(ask(learnt, "dark-3.site"), "wrongly available");
  assertEquals(ask(learnt, "free-3.site"), "available from a known liar");
  // What was denied before is dropped from every cache too.
  const kept = row("dark-1.site", "available", {
    run: run(0),
    from: learnt + SECOND,
    kept: 2 * MINUTE + 400,
  });
  assertEquals(gist(oracle.judge(kept)), "wrongly available");
});

Deno.test("judge() dates what a process learns by its log where that is earlier", () => {
  const { history, oracle, run } = createCase();
  history.lies.push({ host: HOST, from: MINUTE, to: 10 * MINUTE });
  history.shown.push({ at: 3 * MINUTE, slot: 1, tld: "site", host: HOST });
  const failed = { slot: 1, tld: "site", host: HOST, kind: "failed" };
  history.canaries.push({ at: 3 * MINUTE + 100, ...failed });
  const at = 3 * MINUTE + 100 + OTHER_PROCESS_LEARNS_MS;
  lookUp(history, "dark-1.site", { slot: 0, at, answer: "lied" });
  const late = row("dark-1.site", "available", { run: run(0), from: at });
  assertEquals(gist(oracle.judge(late)), "wrongly available");
});

Deno.test("judge() ignores what a process saw that was killed before it could share it", () => {
  const { history, oracle, run } = createCase();
  history.lies.push({ host: HOST, from: MINUTE, to: 10 * MINUTE });
  history.shown.push({ at: 3 * MINUTE, slot: 1, tld: "site", host: HOST });
  run(1).endingAt = 3 * MINUTE + SECOND;
  lookUp(history, "dark-1.site", { slot: 0, at: 5 * MINUTE, answer: "lied" });
  const late = row("dark-1.site", "available", { run: run(0), from: 5 * MINUTE });
  assertEquals(
    gist(oracle.judge(late)),
    "window: a registry lies unnoticed until its next test",
  );
});

Deno.test("judge() has no window for a server that has never been honest", () => {
  const { history, oracle, run } = createCase();
  const host = "rdap.lying-home.lab";
  history.lies.push({ host, from: -Infinity, to: Infinity, always: true });
  lookUp(history, "dark-1.store", { slot: 0, at: MINUTE, answer: "lied", host });
  const wrong = row("dark-1.store", "available", { run: run(0), from: MINUTE });
  assertEquals(gist(oracle.judge(wrong)), "wrongly available");
});

Deno.test("judge() finds an available name once a process has seen DNS deny all it tests with", () => {
  const { history, oracle, run } = createCase();
  const denial = { from: MINUTE, to: 10 * MINUTE };
  history.denials.push(denial);
  const ask = (domain: string, at: number) => {
    lookUp(history, domain, { slot: 0, at });
    return gist(oracle.judge(row(domain, "available", { run: run(0), from: at })));
  };
  assertEquals(ask("free-1.site", 2 * MINUTE), "allowed");
  for (const seed of ["google", "nic", "amazon"]) {
    noteQuestion(history, `${seed}.site`, {
      at: 3 * MINUTE,
      endsAt: 3 * MINUTE,
      slot: 1,
      host: "dns",
      answer: "denied all",
    });
  }
  const learnt = 3 * MINUTE + TEST_ENDS_MS + OTHER_PROCESS_LEARNS_MS;
  assertEquals(ask("free-2.site", learnt - 200), "allowed");
  assertEquals(ask("free-3.site", learnt), "available while DNS denies everything");
  assertEquals(ask("free-3.tech", learnt), "allowed", "its names were not tried");
  const result = { slot: 1, tld: "site", host: HOST, kind: "undecided" };
  history.canaries.push({ at: 3 * MINUTE + SECOND, ...result });
  const logged = 3 * MINUTE + SECOND + OTHER_PROCESS_LEARNS_MS;
  assertEquals(ask("free-5.site", logged - 200), "allowed");
  assertEquals(ask("free-6.site", logged), "available while DNS denies everything");
  // Another test had seen DNS well, and its pass was noted last.
  const pass = { slot: 0, tld: "site", host: HOST, kind: "passed" };
  history.canaries.push({ ...pass, at: MINUTE + TEST_ENDS_MS + 1 });
  assertEquals(ask("free-7.site", logged), "available while DNS denies everything");
  denial.from = 3 * MINUTE - 1;
  history.canaries.push({ ...pass, at: 3 * MINUTE + 2 * SECOND });
  assertEquals(ask("free-8.site", logged), "allowed");
  history.canaries.pop();
  denial.to = learnt + SECOND;
  assertEquals(ask("free-4.site", learnt + 2 * SECOND), "allowed");
});

/** A name that process 0 began to look up while it was free, and that process 1 has called taken since. */
function createBirth() {
  const one = createCase();
  const { history, oracle, run } = one;
  const domain = "birth-1.site";
  lookUp(history, domain, { slot: 0, at: MINUTE, ms: 4_000 });
  noteTruth(history, domain, MINUTE + SECOND, "delegated");
  noteQuestion(history, domain, {
    at: MINUTE + 2 * SECOND,
    endsAt: MINUTE + 2 * SECOND,
    slot: 1,
    host: "dns",
    answer: "delegated",
  });
  oracle.noteAsked(domain, run(0), MINUTE);
  oracle.noteAsked(domain, run(1), MINUTE + 2 * SECOND);
  const active = {
    ...row(domain, "taken", { run: run(1), from: MINUTE + 2 * SECOND, source: "dns" }),
    status: ["active"],
  };
  assertEquals(gist(oracle.judge(active)), "allowed");
  return { ...one, domain };
}

Deno.test("judge() finds an older fact that overwrites a newer one", () => {
  const { oracle, run, domain } = createBirth();
  const kept = MINUTE + 4_200;
  oracle.noteAsked(domain, run(2), MINUTE + 10 * SECOND);
  // Process 2 has not been asked before, so this is what KV holds.
  for (const slot of [2, 1]) {
    const stale = row(domain, "available", { run: run(slot), from: MINUTE + 10 * SECOND, kept });
    assertEquals(gist(oracle.judge(stale)), "older fact after a newer one", `process ${slot}`);
  }
});

Deno.test("judge() asks no order of a fact that an older KV brings back, and counts it", () => {
  const { history, oracle, run, domain } = createBirth();
  const from = MINUTE + 20 * SECOND;
  const stale = row(domain, "available", { run: run(2), from, kept: MINUTE + 4_200 });
  history.rollbacks.push({ from: 30 * SECOND, to: 31 * SECOND, isStopped: false });
  assertEquals(gist(oracle.judge(stale)), "older fact after a newer one", "it came back before");
  history.rollbacks.push({ from: from - SECOND, to: from, isStopped: false });
  assertEquals(gist(oracle.judge(stale)), "window: KV came back older");
});

Deno.test("judge() finds an older KV's lies three seconds after it came back, unless all processes were stopped", () => {
  const { history, oracle, run } = createCase();
  history.lies.push({ host: HOST, tld: "site", from: MINUTE, to: 20 * MINUTE });
  history.shown.push({ at: 2 * MINUTE, slot: 1, tld: "site", host: HOST });
  lookUp(history, "dark-1.site", { slot: 0, at: 3 * MINUTE, answer: "lied" });
  const at = 4 * MINUTE;
  const keptAt = (from: number) => {
    const asked = { run: run(0), from, kept: 3 * MINUTE + 400 };
    return gist(oracle.judge(row("dark-1.site", "available", asked)));
  };
  const rollback = { from: at - SECOND, to: at, isStopped: false };
  history.rollbacks.push(rollback);
  assertEquals(keptAt(at + SECOND), "window: KV came back older");
  assertEquals(keptAt(at + OTHER_PROCESS_LEARNS_MS + SECOND), "wrongly available");
  rollback.isStopped = true;
  assertEquals(keptAt(at + 10 * SECOND), "window: KV came back older");
});

Deno.test("judge() takes a registry that refuses a name at its word", () => {
  const { history, oracle, run } = createCase();
  lookUp(history, "free-1.site", { slot: 0, at: MINUTE, answer: "refused" });
  const judged = (state: keyof typeof ROWS) =>
    gist(oracle.judge(row("free-1.site", state, { run: run(0), from: MINUTE })));
  assertEquals([judged("reserved"), judged("unknown")], ["allowed", "allowed"]);
  assertEquals(judged("available"), "wrongly available");
});

Deno.test("judge() asks no order of a name that was found to be available within the difference of clocks, and counts it", () => {
  for (
    const [afterMs, judgement] of [
      [5 * SECOND, "window: asked within the difference of clocks"],
      [3 * MINUTE, "older fact after a newer one"],
    ] as const
  ) {
    const { history, oracle } = createCase();
    const domain = "birth-4.site";
    const [slow, quick] = [addRun(history, 3), addRun(history, 4)];
    noteTruth(history, domain, 30 * SECOND, "dark");
    lookUp(history, domain, { slot: 3, at: MINUTE, answer: "found" });
    noteTruth(history, domain, MINUTE + 2 * SECOND, "free");
    lookUp(history, domain, { slot: 4, at: MINUTE + afterMs });
    oracle.judge(row(domain, "available", { run: quick, from: MINUTE + afterMs }));
    const from = MINUTE + afterMs + 10 * SECOND;
    const stale = row(domain, "taken", { run: slow, from, kept: MINUTE + 200 });
    oracle.noteAsked(domain, slow, from);
    assertEquals(gist(oracle.judge(stale)), judgement);
  }
});

Deno.test("judge() asks no order of a fact that KV could not take, or has not taken yet, and counts it", () => {
  const { history, oracle, run, domain } = createBirth();
  const kept = MINUTE + 4_200;
  const staleAt = (from: number) => {
    oracle.noteAsked(domain, run(2), from);
    return gist(oracle.judge(row(domain, "available", { run: run(2), from, kept })));
  };
  assertEquals(staleAt(MINUTE + 3 * SECOND), "window: a look-up under way");
  assertEquals(staleAt(MINUTE + 10 * SECOND), "older fact after a newer one");
  history.kvFailures.push({ slot: 1, from: MINUTE - 3 * SECOND, to: MINUTE - 2 * SECOND });
  assertEquals(staleAt(MINUTE + 10 * SECOND), "window: KV fails");
});

Deno.test("judge() asks no order of a fact whose process died before it can have stored it", () => {
  for (
    const [diesAfterMs, judgement] of [
      [2_000, "window: a look-up under way"],
      [5_000, "older fact after a newer one"],
    ] as const
  ) {
    const { oracle, run, domain } = createBirth();
    run(1).to = MINUTE + 2 * SECOND + diesAfterMs;
    oracle.noteAsked(domain, run(2), MINUTE + 10 * SECOND);
    const kept = MINUTE + 4_200;
    const stale = row(domain, "available", { run: run(2), from: MINUTE + 10 * SECOND, kept });
    assertEquals(gist(oracle.judge(stale)), judgement);
  }
});

Deno.test("judge() lets a process answer what it found out itself until that has expired, and counts it", () => {
  const { oracle, run, domain } = createBirth();
  const stale = row(domain, "available", {
    run: run(0),
    from: MINUTE + 10 * SECOND,
    kept: MINUTE + 4_200,
  });
  assertEquals(gist(oracle.judge(stale)), "window: another process's memory");
});

Deno.test("judge() lets those who share a look-up have its answer, and counts it", () => {
  const { history, oracle, run, domain } = createBirth();
  const shared = { ...row(domain, "available", { run: run(0), from: MINUTE + 3 * SECOND }) };
  shared.to = MINUTE + 4_300;
  assertEquals(gist(oracle.judge(shared)), "window: a look-up under way");
  // A name that was dropped meanwhile is free again.
  noteTruth(history, domain, MINUTE + 20 * SECOND, "free");
  lookUp(history, domain, { slot: 2, at: MINUTE + 30 * SECOND });
  const free = row(domain, "available", { run: run(2), from: MINUTE + 30 * SECOND });
  assertEquals(gist(oracle.judge(free)), "allowed");
});

Deno.test("judge() counts a cached lie as a lie, not as an older fact, when its look-up began after the newer fact was answered", () => {
  const { history, oracle, run, domain } = createBirth();
  history.lies.push({ host: HOST, tld: "site", from: MINUTE, to: 10 * MINUTE });
  const liedAt = (at: number) => {
    lookUp(history, domain, { slot: 2, at, answer: "lied" });
    const from = at + 10 * SECOND;
    return gist(
      oracle.judge(row(domain, "available", { run: run(1), from, kept: at + 200 })),
    );
  };
  // The name was answered as taken at 1:02.5.
  assertEquals(liedAt(MINUTE + 2_400), "older fact after a newer one");
  assertEquals(liedAt(2 * MINUTE), "window: a registry lies unnoticed until its next test");
});

Deno.test("judge() asks no order of facts whose clocks differ, and counts them", () => {
  const { history, oracle } = createCase();
  const domain = "birth-2.site";
  const ahead = addRun(history, 3, 60 * MINUTE);
  const right = addRun(history, 4);
  lookUp(history, domain, { slot: 3, at: MINUTE });
  noteTruth(history, domain, MINUTE + SECOND, "dark");
  lookUp(history, domain, { slot: 4, at: MINUTE + 2 * SECOND, answer: "found" });
  oracle.judge(row(domain, "taken", { run: right, from: MINUTE + 2 * SECOND }));
  const kept = MINUTE + 200 + 60 * MINUTE;
  const stale = row(domain, "available", { run: ahead, from: 2 * MINUTE, kept });
  assertEquals(gist(oracle.judge(stale)), "window: clocks differ");
});

Deno.test("judge() asks no order of facts where a clock was set back before the older one was stored", () => {
  const storeAfter = (offsetMs: number) => {
    const { history, oracle } = createCase();
    const domain = "birth-3.site";
    const [slow, right] = [addRun(history, 3), addRun(history, 4)];
    lookUp(history, domain, { slot: 3, at: MINUTE });
    noteTruth(history, domain, MINUTE + 300, "dark");
    lookUp(history, domain, { slot: 4, at: MINUTE + 400, answer: "found" });
    oracle.judge(row(domain, "taken", { run: right, from: MINUTE + 400 }));
    slow.offsets.push({ at: MINUTE + 500, offsetMs });
    const stale = row(domain, "available", { run: right, from: 2 * MINUTE, kept: MINUTE + 200 });
    return gist(oracle.judge(stale));
  };
  assertEquals(storeAfter(-30 * MINUTE), "window: clocks differ");
  assertEquals(storeAfter(0), "older fact after a newer one");
});

Deno.test("judge() finds facts that are older than their lifetime by the clock of their process", () => {
  const { history, oracle, run } = createCase();
  const ask = (domain: string, state: "available" | "taken" | "reserved", age: number) => {
    lookUp(history, domain, { slot: 0, at: MINUTE });
    const from = MINUTE + age;
    return gist(oracle.judge(row(domain, state, { run: run(0), from, kept: MINUTE + 200 })));
  };
  assertEquals(ask("free-1.site", "available", 5 * MINUTE), "allowed");
  assertEquals(ask("free-2.site", "available", 7 * MINUTE), "older than its lifetime");
  assertEquals(ask("dark-1.site", "taken", 60 * MINUTE), "allowed");
  assertEquals(ask("dark-2.site", "taken", 62 * MINUTE), "older than its lifetime");
  assertEquals(ask("reserved-1.site", "reserved", 24 * 60 * MINUTE), "allowed");
  assertEquals(ask("reserved-2.site", "reserved", 24.1 * 60 * MINUTE), "older than its lifetime");
  // The clock was put right while the look-up was under way.
  run(1).offsets.push({ at: 2 * MINUTE, offsetMs: -30 * MINUTE });
  run(1).offsets.push({ at: 3 * MINUTE, offsetMs: 0 });
  lookUp(history, "free-4.site", { slot: 1, at: 3 * MINUTE - 50 });
  const kept = 3 * MINUTE - 50 - 30 * MINUTE;
  const jumped = row("free-4.site", "available", { run: run(0), from: 4 * MINUTE, kept });
  assertEquals(gist(oracle.judge(jumped)), "window: clocks differ");
  // Of the future.
  const early = row("free-3.site", "available", { run: run(0), from: MINUTE, kept: 2 * MINUTE });
  assertEquals(gist(oracle.judge(early)), "older than its lifetime");
});

Deno.test("calmGroup() takes plain names of registries that are well, by the state of the clock", () => {
  const { history, run } = createCase();
  const group = (domain: string, from = MINUTE, slot = 0) =>
    calmGroup(history, row(domain, "unknown", { run: run(slot), from }));
  assertEquals(group("free-1.org"), "clock right");
  assertEquals(group("free-1.site"), undefined);
  assertEquals(group("withheld-1.org"), undefined);
  assertEquals(group("free-1.org", SECOND / 2), undefined, "it has just started");
  run(1).offsets.push({ at: 2 * MINUTE, offsetMs: 60 * MINUTE });
  run(1).offsets.push({ at: 4 * MINUTE, offsetMs: 0 });
  assertEquals(group("free-1.org", 3 * MINUTE, 1), "clock ahead");
  assertEquals(group("free-1.org", 5 * MINUTE, 1), "clock set back");
  history.denials.push({ from: 5 * MINUTE, to: 6 * MINUTE });
  assertEquals(group("free-1.org", 6.5 * MINUTE), undefined, "DNS was not well");
  history.busy.push({ from: 8 * MINUTE, to: 8 * MINUTE + SECOND });
  assertEquals(group("free-1.org", 8 * MINUTE), undefined, "the machine was busy");
});
