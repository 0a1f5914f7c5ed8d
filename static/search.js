// @ts-check
/// <reference lib="dom" />
/** Searches: each sends its requests, shows answers as they arrive, and is cancelled by the next one. */
import { checkNames, quota, RequestError } from "./api_client.js";
import { checkEth } from "./eth.js";
import { createListPlan, durationInWords, MOST_TLDS } from "./list_plan.js";
import { domainOf, nameOf } from "./parse_input.js";
import { CHECKING, domainView, isSettled, unknownView } from "./domain_view.js";
import { likelyEntryOf } from "./vocabulary.js";

/** @import { PendingEvent } from "./api_client.js" */
/** @import { Part } from "./list_plan.js" */
/** @import { Name } from "./parse_input.js" */
/** @import { DomainView } from "./domain_view.js" */
/** @import { TldOffers } from "./tld_offers.js" */
/** @import { DomainRow } from "./vocabulary.js" */

/** How long an answer is shown again without a new request. */
const RECENT_MS = 60_000;
/** Its request failed, and is sent again. @type {DomainView} */
const WAITING = { state: "waiting" };
/** DNS shows no delegation, and the registry is about to be asked. @type {DomainView} */
const ASKING = { state: "pending", evidence: () => ["asking the registry…"] };
/** DNS shows no delegation, and the registry has not been asked. @type {DomainView} */
const NOT_IN_DNS = {
  state: "pending",
  evidence: () => ["the registry is asked once you stop typing"],
};

const TICK_MS = 500;

/**
 * How domains are searched: those of a list, or of one name; and while it is being typed, as far as DNS knows it. A name is asked
 * about under several of the columns at once.
 * @typedef {{ isList: boolean, columns: readonly string[], depth?: "dns" | undefined }} Query
 */

/**
 * Creates the searches of a page; each cancels the one before it and drops its late answers.
 * @param {{
 *   offers: TldOffers,
 *   expect: (domains: readonly Name[]) => void,
 *   show: (domain: string, view: DomainView) => void,
 *   refresh: () => void,
 *   onDone: () => void,
 *   onError: (error: RequestError) => void,
 * }} options
 */
export function createSearches({ offers, expect, show, refresh, onDone, onError }) {
  let running = new AbortController();
  /** @type {Query} */
  let query = { isList: false, columns: [] };
  /** What is left to ask, and what is being asked. */
  let plan = createListPlan(quota);
  /** The domains of the search. @type {Set<string>} */
  let asked = new Set();
  /**
   * What is known of domains: those of the search, and those answered within the last minute. `at` is when the answer came: 0
   * for one that is not shown again, none while only DNS has answered.
   * @type {Map<string, { view: DomainView, at?: number | undefined }>}
   */
  const known = new Map();
  /** Whether a request has failed: until it is repeated no other is sent. */
  let isHalted = false;

  // Refreshes the countdowns, and sends what the limit of requests admits.
  setInterval(() => {
    if (plan.isDone()) return;
    sendNext();
    refresh();
  }, TICK_MS);

  function stop() {
    running.abort();
    running = new AbortController();
    plan = createListPlan(quota);
    isHalted = false;
  }

  /**
   * Sends the names of domains as the limit of requests admits them.
   * @param {Query} next
   * @param {readonly Name[]} domains
   */
  function start(next, domains) {
    const before = asked;
    asked = new Set(domains.map(domainOf));
    const isSame = query.depth === next.depth && asked.symmetricDifference(before).size === 0;
    // What is under way goes on, perhaps in another order.
    const isNew = isHalted || plan.isDone() || !isSame;
    const isContinued = query.depth === "dns" && !next.isList && !asked.isDisjointFrom(before);
    query = next;
    if (isNew) {
      stop();
      for (const [domain, { view, at }] of known) {
        if (at === undefined ? !isContinued : !isRecent(at)) known.delete(domain);
        else if (!isSettled(view.state)) known.set(domain, { view: ASKING });
      }
    }
    expect(domains);
    for (const domain of asked) if (known.has(domain)) show(domain, viewOf(domain));
    const open = next.depth === "dns" ? domains.filter(isListed) : domains;
    sendParts(isNew ? partsOf(open.map(domainOf).filter(isOpen)) : []);
    finish();
  }

  /** Sends what may be sent now, and the rest once the limit of requests admits it. @param {readonly Part[]} parts */
  function sendParts(parts) {
    plan.add(parts);
    sendNext();
    showWaiting();
  }

  /** Shows when each of the others will be sent. */
  function showWaiting() {
    for (const domain of plan.waiting()) {
      const evidence = () => {
        const sentIn = durationInWords(plan.sentMs(domain, performance.now()));
        return [`sent in ${sentIn}: the limit of requests is used up`];
      };
      show(domain, { state: "waiting", evidence });
    }
  }

  const viewOf = (/** @type {string} */ domain) => known.get(domain)?.view ?? CHECKING;

  /** Whether a domain has no answer. */
  const isOpen = (/** @type {string} */ domain) => known.get(domain)?.at === undefined;

  const isListed = (/** @type {{ tld: string }} */ { tld }) =>
    offers.tlds.some((one) => one.tld === tld);

  /** Domains by their names; of a TLD that is not listed, the service may refuse the domain alone. */
  function partsOf(/** @type {readonly string[]} */ domains) {
    const byName = Map.groupBy(domains, (domain) => {
      const { name, tld } = nameOf(domain);
      // Others, such as those of a shortlist, go together as domains: each set of TLDs would be a request.
      return isListed({ tld }) && query.columns.includes(tld) ? name : domain;
    });
    /** @type {Part[]} */
    const parts = [];
    for (const [text, all] of byName) {
      for (let at = 0; at < all.length; at += MOST_TLDS) {
        const domains = all.slice(at, at + MOST_TLDS);
        const tlds = domains.map((domain) => nameOf(domain).tld);
        const [domain = text] = domains;
        // .eth names are asked for apart.
        const isAlone = tlds.length === 1 && tlds[0] !== "eth";
        parts.push(isAlone ? { text: domain, tlds: [], domains } : { text, tlds, domains });
      }
    }
    return parts;
  }

  /** Sends the requests that may be sent now. */
  function sendNext() {
    while (!isHalted) {
      const parts = plan.take(performance.now());
      if (parts === undefined) return;
      void send(parts);
    }
  }

  /** Sends a request; what a failure leaves without an answer waits again. @param {readonly Part[]} parts */
  async function send(parts) {
    const { signal } = running;
    const domains = parts.flatMap(({ domains }) => domains);
    for (const domain of domains.filter(isOpen)) show(domain, viewOf(domain));
    try {
      await ask(parts, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof RequestError)) throw error;
      // Of a name that is being typed, the search that follows at the next pause reports the same.
      if (query.depth === undefined) fail(error, parts, domains.filter(isOpen));
    }
    if (signal.aborted) return;
    plan.close();
    sendNext();
    finish();
  }

  /**
   * @param {readonly Part[]} parts all under the same TLDs
   * @param {AbortSignal} signal
   */
  async function ask(parts, signal) {
    const { tlds = [] } = parts[0] ?? {};
    if (tlds[0] === "eth") {
      const checks = await Promise.allSettled(parts.map(async ({ text }) => {
        const view = await checkEth(nameOf(text).name, signal);
        if (!signal.aborted) receive(text, view);
      }));
      // Only those that failed are asked again.
      for (const check of checks) if (check.status === "rejected") throw check.reason;
      return;
    }
    const body = { names: parts.map(({ text }) => text), ...(tlds.length > 0 && { tlds }) };
    for await (const event of checkNames(body, signal, query.depth)) {
      if (signal.aborted) return;
      if (event.kind === "pending") showQueued(event);
      else if (event.kind === "row") receiveRow(event.row);
      else {
        const refused = parts.find(({ text }) => text === event.input)?.domains ?? [];
        for (const domain of refused) receive(domain, unknownView(event.message));
      }
    }
  }

  /**
   * @param {RequestError} error
   * @param {readonly Part[]} parts
   * @param {readonly string[]} left those of its domains that have no answer
   */
  function fail(error, parts, left) {
    // A stream may be cut behind its last row.
    if (left.length === 0) return;
    const isCut = error.kind === "truncated";
    plan.add(partsOf(left).map((part) => ({ ...part, isAgain: isCut })));
    if (error.kind === "limited") return showWaiting();
    // What a stream has left out that was cut is asked for again once.
    if (isCut && !parts.some(({ isAgain }) => isAgain)) return;
    isHalted = true;
    for (const domain of left) {
      const isKept = isSettled(viewOf(domain).state);
      show(domain, isKept ? viewOf(domain) : isCut ? unknownView(error.message) : WAITING);
    }
    if (error.kind === "invalid") stop();
    onError(error);
  }

  /**
   * Shows that a registry is being asked, when its turn is expected, and what the name most likely is.
   * @param {PendingEvent} event
   */
  function showQueued({ domain, expectedMs, likely }) {
    if (!isOpen(domain)) return;
    const at = performance.now() + expectedMs;
    const evidence = () => {
      const seconds = Math.ceil((at - performance.now()) / 1_000);
      return [`asking the registry${seconds > 1 ? `, its turn is in ${seconds} s` : "…"}`];
    };
    const { word, look } = likelyEntryOf({ state: "unknown", likely }) ?? {};
    put(domain, { state: "pending", word, look, evidence });
    plan.expect(domain, at);
  }

  /**
   * @param {string} domain
   * @param {DomainView} view
   * @param {number} [at]
   */
  function put(domain, view, at) {
    known.set(domain, { view, at });
    show(domain, view);
  }

  /**
   * @param {string} domain
   * @param {DomainView} view
   */
  function receive(domain, view) {
    plan.settle(domain);
    put(domain, view, timeOf(view));
  }

  /** The answer that a domain has got within the last minute. @param {string} domain */
  function recall(domain) {
    const { view, at = 0 } = known.get(domain) ?? {};
    return isRecent(at) ? view : undefined;
  }

  /**
   * Shows a row. One for which no registry was asked is shown until the full search has its row with evidence; of what DNS
   * alone could not decide, only a missing delegation is known.
   * @param {DomainRow} row
   */
  function receiveRow(row) {
    const { domain, state, status } = row;
    if (query.depth === undefined) return receive(domain, domainView(row, offers));
    if (state === "unknown" && !status?.includes("undelegated")) return;
    put(domain, state === "unknown" ? NOT_IN_DNS : domainView(row, offers));
  }

  function finish() {
    if (plan.isDone() && query.depth === undefined) onDone();
  }

  /**
   * Checks domains again, with one request for all those of a name, and what has failed: an answer that is there must not cost
   * a second request.
   * @param {readonly string[]} domains
   */
  function retry(domains) {
    isHalted = false;
    for (const domain of domains) known.delete(domain);
    const waiting = plan.waiting();
    sendParts(partsOf(domains.filter((domain) => !waiting.includes(domain))));
  }

  return {
    start,
    stop,
    retry,
    recall,
    /** Remembers an answer that was asked for outside of a search, and returns what it looks like. @param {DomainRow} row */
    noteAnswer(row) {
      const view = domainView(row, offers);
      known.set(row.domain, { view, at: timeOf(view) });
      return view;
    },
    /** In how many ms a list will be answered; undefined for a single name. */
    endMs: () => query.isList ? plan.endMs(performance.now()) : undefined,
  };
}

/** When an answer came that is shown again: an unknown name is asked about anew. @param {DomainView} view */
function timeOf({ state }) {
  return state === "unknown" ? 0 : Date.now();
}

/** @param {number} at */
function isRecent(at) {
  return at > Date.now() - RECENT_MS;
}
