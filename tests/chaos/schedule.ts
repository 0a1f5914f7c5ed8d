/** What happens when, derived from the seed. */
import type { DnsBehaviourKind } from "../lab/dns_behaviour.ts";
import { type Fault, REGISTRY_FAULTS, type RegistryFault } from "./faults.ts";
import { CALM_TLDS, CHAOS_TLDS, type Truth } from "./population.ts";
import type { Random } from "./random.ts";
import { LEGAL, WORDINGS } from "./not_found_wordings.ts";

/** Something that the run does at a time. */
export type Deed =
  | { kind: "kill"; slot: number; signal: "SIGKILL" | "SIGTERM"; downMs: number }
  | { kind: "clock"; slot: number; offsetMs: number }
  /** Copies KV, for the next `restore`. */
  | { kind: "backup" }
  /** Puts the last copy, or an empty KV, in the place of KV: under running processes, or while all are stopped. */
  | { kind: "restore"; isEmpty: boolean; isStopped: boolean }
  | { kind: "job"; slot: number; job: "probe_registries" | "refresh_tlds" }
  | { kind: "lie"; tld: string; wholeHost: boolean; forMs: number }
  /** Refuses every name that is not registered, in known words. */
  | { kind: "refuse"; tld: string; wording: number; forMs: number }
  | { kind: "fail"; tld: string; fault: RegistryFault; share: number; forMs: number }
  | { kind: "denyDns"; behaviour: DnsBehaviourKind; forMs: number }
  | { kind: "reword"; tld: string; wording: number }
  | { kind: "table"; home: "usual" | "honest" | "lying" }
  | { kind: "turn"; domain: string; truth: Truth };

/** A deed and its time, in ms since the start of the load. */
export type Scheduled = Deed & { at: number };

/** The labels of the kind `hot`. */
export const HOT_LABELS: readonly string[] = ["hot-one", "hot-two", "hot-three", "hot-four"];

const HOUR_MS = 3_600_000;
const WILD_TLDS = CHAOS_TLDS.filter((tld) => !CALM_TLDS.includes(tld));

/**
 * The run of the test suite: each lie once, tested at once, and requested until the documented window has passed. The
 * calm TLDs and one process whose clock was set back have no fault until DNS fails.
 */
export function planShortRun(random: Random): { ms: number; plan: Scheduled[] } {
  const job = "probe_registries";
  const offsetMs = -Math.round(random.between(10 * 60_000, HOUR_MS));
  const behaviour = random.pick(["nxdomain", "servfail", "refused", "nodata"] as const);
  const wording = Math.floor(random.between(1, WORDINGS.length));
  const plan: Scheduled[] = [
    { at: 100, kind: "clock", slot: 2, offsetMs },
    { at: 200, kind: "reword", tld: "site", wording },
    // Hosts of one TLD each, whose tests run in parallel; `bot` has only one name to test with.
    ...["tv", "cc", "cloud", "bot"].map((tld) =>
      ({ at: 300, kind: "lie", tld, wholeHost: false, forMs: 7_200 }) as const
    ),
    { at: 500, kind: "job", slot: 0, job },
    { at: 7_600, kind: "clock", slot: 2, offsetMs: 0 },
    { at: 7_700, kind: "kill", slot: 1, signal: "SIGKILL", downMs: 0 },
    { at: 7_600, kind: "job", slot: 0, job },
    { at: 8_000, kind: "denyDns", behaviour, forMs: 6_000 },
    { at: 8_200, kind: "job", slot: 2, job },
    { at: 8_900, kind: "kill", slot: 0, signal: "SIGTERM", downMs: 0 },
    { at: 10_000, kind: "clock", slot: 1, offsetMs: 24 * HOUR_MS },
  ];
  return { ms: 13_200, plan };
}

/** Plans a run of minutes. */
export function planRun(
  { random, ms, slots, faults }: {
    random: Random;
    ms: number;
    slots: number;
    faults: readonly Fault[];
  },
): Scheduled[] {
  const planned: Scheduled[] = [];
  const slot = () => Math.floor(random.next() * slots);
  const tldOf = () => random.pick(WILD_TLDS);

  /** Plans something repeatedly, about every `everyMs`. */
  function repeat(
    fault: Fault,
    everyMs: number,
    plan: (at: number) => readonly Scheduled[],
  ): void {
    if (!faults.includes(fault)) return;
    let at = random.between(0.1, 0.6) * everyMs;
    for (; at < ms; at += random.between(0.5, 1.5) * everyMs) planned.push(...plan(at));
  }

  /** A test a while after something began, while it lasts, and another once it is over. */
  function probes(at: number, forMs: number): Scheduled[] {
    const job = "probe_registries";
    return [
      { at: at + random.between(0.1, 0.3) * forMs, kind: "job", slot: slot(), job },
      { at: at + forMs + 500, kind: "job", slot: slot(), job },
    ];
  }

  repeat("kill", 12_000, (at) => [{
    at,
    kind: "kill",
    slot: slot(),
    signal: random.chance(0.6) ? "SIGKILL" : "SIGTERM",
    downMs: random.between(0, 3_000),
  }]);
  // Within what clocks may differ by, always: facts have to keep their order.
  const apart = Array.from({ length: slots }, () => Math.round(random.between(-14_000, 14_000)));
  if (faults.includes("clocks")) {
    planned.push(
      ...apart.map((offsetMs, slot) => ({ at: 0, kind: "clock" as const, slot, offsetMs })),
    );
  }
  repeat("clocks", 40_000, (at) => {
    const one = slot();
    const offsetMs = Math.round(random.pick([
      random.between(-15_000, 15_000),
      -random.between(10_000, HOUR_MS),
      random.between(60_000, 24 * HOUR_MS),
    ]));
    const until = at + random.between(10_000, 30_000);
    return [
      { at, kind: "clock", slot: one, offsetMs },
      { at: until, kind: "clock", slot: one, offsetMs: apart[one] ?? 0 },
    ];
  });
  repeat("olderKv", 50_000, (at) => {
    const how = { isEmpty: random.chance(0.2), isStopped: random.chance(0.4) };
    const restoreAt = at + random.between(3_000, 35_000);
    return [{ at, kind: "backup" }, { at: restoreAt, kind: "restore", ...how }];
  });
  repeat("refusals", 45_000, (at) => {
    const forMs = random.between(15_000, 30_000);
    const wording = Math.floor(random.next() * LEGAL.length);
    return [{ at, kind: "refuse", tld: tldOf(), wording, forMs }, ...probes(at, forMs)];
  });
  repeat("registryLies", 45_000, (at) => {
    const forMs = random.between(30_000, 50_000);
    const lie = { kind: "lie", tld: tldOf(), wholeHost: random.chance(0.5) } as const;
    return [{ at, ...lie, forMs }, ...probes(at, forMs)];
  });
  // A registry with only one name to test it with must not pass when it denies that name.
  repeat("registryLies", 120_000, (at) => {
    const forMs = 40_000;
    return [{ at, kind: "lie", tld: "bot", wholeHost: false, forMs }, ...probes(at, forMs)];
  });
  repeat("dnsDenial", 150_000, (at) => {
    const forMs = random.between(30_000, 40_000);
    const behaviour = random.pick(["nxdomain", "servfail", "refused", "nodata"] as const);
    return [{ at, kind: "denyDns", behaviour, forMs }, ...probes(at, forMs)];
  });
  repeat("registryFaults", 8_000, (at) => [{
    at,
    kind: "fail",
    tld: tldOf(),
    fault: random.pick(REGISTRY_FAULTS),
    share: random.between(0.1, 0.5),
    forMs: random.between(5_000, 15_000),
  }]);
  repeat("redirectToOther", 60_000, (at) => [{
    at,
    kind: "fail",
    tld: tldOf(),
    fault: "redirectToOther",
    share: 0.5,
    forMs: 10_000,
  }]);
  repeat("wordings", 30_000, (at) => [{
    at,
    kind: "reword",
    tld: tldOf(),
    wording: Math.floor(random.next() * WORDINGS.length),
  }]);
  repeat("tables", 60_000, (at) => {
    const home = random.pick(["honest", "lying", "usual"] as const);
    const refresh = { kind: "job", slot: slot(), job: "refresh_tlds" } as const;
    return [{ at, kind: "table", home }, { at: at + 100, ...refresh }];
  });
  repeat("turns", 1_500, (at) => [{
    at,
    kind: "turn",
    domain: `${random.pick(HOT_LABELS)}.${random.pick(CHAOS_TLDS)}`,
    truth: random.pick(["free", "delegated", "dark"] as const),
  }]);
  return planned.toSorted((a, b) => a.at - b.at);
}
