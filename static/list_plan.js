// @ts-check
/**
 * When the questions of a list are sent. What a registry could not answer soon is held back, because the service would
 * reject it as waiting too long; what the rate limit does not admit yet is held back, too. Pure: the time is an argument.
 */

import { nameOf } from "./parse_input.js";

/**
 * One name of a request, which costs one request of the limit: a label under some TLDs, or a domain, and
 * then no TLDs, but for .eth names, which are asked for apart.
 * @typedef {{ text: string, tlds: readonly string[], domains: readonly string[] }} Part
 *
 * How a TLD's registry is asked: `everyMs` is the pause between two questions, 0 if none is needed, and `atOnce` is how many
 * questions of a list it answers before the service rejects the next.
 * @typedef {{ host: string, everyMs: number, atOnce: number }} Registry
 *
 * @typedef {{ host: string, place: number, ms: number }} Turn the place of a question in the queue of its registry
 */

/** How many names share a request: fewer at a slow registry, so that the next is sent as soon as it can start. */
const NAMES_PER_REQUEST = { quick: 20, slow: 2 };
/** Browsers open six connections to an HTTP/1.1 server; one is left for the menu. */
const MAX_OPEN = 5;
/** A registry that needs more for each name is slow. */
const QUICK_MS = 250;
const MINUTE_MS = 60_000;
/** Before that, the pace of a registry that the service shares with others cannot be told from its rows. */
const OBSERVED_AFTER_MS = 8_000;

/** Whether a registry answers a few names at once. @param {Registry | undefined} registry */
export function isQuick(registry) {
  return registry !== undefined && registry.everyMs <= QUICK_MS;
}

/** Where the limit of requests stands, by what was sent and by the headers of responses. */
export function createQuota() {
  let limit = 1;
  /** When each spent request is free again, the first first. @type {number[]} */
  let spent = [];

  const drop = (/** @type {number} */ now) => spent = spent.filter((freeAt) => freeAt > now);

  /**
   * @param {number} cost
   * @param {number} now
   */
  function spend(cost, now) {
    // The service's window may begin a little later than the request.
    spent.push(...Array.from({ length: cost }, () => now + MINUTE_MS + 500));
  }

  return {
    spend,
    limit: () => limit,
    /**
     * What a response says: requests of other windows and pages count, too.
     * @param {{ limit: number, remaining: number }} state
     * @param {number} now
     */
    note(state, now) {
      limit = state.limit;
      drop(now);
      spend(Math.max(0, limit - state.remaining - spent.length), now);
    },
    /** How many requests would be admitted. @param {number} now */
    left: (now) => (drop(now), Math.max(0, limit - spent.length)),
    /**
     * In how many ms so many requests have been admitted.
     * @param {number} cost
     * @param {number} now
     */
    waitMs(cost, now) {
      drop(now);
      const behind = cost - (limit - spent.length);
      if (behind <= 0) return 0;
      // What is admitted now is free again in a minute.
      const slots = [
        ...spent,
        ...Array.from({ length: limit - spent.length }, () => now + MINUTE_MS),
      ];
      const slot = slots[(behind - 1) % limit] ?? now + MINUTE_MS;
      return slot - now + Math.floor((behind - 1) / limit) * MINUTE_MS;
    },
  };
}

/** @typedef {ReturnType<typeof createQuota>} Quota */

/**
 * Plans the questions of a list.
 * @param {readonly Part[]} parts
 * @param {{ registryOf: (tld: string) => Registry | undefined, quota: Quota, now: number }} options
 */
export function createListPlan(parts, { registryOf, quota, now: startedAt }) {
  /** The parts that have not been sent, in their order: those of slow registries, and all others. */
  const waiting = { slow: /** @type {Part[]} */ ([]), quick: /** @type {Part[]} */ ([]) };
  /** The domains that have been sent and have no answer. @type {Set<string>} */
  const asked = new Set();
  /** @type {Map<string, { registry: Registry, left: Set<string>, answered: number, byRegistry: number }>} */
  const hosts = new Map();
  let open = 0;
  /** @type {number[]} */
  let slowSentAt = [];
  for (const part of parts) add(part);
  const isSplit = isSplitWorthwhile();
  split();

  /** @param {Part} part */
  function add(part) {
    for (const domain of part.domains) hostOf(domain)?.left.add(domain);
    waiting.slow.push(part);
  }

  /** @param {string} domain */
  function hostOf(domain) {
    const registry = registryOf(nameOf(domain).tld);
    if (registry === undefined) return undefined;
    const host = hosts.get(registry.host) ??
      { registry, left: new Set(), answered: 0, byRegistry: 0 };
    hosts.set(registry.host, host);
    return host;
  }

  /** How long a part keeps its slowest registry busy. @param {readonly string[]} domains */
  function msOf(domains) {
    const needs = needsOf(domains);
    return Math.max(
      0,
      ...[...needs].map(([host, need]) => need * (hosts.get(host)?.registry.everyMs ?? 0)),
    );
  }

  /** How many questions go to each paced registry. @param {readonly string[]} domains */
  function needsOf(domains) {
    /** @type {Map<string, number>} */
    const needs = new Map();
    for (const domain of domains) {
      const { host, everyMs } = hostOf(domain)?.registry ?? { host: "", everyMs: 0 };
      if (everyMs > 0) needs.set(host, (needs.get(host) ?? 0) + 1);
    }
    return needs;
  }

  /** Whether the registry of one of a name's domains is slow. @param {string} domain @param {Part} part */
  function isSlow(domain, { domains }) {
    const host = hostOf(domain);
    return msOf(domains.filter((other) => hostOf(other) === host)) > QUICK_MS;
  }

  /**
   * Quick registries are asked first if a second request for each name delays little: the slow ones take long anyway.
   */
  function isSplitWorthwhile() {
    const slow = [...hosts.values()].filter(({ registry, left }) =>
      left.size > registry.atOnce && registry.everyMs > 0
    );
    if (slow.length === 0) return false;
    const slowMs = Math.max(...slow.map(({ registry, left }) => left.size * registry.everyMs));
    return quota.waitMs(2 * parts.length, startedAt) <= 1.25 * slowMs;
  }

  function split() {
    const all = waiting.slow.splice(0);
    for (const part of all) {
      const slow = part.domains.filter((domain) => isSplit && isSlow(domain, part));
      const quick = part.domains.filter((domain) => !slow.includes(domain));
      for (const [kind, domains] of /** @type {const} */ ([["slow", slow], ["quick", quick]])) {
        const isDomain = domains[0] === part.text;
        const tlds = part.tlds.filter((tld) => isDomain || domains.includes(`${part.text}.${tld}`));
        if (domains.length > 0) waiting[kind].push({ text: part.text, tlds, domains });
      }
    }
  }

  /**
   * Whether the registries have room for more of this list. A single name that needs more gets it once there is nothing
   * else.
   * @param {readonly Part[]} parts
   */
  function fit(parts) {
    return [...needsOf(parts.flatMap(({ domains }) => domains))].every(([name, need]) => {
      const host = hosts.get(name);
      if (host === undefined) return true;
      const running = [...host.left].filter((domain) => asked.has(domain)).length;
      return running + need <= host.registry.atOnce || (running === 0 && parts.length === 1);
    });
  }

  /**
   * The parts of the next request, all under the same TLDs.
   * @param {"slow" | "quick"} kind
   * @param {number} most
   */
  function takeFrom(kind, most) {
    const queue = waiting[kind];
    /** @type {Part[]} */
    const taken = [];
    for (const part of queue) {
      const isAlike = taken.length === 0 || `${taken[0]?.tlds}` === `${part.tlds}`;
      if (taken.length >= Math.min(most, NAMES_PER_REQUEST[kind]) || !isAlike) break;
      if (!fit([...taken, part])) break;
      taken.push(part);
    }
    queue.splice(0, taken.length);
    return taken;
  }

  /**
   * How many requests are kept for the slow registries: what they take within the next minute, less what they took in the
   * last, which is free again by then.
   * @param {number} now
   */
  function reserved(now) {
    let ms = 0;
    const next = waiting.slow.slice(0, Math.floor(quota.limit() / 2))
      .filter(({ domains }) => (ms += msOf(domains)) <= MINUTE_MS);
    slowSentAt = slowSentAt.filter((at) => at > now - MINUTE_MS);
    return Math.max(0, next.length - slowSentAt.length);
  }

  /** How long a registry takes for each domain: by its pace, or as it was seen to, if that is longer. */
  function msPerDomain(/** @type {string} */ name, /** @type {number} */ now) {
    const host = hosts.get(name);
    if (host === undefined) return 0;
    const { registry, answered, byRegistry } = host;
    // What DNS answers needs no question to the registry.
    const share = (byRegistry + 1) / (answered + 1);
    const byPace = Math.min(share, 1) * registry.everyMs;
    const elapsed = now - startedAt;
    const seen = elapsed < OBSERVED_AFTER_MS || answered === 0 ? 0 : elapsed / answered;
    return registry.everyMs === 0 ? 0 : Math.max(byPace, seen);
  }

  return {
    /**
     * The next request, or undefined if there is none to send now.
     * @param {number} now
     * @returns {readonly Part[] | undefined}
     */
    take(now) {
      if (open >= MAX_OPEN) return undefined;
      const left = quota.left(now);
      const slow = takeFrom("slow", left);
      const parts = slow.length > 0 ? slow : takeFrom("quick", left - reserved(now));
      if (parts.length === 0) return undefined;
      open++;
      quota.spend(parts.length, now);
      if (parts === slow) slowSentAt.push(...slow.map(() => now));
      for (const { domains } of parts) for (const domain of domains) asked.add(domain);
      return parts;
    },
    /** Notes that a request of `take` has ended. */
    close: () => open--,
    /** Notes that a domain has to be asked for again, which `again` does. @param {string} domain */
    postpone: (domain) => asked.delete(domain),
    /** @param {Part} part */
    again(part) {
      for (const domain of part.domains) hostOf(domain)?.left.add(domain);
      waiting[isSplit && msOf(part.domains) > QUICK_MS ? "slow" : "quick"].push(part);
    },
    /**
     * Notes that a domain has its answer.
     * @param {string} domain
     * @param {{ byRegistry: boolean }} how
     */
    settle(domain, { byRegistry }) {
      asked.delete(domain);
      const host = hostOf(domain);
      if (!host?.left.delete(domain)) return;
      host.answered++;
      if (byRegistry) host.byRegistry++;
    },
    /** Whether a domain has been sent. @param {string} domain */
    isAsked: (domain) => asked.has(domain),
    isDone: () => waiting.slow.length + waiting.quick.length === 0,
    /**
     * The place of a domain that has not been sent.
     * @param {string} domain
     * @param {number} now
     * @returns {Turn | undefined}
     */
    turnOf(domain, now) {
      const host = hostOf(domain);
      if (host === undefined || asked.has(domain) || !host.left.has(domain)) return undefined;
      const place = [...host.left].indexOf(domain) + 1;
      const kind = waiting.slow.some(({ domains }) => domains.includes(domain)) ? "slow" : "quick";
      const parts = waiting[kind].findIndex(({ domains }) => domains.includes(domain)) + 1;
      const ms = Math.max(
        place * msPerDomain(host.registry.host, now),
        quota.waitMs(kind === "slow" ? parts : parts + reserved(now), now),
      );
      return { host: host.registry.host, place, ms };
    },
    /**
     * In how many ms all will be answered: each name as soon as the limit admits it and its registries have time for it.
     * @param {number} now
     */
    endMs(now) {
      const paces = new Map([...hosts.keys()].map((host) => [host, msPerDomain(host, now)]));
      const isCounted = (/** @type {string} */ domain) => isSplit || asked.has(domain);
      const busyMs = new Map([...hosts].map(([name, { left }]) => [
        name,
        [...left].filter(isCounted).length * (paces.get(name) ?? 0),
      ]));
      let sentMs = quota.waitMs(waiting.slow.length + waiting.quick.length, now);
      for (const [place, { domains }] of (isSplit ? [] : waiting.quick).entries()) {
        sentMs = quota.waitMs(place + 1, now);
        for (const [host, need] of needsOf(domains)) {
          busyMs.set(host, Math.max(busyMs.get(host) ?? 0, sentMs) + need * (paces.get(host) ?? 0));
        }
      }
      return Math.max(sentMs, ...busyMs.values());
    },
  };
}

/** @typedef {ReturnType<typeof createListPlan>} ListPlan */

/**
 * A duration for people, such as "about 40 s" and "about 3 min".
 * @param {number} ms
 */
export function durationInWords(ms) {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds <= 5) return "a few seconds";
  if (seconds <= 90) return `about ${Math.ceil(seconds / 5) * 5} s`;
  return `about ${Math.round(seconds / 60)} min`;
}
