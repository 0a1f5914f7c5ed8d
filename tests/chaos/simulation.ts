/** What DNS and the registries of a chaos run answer at this moment, and the history of it. */
import { GODADDY } from "../lab/back_ends.ts";
import type { Director } from "../lab/directed_lab.ts";
import type { DnsBehaviour, DnsBehaviourKind } from "../lab/dns_behaviour.ts";
import { ianaTable } from "../lab/iana_table.ts";
import { later } from "../lab/delays.ts";
import { notFoundReply } from "../lab/registry_replies.ts";
import { type RdapBehaviour, rdapBehaviours } from "../lab/rdap_behaviours.ts";
import { domainUrl, REGISTRIES, type Registry } from "../lab/registries.ts";
import type { HttpBehaviour } from "../lab/http_behaviour.ts";
import type { RegistryRequest } from "../lab/registry_server.ts";
import type { Fault, RegistryFault } from "./faults.ts";
import { type History, lieAt, noteQuestion, noteTruth, truthAt } from "./history.ts";
import { classOf, labelOf, seedsOf, tldOf, type Truth } from "./population.ts";
import { hashOf, type Random } from "./random.ts";
import {
  LEGAL,
  madeUpLabel,
  ODD_SHAPES,
  ODD_WORDS,
  WORDINGS,
  type Words,
} from "./not_found_wordings.ts";

/** Servers to which IANA's table may move TLDs: one that knows the same names, and one that denies every name. */
const HONEST_HOME: Registry = {
  host: "rdap.honest-home.lab",
  backEnd: GODADDY,
  bases: { site: "/", tv: "/" },
  latencyMs: 0,
};
const LYING_HOME: Registry = {
  host: "rdap.lying-home.lab",
  backEnd: GODADDY,
  bases: { store: "/", cc: "/" },
  latencyMs: 0,
};
const HOMES = { honest: HONEST_HOME, lying: LYING_HOME };

const BY_HOST = new Map(
  [...REGISTRIES, HONEST_HOME, LYING_HOME].map((registry) => [registry.host, registry]),
);
/** The service pins `io` and `me`, so that a table need not list them. */
const USUAL_TABLE = ianaTable(REGISTRIES);

const DNS_LIES: readonly DnsBehaviourKind[] = [
  "nxdomain",
  "nodata",
  "servfail",
  "refused",
  "silent",
];
const RESERVED: readonly RdapBehaviour[] = [
  "reserved",
  "blockedBsa",
  "globalblock",
  "dropzone",
  "dpml",
  "restricted",
];
const PREMIUM: readonly RdapBehaviour[] = ["premium", "platinum"];

/** The simulated DNS and registries, and the changes that the schedule makes to them. */
export interface Simulation extends Director {
  table(): unknown;
  /** Makes a registry deny every name for a while. */
  lie(host: string, tld: string | undefined, forMs: number): void;
  /** Makes a registry refuse every name that is not registered for a while. */
  refuse(host: string, wording: number, forMs: number): void;
  /** Makes a share of a host's answers fail for a while. */
  fail(host: string, fault: RegistryFault, share: number, forMs: number): void;
  /** Makes DNS deny every name for a while. */
  denyDns(behaviour: DnsBehaviourKind, forMs: number): void;
  /** Changes the wording of a host's 404s. */
  reword(host: string, wording: number): void;
  /** Changes the truth of a name. */
  wait(domain: string, truth: Truth): void;
  /** Publishes IANA's table with TLDs moved to another server. */
  moveTlds(home: "usual" | "honest" | "lying"): unknown;
  /** Cancels pending changes. */
  close(): void;
}

/** The registry's host of a TLD in the usual table. */
export function hostOf(tld: string): string {
  return REGISTRIES.find(({ bases }) => tld in bases)?.host ?? "";
}

/** Creates the simulation; it records every event in the history. */
export function createSimulation(
  { history, random, faults, now }: {
    history: History;
    random: Random;
    faults: readonly Fault[];
    now: () => number;
  },
): Simulation {
  const failing = new Map<string, { fault: RegistryFault; share: number; until: number }>();
  const refusing = new Map<string, { wording: number; until: number }>();
  const wordings = new Map<string, number>();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const born = new Set<string>();
  let denial: DnsBehaviourKind | undefined;
  if (faults.includes("tables")) {
    const { host } = LYING_HOME;
    history.lies.push({ host, from: -Infinity, to: Infinity, always: true });
  }

  function after(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  }

  function note(text: string): void {
    history.notes.push({ at: now(), text });
  }

  function wait(domain: string, truth: Truth): void {
    noteTruth(history, domain, now(), truth);
  }

  /** A name of the kind `birth` is registered during its first look-up. */
  function registerNow(domain: string): void {
    if (born.has(domain) || !faults.includes("births")) return;
    born.add(domain);
    const truth = hashOf(domain) % 4 === 0 ? "dark" : "delegated";
    after(random.between(30, 200), () => wait(domain, truth));
  }

  function answerDns(slot: number, name: string, type: string): DnsBehaviour {
    const at = now();
    const { answer, behaviour } = dnsBehaviourOf(name, type, at);
    const endsAt = at + (behaviour.kind === "silent" ? 2_000 : behaviour.delayMs ?? 0);
    if (type === "NS") noteQuestion(history, name, { at, endsAt, slot, host: "dns", answer });
    return behaviour;
  }

  function dnsBehaviourOf(
    name: string,
    type: string,
    at: number,
  ): { answer: string; behaviour: DnsBehaviour } {
    const labels = name.split(".").length;
    if (denial !== undefined) return { answer: "denied all", behaviour: { kind: denial } };
    if (labels > 2) return { answer: "none", behaviour: { kind: "nxdomain" } };
    if (type !== "NS") return { answer: "none", behaviour: { kind: "nodata" } };
    const kind = classOf(name);
    if (kind === "birth") registerNow(name);
    const delayMs = random.chance(0.02) ? random.between(50, 400) : 0;
    if (labels === 2 && truthAt(history, name, at) !== "delegated") {
      return { answer: "none", behaviour: { kind: "nxdomain", delayMs } };
    }
    if (kind !== "seed" && labels === 2 && faults.includes("dnsLies") && random.chance(0.12)) {
      const lie = random.pick(DNS_LIES);
      return { answer: `lied: ${lie}`, behaviour: { kind: lie, delayMs } };
    }
    return { answer: "delegated", behaviour: { kind: "delegated", delayMs } };
  }

  function answerRegistry({ host, path, headers }: RegistryRequest): HttpBehaviour {
    const at = now();
    const registry = BY_HOST.get(host);
    const [, base = "", asked = ""] = /^(\/(?:[^?]*\/)?)domain\/([^/?]*)$/.exec(path) ?? [];
    const domain = asked.toLowerCase();
    const tld = tldOf(domain);
    if (registry === undefined || registry.bases[tld] !== base) {
      return { kind: "text", status: 404, contentType: "text/html", body: "<p>404</p>" };
    }
    const { answer, behaviour } = registryBehaviourOf(registry, domain, at);
    const delayMs = delayOf(domain) + (answer === "fault: slow" ? random.between(3_000, 9_000) : 0);
    const slot = Number(headers["x-chaos-slot"] ?? -1);
    const endsAt = at + delayMs;
    noteQuestion(history, domain, { at, endsAt, slot, host, answer });
    if (answer === "lied" && seedsOf(tld).includes(labelOf(domain))) {
      history.shown.push({ at, slot, tld, host });
    }
    return later(behaviour, delayMs);
  }

  function delayOf(domain: string): number {
    const kind = classOf(domain);
    if (kind === "birth" || (kind === "hot" && random.chance(0.7))) {
      return random.between(500, 1_500);
    }
    return random.chance(0.02) ? random.between(300, 1_500) : random.between(1, 20);
  }

  function registryBehaviourOf(
    registry: Registry,
    domain: string,
    at: number,
  ): { answer: string; behaviour: HttpBehaviour } {
    const { host } = registry;
    const truth = truthAt(history, domain, at);
    const isRegistered = truth === "delegated" || truth === "dark";
    const failure = failing.get(host);
    if (failure !== undefined && failure.until > at && random.chance(failure.share)) {
      const { fault } = failure;
      if (fault === "redirectToOther" && isRegistered) {
        const other = domainUrl(registry, `${madeUpLabel(random)}.${tldOf(domain)}`);
        const behaviour = { kind: "redirect", status: 302, location: other } as const;
        return { answer: "fault: redirect to another name", behaviour };
      }
      const answer = `fault: ${fault}`;
      if (fault === "slow") return { answer, behaviour: honest(registry, domain, truth).behaviour };
      if (fault === "rateLimited") {
        const behaviour = rdapBehaviours.rateLimited(registry) as HttpBehaviour & { kind: "json" };
        const seconds = Math.ceil(random.between(0.1, 3));
        return { answer, behaviour: { ...behaviour, headers: { "retry-after": `${seconds}` } } };
      }
      if (fault !== "redirectToOther") {
        return { answer, behaviour: rdapBehaviours[fault](registry, domain) };
      }
    }
    const refusal = refusing.get(host);
    if (refusal !== undefined && refusal.until > at && !isRegistered) {
      const words = LEGAL[refusal.wording]?.(domain) ?? {};
      return { answer: "refused", behaviour: notFound(registry, domain, words) };
    }
    if (lieAt(history, host, tldOf(domain), at) === undefined) {
      return honest(registry, domain, truth);
    }
    // A true denial is no lie, but comes from a registry that must not be trusted.
    return { answer: "lied", behaviour: notFound(registry, domain, {}) };
  }

  function honest(
    registry: Registry,
    domain: string,
    truth: Truth,
  ): { answer: string; behaviour: HttpBehaviour } {
    const hash = hashOf(domain);
    const nth = <T>(list: readonly T[]) => list[hash % list.length] as T;
    switch (truth) {
      case "delegated":
      case "dark":
        return { answer: "found", behaviour: rdapBehaviours.registered(registry, domain) };
      case "free":
        return { answer: "denied", behaviour: notFound(registry, domain, {}) };
      case "premium":
        return { answer: "denied", behaviour: rdapBehaviours[nth(PREMIUM)](registry, domain) };
      case "reserved": {
        const behaviour = classOf(domain) === "legal"
          ? notFound(registry, domain, nth(LEGAL)(domain))
          : rdapBehaviours[nth(RESERVED)](registry, domain);
        return { answer: `denied: ${textOf(behaviour)}`, behaviour };
      }
      case "withheld": {
        const words = [
          ...faults.includes("oddWords") ? ODD_WORDS : [],
          ...faults.includes("oddShapes") ? ODD_SHAPES : [],
        ];
        const behaviour = notFound(registry, domain, nth(words)(domain));
        return { answer: `denied: ${textOf(behaviour)}`, behaviour };
      }
    }
  }

  /** The registry's 404 in its current wording, with the name's own words. */
  function notFound(registry: Registry, domain: string, own: Words): HttpBehaviour {
    const today = WORDINGS[wordings.get(registry.host) ?? 0] ?? {};
    const usual = notFoundReply(registry, domain);
    const { extra, ...words } = { ...today, ...own };
    if (Object.keys(words).length === 0 && extra === undefined) return usual;
    const before = usual.kind === "json" ? usual.body as Record<string, unknown> : {
      errorCode: 404,
      title: "Not Found",
    };
    return {
      kind: "json",
      status: 404,
      contentType: registry.backEnd.contentType,
      body: { ...before, ...words, ...extra },
    };
  }

  return {
    answerDns,
    answerRegistry,
    table: () => USUAL_TABLE,
    wait(domain, truth) {
      wait(domain, truth);
    },
    lie(host, tld, forMs) {
      const at = now();
      note(`${host} begins to deny every name${tld === undefined ? "" : ` of ${tld}`}`);
      const lie = { host, from: at, to: Infinity, ...(tld !== undefined && { tld }) };
      history.lies.push(lie);
      after(forMs, () => {
        lie.to = now();
        note(`${host} is honest again`);
      });
    },
    refuse(host, wording, forMs) {
      note(`${host} refuses every name for ${Math.round(forMs / 1_000)} s`);
      refusing.set(host, { wording, until: now() + forMs });
    },
    fail(host, fault, share, forMs) {
      note(`${host}: ${fault}, ${Math.round(share * 100)}% of its answers`);
      failing.set(host, { fault, share, until: now() + forMs });
    },
    denyDns(behaviour, forMs) {
      if (denial !== undefined) return;
      note(`DNS answers ${behaviour} to everything`);
      const stretch = { from: now(), to: Infinity };
      history.denials.push(stretch);
      denial = behaviour;
      after(forMs, () => {
        denial = undefined;
        stretch.to = now();
        note("DNS is right again");
      });
    },
    reword(host, wording) {
      note(`${host} words its 404s differently (${wording})`);
      wordings.set(host, wording);
    },
    moveTlds(home) {
      note(`IANA's table: ${home}`);
      if (home === "usual") return USUAL_TABLE;
      const { host, bases } = HOMES[home];
      const moved = Object.fromEntries(
        Object.entries(bases).map(([tld, path]) => [tld, `http://${host}${path}`]),
      );
      const publication = new Date().toISOString();
      return { ...ianaTable(REGISTRIES, { moved }), publication };
    },
    close() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function textOf(behaviour: HttpBehaviour): string {
  if (behaviour.kind !== "json") return behaviour.kind;
  const { description, notices, remarks, title } = behaviour.body as Record<string, unknown>;
  return JSON.stringify({ title, description, notices, remarks }).slice(0, 200);
}
