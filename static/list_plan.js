// @ts-check
/**
 * When the requests of a search are sent, those of a list as the limit of requests admits them. The service answers each as
 * a stream that waits in its queues. Pure: the time is an argument.
 */
import { MAX_NAMES } from "./parse_input.js";

/**
 * One name of a request, which costs one request of the limit: a label under some TLDs, or a domain, and
 * then no TLDs, but for .eth names, which are asked for apart. `isAgain` is whether it is what a stream has left out that was
 * cut.
 * @typedef {{ text: string, tlds: readonly string[], domains: readonly string[], isAgain?: boolean }} Part
 */

/** The most TLDs of a request's labels, and domains of all its names. */
export const MOST_TLDS = 50;
const MOST_DOMAINS = 4_000;
/** Browsers open six connections to an HTTP/1.1 server; one is left for the menu. */
const MAX_OPEN = 5;
const MINUTE_MS = 60_000;

/** Where the limit of requests stands, by the headers of responses and by the requests that have none yet. */
export function createQuota() {
  let limit = 1;
  let remaining = 1;
  let notedAt = 0;
  let freeAt = 0;
  let open = 0;

  /** How many requests would be admitted. @param {number} now */
  function left(now) {
    // All of the last response are free a minute after it. At `freeAt` one is: its response says how many more.
    const one = now >= freeAt ? 1 : 0;
    const free = now >= notedAt + MINUTE_MS ? limit : Math.max(remaining, one);
    return Math.max(0, free - open);
  }

  return {
    left,
    limit: () => limit,
    /** Notes that so many requests are sent, or if negative, have their response. @param {number} count */
    send: (count) => void (open += count),
    /**
     * What a response says: requests of other pages count, too.
     * @param {{ limit: number, remaining: number, resetMs: number }} state `resetMs`: until the next one is free
     * @param {number} now
     */
    note(state, now) {
      ({ limit, remaining } = state);
      notedAt = now;
      freeAt = now + state.resetMs;
    },
    /**
     * In how many ms so many requests have been admitted.
     * @param {number} cost
     * @param {number} now
     */
    waitMs(cost, now) {
      const behind = cost - left(now);
      if (behind <= 0) return 0;
      // What is sent now is free again in a minute.
      const next = freeAt > now ? freeAt - now : MINUTE_MS;
      return next + Math.floor((behind - 1) / limit) * MINUTE_MS;
    },
  };
}

/** @typedef {ReturnType<typeof createQuota>} Quota */

/**
 * Plans the requests of a search.
 * @param {Quota} quota
 */
export function createListPlan(quota) {
  /** The parts that have not been sent. @type {Part[]} */
  const waiting = [];
  /** When the questions that wait in the service are expected to be asked, by their domains. @type {Map<string, number>} */
  const expected = new Map();
  let open = 0;

  return {
    /** Names under the same TLDs can share a request. @param {readonly Part[]} parts */
    add: (parts) =>
      void waiting.push(...[...Map.groupBy(parts, ({ tlds }) => `${tlds}`).values()].flat()),
    /**
     * The next request, all its names under the same TLDs, or undefined if there is none to send now.
     * @param {number} now
     * @returns {readonly Part[] | undefined}
     */
    take(now) {
      if (open >= MAX_OPEN) return undefined;
      const most = Math.min(MAX_NAMES, quota.left(now));
      const [first] = waiting;
      let count = 0;
      const end = waiting.findIndex(({ tlds, domains }, place) => {
        count += domains.length;
        return place >= most || count > MOST_DOMAINS || `${tlds}` !== `${first?.tlds}`;
      });
      const taken = waiting.splice(0, end < 0 ? waiting.length : end);
      if (taken.length === 0) return undefined;
      open++;
      return taken;
    },
    /** Notes that a request of `take` has ended. */
    close: () => open--,
    /**
     * Notes when the question of a domain is expected to be asked, by what the service says of its queue.
     * @param {string} domain
     * @param {number} at
     */
    expect: (domain, at) => void expected.set(domain, at),
    /** Notes that a domain has its answer. @param {string} domain */
    settle: (domain) => void expected.delete(domain),
    /** The domains that have not been sent. */
    waiting: () => waiting.flatMap(({ domains }) => domains),
    /** Whether every request has been sent and has ended. */
    isDone: () => waiting.length === 0 && open === 0,
    /**
     * In how many ms the limit admits a domain that has not been sent.
     * @param {string} domain
     * @param {number} now
     */
    sentMs(domain, now) {
      const place = waiting.findIndex(({ domains }) => domains.includes(domain));
      return quota.waitMs(place + 1, now);
    },
    /**
     * In how many ms all will have been asked, as far as the limit and the queues of the service tell.
     * @param {number} now
     */
    endMs: (now) =>
      Math.max(
        quota.waitMs(waiting.length, now),
        ...[...expected.values()].map((at) => at - now),
      ),
  };
}

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
