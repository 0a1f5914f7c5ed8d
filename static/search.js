// @ts-check
/// <reference lib="dom" />
/** Searches: each sends its requests, fills the rows as answers arrive, and is cancelled by the next one. */
import { checkAll, checkOne, RequestError } from "./api_client.js";
import { ethView } from "./eth.js";
import { CHECKING, domainView } from "./result_row.js";

/** @import { RowView, TldOffers } from "./result_row.js" */
/** @import { DomainRow } from "./vocabulary.js" */

/** A longer pause in typing than for domains: each .eth check is a call to an Ethereum node. */
const ETH_PAUSE_MS = 400;
/** How long the results of a name are shown again without new requests. */
const RECENT_MS = 60_000;
/** @type {RowView} */
const WAITING = { ...CHECKING, word: "Waiting" };
/** Looks like `CHECKING`, but its request has not been sent. @type {RowView} */
const PAUSING = { ...CHECKING };

/** The longest pause that is counted down. */
const MAX_RETRY_MS = 5 * 60_000;
/** Rows whose pauses end this soon after each other wait for the last one and share a request. */
const SAME_PAUSE_MS = 2_000;
const TICK_MS = 500;

/** @typedef {{ tlds: readonly string[], run: (signal: AbortSignal) => Promise<void> }} Lookup a request and its rows */

/**
 * Creates the searches of a page; each cancels the one before it and drops its late answers.
 * @param {{
 *   offers: TldOffers,
 *   expect: (name: string) => void,
 *   show: (tld: string, view: RowView) => void,
 *   refresh: () => void,
 *   onDone: (name: string) => void,
 *   onError: (error: RequestError) => void,
 * }} options
 */
export function createSearches({ offers, expect, show, refresh, onDone, onError }) {
  let running = new AbortController();
  let name = "";
  /** The rows of the name that have their answers. @type {Map<string, RowView>} */
  let views = new Map();
  /** The look-ups without an answer, and what their rows show meanwhile. @type {Map<Lookup, RowView>} */
  const pending = new Map();
  /** @type {Map<string, { at: number, views: Map<string, RowView> }>} */
  const recent = new Map();
  /** When the rows of busy registries are checked again, in ms. @type {Map<string, number>} */
  const dueAt = new Map();
  /** The rows that were counted down: each once for a search. @type {Set<string>} */
  const countedDown = new Set();

  /** @type {Lookup} */
  const registries = {
    tlds: offers.tlds.map(({ tld }) => tld),
    async run(signal) {
      for await (const row of checkAll(name, signal)) {
        receiveDomain(row, signal);
      }
    },
  };
  /** @type {Lookup} */
  const ethereum = {
    tlds: ["eth"],
    run: async (signal) => receive("eth", await ethView(name, signal), signal),
  };

  function stop() {
    running.abort();
    running = new AbortController();
    pending.clear();
    dueAt.clear();
    countedDown.clear();
  }

  /** @param {string} next */
  function start(next) {
    stop();
    name = next;
    views = new Map();
    expect(name);
    const known = recent.get(name);
    if (known !== undefined && Date.now() - known.at < RECENT_MS) {
      for (const [tld, view] of known.views) show(tld, view);
      return onDone(name);
    }
    runAll([registries, ethereum]);
  }

  /** @param {readonly Lookup[]} lookups */
  function runAll(lookups) {
    for (const lookup of lookups) void (lookup === ethereum ? runAfterPause() : run(lookup));
  }

  async function runAfterPause() {
    const { signal } = running;
    setPending(ethereum, PAUSING);
    await new Promise((resolve) => setTimeout(resolve, ETH_PAUSE_MS));
    if (!signal.aborted && pending.get(ethereum) === PAUSING) await run(ethereum);
  }

  /** @param {Lookup} lookup */
  async function run(lookup) {
    const { signal } = running;
    setPending(lookup, CHECKING);
    try {
      await lookup.run(signal);
    } catch (error) {
      return fail(lookup, error, signal);
    }
    if (signal.aborted) return;
    pending.delete(lookup);
    // Retries of single rows may have answered all that another look-up was pending for.
    for (const other of pending.keys()) {
      if (other.tlds.every((tld) => views.has(tld))) pending.delete(other);
    }
    if (pending.size === 0) finish();
  }

  /**
   * @param {string} tld
   * @param {RowView} view
   * @param {AbortSignal} signal
   */
  function receive(tld, view, signal) {
    if (signal.aborted) return;
    dueAt.delete(tld);
    views.set(tld, view);
    show(tld, view);
  }

  /**
   * Shows the row, and counts down where its registry is busy.
   * @param {DomainRow} row
   * @param {AbortSignal} signal
   */
  function receiveDomain(row, signal) {
    const { tld, retryAfter = Infinity } = row;
    const view = domainView(row, offers);
    const ms = retryAfter * 1_000;
    if (signal.aborted || view.state !== "unknown" || ms > MAX_RETRY_MS || countedDown.has(tld)) {
      return receive(tld, view, signal);
    }
    const at = performance.now() + ms;
    const secondsLeft = () => Math.max(1, Math.ceil((at - performance.now()) / 1_000));
    const evidence = () => [`Registry busy, retrying in ${secondsLeft()} s`];
    receive(tld, { ...view, evidence }, signal);
    if (dueAt.size === 0) startTicking(signal);
    dueAt.set(tld, at);
    countedDown.add(tld);
  }

  /**
   * Refreshes the countdowns, and checks the rows again whose pause is over, until none is left.
   * @param {AbortSignal} signal
   */
  function startTicking(signal) {
    const timer = setInterval(() => {
      if (signal.aborted || dueAt.size === 0) return clearInterval(timer);
      const time = performance.now();
      const dueBy = (/** @type {number} */ by) =>
        [...dueAt].filter(([, at]) => at <= by).map(([tld]) => tld);
      const due = dueBy(time);
      const isLast = due.length === dueBy(time + SAME_PAUSE_MS).length;
      if (due.length > 0 && isLast) void retry(due);
      refresh();
      if (dueAt.size === 0) clearInterval(timer);
    }, TICK_MS);
  }

  /**
   * Marks a look-up as pending and shows that in its rows without an answer.
   * @param {Lookup} lookup
   * @param {RowView} view
   */
  function setPending(lookup, view) {
    pending.set(lookup, view);
    for (const tld of lookup.tlds) if (!views.has(tld)) show(tld, view);
  }

  function finish() {
    const isComplete = [...views.values()].every(({ state }) => state !== "unknown");
    if (isComplete) recent.set(name, { at: Date.now(), views });
    onDone(name);
  }

  /**
   * @param {Lookup} lookup
   * @param {unknown} error
   * @param {AbortSignal} signal
   */
  function fail(lookup, error, signal) {
    if (signal.aborted) return;
    if (!(error instanceof RequestError)) throw error;
    const { kind, message } = error;
    const view = kind === "truncated" ? unknownView(message) : WAITING;
    setPending(lookup, view);
    // The .eth request would fail for the same reason, so it is not sent.
    if (pending.get(ethereum) === PAUSING) setPending(ethereum, view);
    if (kind === "invalid") stop();
    onError(error);
  }

  /**
   * Checks TLDs again, with one request for all domains: the other answers of it come from the cache.
   * @param {readonly string[]} tlds
   */
  async function retry(tlds) {
    for (const tld of tlds) {
      views.delete(tld);
      dueAt.delete(tld);
    }
    const domains = tlds.filter((tld) => tld !== "eth");
    const runDomains = async (/** @type {AbortSignal} */ signal) => {
      const [tld = "", ...others] = domains;
      if (others.length === 0) return receiveDomain(await checkOne(name, tld, signal), signal);
      for await (const row of checkAll(name, signal)) {
        if (domains.includes(row.tld)) receiveDomain(row, signal);
      }
    };
    await Promise.all([
      domains.length > 0 && run({ tlds: domains, run: runDomains }),
      domains.length < tlds.length && run(ethereum),
    ]);
  }

  /** Repeats the look-ups that failed, and only those: an answer that is there must not cost a second request. */
  function retryFailed() {
    runAll([...pending].filter(([, view]) => view !== CHECKING).map(([lookup]) => lookup));
  }

  return { start, stop, retry, retryFailed };
}

/** @param {string} reason @returns {RowView} */
function unknownView(reason) {
  return { state: "unknown", evidence: () => [reason] };
}
