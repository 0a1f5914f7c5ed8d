// @ts-check
/// <reference lib="dom" />
/** Searches: each sends its requests, shows answers as they arrive, and is cancelled by the next one. */
import { checkName, checkNames, RequestError } from "./api_client.js";
import { ethView } from "./eth.js";
import { domainOf } from "./parse_input.js";
import { CHECKING, domainView, isSettled } from "./result_row.js";

/** @import { CheckEvent, RefusedEvent } from "./api_client.js" */
/** @import { Name } from "./parse_input.js" */
/** @import { DomainView } from "./result_row.js" */
/** @import { TldOffers } from "./tld_offers.js" */
/** @import { DomainRow } from "./vocabulary.js" */

/** A longer pause in typing than for domains: each .eth check is a call to an Ethereum node. */
const ETH_PAUSE_MS = 400;
/** How long an answer is shown again without a new request. */
const RECENT_MS = 60_000;
/** How many answers are remembered for that: a grid of 200 names has thousands. */
const MAX_RECENT = 4_000;
/** How many names share a request: it is refused as a whole if fewer requests are left. */
const NAMES_PER_REQUEST = 20;
/** @type {DomainView} */
const WAITING = { ...CHECKING, word: "Waiting" };
/** Looks like `CHECKING`, but its request has not been sent. @type {DomainView} */
const PAUSING = { ...CHECKING };
/** DNS shows no delegation, and the registry is about to be asked. @type {DomainView} */
const ASKING = { state: "pending", evidence: () => ["asking the registry…"] };
/** DNS shows no delegation, and the registry has not been asked. @type {DomainView} */
const NOT_IN_DNS = {
  state: "pending",
  evidence: () => ["the registry is asked once you stop typing"],
};

/** The longest pause that is counted down. */
const MAX_RETRY_MS = 5 * 60_000;
/** Domains whose pauses end this soon after each other wait for the last one and share a request. */
const SAME_PAUSE_MS = 2_000;
const TICK_MS = 500;

/**
 * What is searched: a name under all TLDs, as far as DNS knows it or in full; or several names.
 * @typedef {{ kind: "name", name: string, tld: string, depth?: "dns" }} NameQuery
 * @typedef {{ kind: "names", names: readonly Name[], tlds: readonly string[] }} NamesQuery
 * @typedef {NameQuery | NamesQuery} Query
 *
 * @typedef {object} Lookup a request and its domains
 * @property {readonly string[]} domains
 * @property {(signal: AbortSignal) => Promise<void>} run
 */

/**
 * Creates the searches of a page; each cancels the one before it and drops its late answers.
 * @param {{
 *   offers: TldOffers,
 *   limit: () => number,
 *   expect: (domains: readonly Name[]) => void,
 *   show: (domain: string, view: DomainView) => void,
 *   refresh: () => void,
 *   onDone: () => void,
 *   onError: (error: RequestError) => void,
 * }} options `limit` is how many requests the service allows a minute
 */
export function createSearches({ offers, limit, expect, show, refresh, onDone, onError }) {
  const tlds = offers.tlds.map(({ tld }) => tld);
  let running = new AbortController();
  /** @type {Query} */
  let query = { kind: "name", name: "", tld: "" };
  /** The domains that have their answers. @type {Set<string>} */
  const answered = new Set();
  /** What is known of the others without their registries and evidence. @type {Map<string, DomainView>} */
  const inDns = new Map();
  /** The look-ups without an answer, and what their domains show meanwhile. @type {Map<Lookup, DomainView>} */
  const pending = new Map();
  /** @type {Map<string, { at: number, view: DomainView }>} */
  const recent = new Map();
  /** When the domains of busy registries are checked again, in ms. @type {Map<string, number>} */
  const dueAt = new Map();
  /** The domains that were counted down: each once for a search. @type {Set<string>} */
  const countedDown = new Set();
  /** The domains whose registries are being asked, and are expected to answer later than at once. @type {Set<string>} */
  const queued = new Set();
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let ticking;

  function stop() {
    running.abort();
    running = new AbortController();
    clearInterval(ticking);
    ticking = undefined;
    for (const one of [pending, dueAt, countedDown, queued]) one.clear();
  }

  /**
   * @param {Query} next
   * @param {readonly Name[]} domains all that it answers
   */
  function start(next, domains) {
    if (isUnderWay(next)) return;
    stop();
    const isContinued = next.kind === "name" && query.kind === "name" &&
      next.name === query.name && query.depth === "dns";
    query = next;
    answered.clear();
    if (!isContinued) inDns.clear();
    for (const [domain, view] of inDns) if (!isSettled(view.state)) inDns.set(domain, ASKING);
    expect(domains);
    const freshSince = Date.now() - RECENT_MS;
    for (const domain of domains.map(domainOf)) {
      const known = recent.get(domain);
      if (known !== undefined && known.at > freshSince) answer(domain, known.view);
      else if (inDns.has(domain)) show(domain, inDns.get(domain) ?? CHECKING);
    }
    const lookups = lookupsOf(next).filter(({ domains }) => !isAnswered(domains));
    if (lookups.length === 0) return finish();
    lookups.forEach(begin);
  }

  /** @param {Lookup} lookup */
  function begin(lookup) {
    const isTyped = query.kind === "name" && isEth(lookup.domains[0] ?? "");
    void (isTyped ? runAfterPause(lookup) : run(lookup));
  }

  /** Whether this search runs already, and nothing of it has failed. @param {Query} next */
  function isUnderWay(next) {
    const views = [...pending.values()];
    return views.length > 0 && views.every((view) => view === CHECKING || view === PAUSING) &&
      JSON.stringify(next) === JSON.stringify(query);
  }

  /** @param {Query} next @returns {Lookup[]} */
  function lookupsOf(next) {
    if (next.kind === "names") return namesLookups(next.names, next.tlds);
    const { name, tld, depth } = next;
    const registries = {
      domains: tlds.map((tld) => `${name}.${tld}`),
      run: (/** @type {AbortSignal} */ signal) =>
        receiveAll(checkName(depth === undefined ? { name } : { name, depth }, signal), signal),
    };
    if (depth !== undefined) return [registries];
    const isListed = tld === "" || tld === "eth" || tlds.includes(tld);
    return [...(isListed ? [] : [domainLookup({ name, tld })]), registries, ethLookup(name)];
  }

  /**
   * Look-ups of names, several to a request; those that are answered already are left out.
   * @param {readonly Name[]} names
   * @param {readonly string[]} columns the TLDs of the names that have none
   * @param {ReadonlySet<string>} [wanted] the domains to answer, if not all of these names
   * @returns {Lookup[]}
   */
  function namesLookups(names, columns, wanted) {
    const eth = names.filter(({ tld }) => tld === "eth");
    const others = names.filter(({ tld }) => tld !== "eth").map((name) => ({
      text: domainOf(name),
      domains: (name.tld === "" ? columns : [name.tld]).map((tld) => `${name.name}.${tld}`)
        .filter((domain) => wanted?.has(domain) ?? true),
    })).filter(({ domains }) => !isAnswered(domains));
    const size = Math.max(1, Math.min(NAMES_PER_REQUEST, limit()));
    const lookups = eth.map(({ name }) => ethLookup(name));
    for (let from = 0; from < others.length; from += size) {
      const some = others.slice(from, from + size);
      const domains = some.flatMap(({ domains }) => domains);
      const body = {
        names: some.map(({ text }) => text),
        ...(columns.length > 0 && { tlds: columns }),
      };
      lookups.push({
        domains,
        run: (signal) => receiveAll(checkNames(body, signal), signal, new Set(domains)),
      });
    }
    return lookups;
  }

  /**
   * The look-up of a domain, or of several that share a name without a TLD.
   * @param {Name} asked
   * @param {readonly Name[]} [domains]
   * @returns {Lookup}
   */
  function domainLookup({ name, tld }, domains = [{ name, tld }]) {
    const wanted = new Set(domains.map(domainOf));
    return {
      domains: [...wanted],
      async run(signal) {
        try {
          await receiveAll(checkName({ name, ...(tld && { tld }) }, signal), signal, wanted);
        } catch (error) {
          // A TLD that does not exist is no reason to stop the look-ups of the others.
          if (!(error instanceof RequestError) || error.kind !== "invalid") throw error;
          for (const domain of wanted) receive(domain, unknownView(error.message), signal);
        }
      },
    };
  }

  /** @param {string} name @returns {Lookup} */
  function ethLookup(name) {
    const domain = `${name}.eth`;
    return {
      domains: [domain],
      run: async (signal) => receive(domain, await ethView(name, signal), signal),
    };
  }

  /** @param {Lookup} lookup */
  async function runAfterPause(lookup) {
    const { signal } = running;
    setPending(lookup, PAUSING);
    await new Promise((resolve) => setTimeout(resolve, ETH_PAUSE_MS));
    if (!signal.aborted && pending.get(lookup) === PAUSING) await run(lookup);
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
    // Retries of single domains may have answered all that another look-up was pending for.
    for (const other of pending.keys()) if (isAnswered(other.domains)) pending.delete(other);
    if (pending.size === 0) finish();
  }

  /**
   * @param {AsyncIterable<CheckEvent>} events
   * @param {AbortSignal} signal
   * @param {ReadonlySet<string>} [wanted] the domains to show, if not all
   */
  async function receiveAll(events, signal, wanted) {
    for await (const event of events) {
      if (signal.aborted) return;
      switch (event.kind) {
        case "row":
          if (wanted?.has(event.row.domain) ?? true) receiveDomain(event.row, signal);
          break;
        case "pending":
          if (wanted?.has(event.domain) ?? true) showQueued(event.domain, event.expectedMs);
          break;
        case "refused":
          receiveRefused(event, wanted, signal);
          break;
      }
    }
  }

  /**
   * @param {RefusedEvent} event
   * @param {ReadonlySet<string> | undefined} wanted
   * @param {AbortSignal} signal
   */
  function receiveRefused({ input, message }, wanted, signal) {
    for (const domain of wanted ?? []) {
      if (domain === input || domain.startsWith(`${input}.`)) {
        receive(domain, unknownView(message), signal);
      }
    }
  }

  /**
   * Shows that a registry is being asked, and for how long it is expected to take.
   * @param {string} domain
   * @param {number} expectedMs
   */
  function showQueued(domain, expectedMs) {
    if (answered.has(domain)) return;
    const at = performance.now() + expectedMs;
    const evidence = () => {
      const seconds = Math.ceil((at - performance.now()) / 1_000);
      return [`asking the registry${seconds > 1 ? `, its turn is in ${seconds} s` : "…"}`];
    };
    /** @type {DomainView} */
    const view = { state: "pending", evidence };
    inDns.set(domain, view);
    show(domain, view);
    queued.add(domain);
    tick();
  }

  /**
   * @param {string} domain
   * @param {DomainView} view
   * @param {AbortSignal} signal
   */
  function receive(domain, view, signal) {
    if (signal.aborted) return;
    // A correction may take the answer back.
    if (view.state === "unknown") recent.delete(domain);
    else remember(domain, view);
    answer(domain, view);
  }

  /**
   * @param {string} domain
   * @param {DomainView} view
   */
  function answer(domain, view) {
    dueAt.delete(domain);
    queued.delete(domain);
    answered.add(domain);
    show(domain, view);
  }

  /**
   * @param {string} domain
   * @param {DomainView} view
   */
  function remember(domain, view) {
    recent.delete(domain);
    recent.set(domain, { at: Date.now(), view });
    const [oldest] = recent.keys();
    if (oldest !== undefined && recent.size > MAX_RECENT) recent.delete(oldest);
  }

  /**
   * Shows the row, and counts down where its registry is busy.
   * @param {DomainRow} row
   * @param {AbortSignal} signal
   */
  function receiveDomain(row, signal) {
    const { domain, retryAfter = Infinity } = row;
    if (signal.aborted) return;
    if (query.kind === "name" && query.depth === "dns") return receiveFromDns(row);
    const view = domainView(row, offers);
    const ms = retryAfter * 1_000;
    if (view.state !== "unknown" || ms > MAX_RETRY_MS || countedDown.has(domain)) {
      return receive(domain, view, signal);
    }
    const at = performance.now() + ms;
    const secondsLeft = () => Math.max(1, Math.ceil((at - performance.now()) / 1_000));
    const evidence = () => [`Registry busy, retrying in ${secondsLeft()} s`];
    receive(domain, { ...view, evidence }, signal);
    dueAt.set(domain, at);
    countedDown.add(domain);
    tick();
  }

  /**
   * Shows a row for which no registry was asked until the full search has its row with evidence. Of what DNS alone could
   * not decide, only a missing delegation is known.
   * @param {DomainRow} row
   */
  function receiveFromDns(row) {
    const { domain, state, status } = row;
    if (state === "unknown" && !isUndelegated(status)) return;
    const view = state === "unknown" ? NOT_IN_DNS : domainView(row, offers);
    inDns.set(domain, view);
    show(domain, view);
  }

  /** Refreshes the countdowns, and checks the domains again whose pause is over, until none is left. */
  function tick() {
    ticking ??= setInterval(() => {
      const time = performance.now();
      const dueBy = (/** @type {number} */ by) =>
        [...dueAt].filter(([, at]) => at <= by).map(([domain]) => domain);
      const due = dueBy(time);
      const isLast = due.length === dueBy(time + SAME_PAUSE_MS).length;
      if (due.length > 0 && isLast) void retry(due);
      refresh();
      if (dueAt.size > 0 || queued.size > 0) return;
      clearInterval(ticking);
      ticking = undefined;
    }, TICK_MS);
  }

  /**
   * Marks a look-up as pending and shows that for its domains without an answer.
   * @param {Lookup} lookup
   * @param {DomainView} view
   */
  function setPending(lookup, view) {
    pending.set(lookup, view);
    for (const domain of lookup.domains) {
      queued.delete(domain);
      const known = inDns.get(domain);
      const isKept = known !== undefined && (view === CHECKING || isSettled(known.state));
      if (!answered.has(domain)) show(domain, isKept ? known : view);
    }
  }

  function finish() {
    if (query.kind === "names" || query.depth === undefined) onDone();
  }

  /**
   * @param {Lookup} lookup
   * @param {unknown} error
   * @param {AbortSignal} signal
   */
  function fail(lookup, error, signal) {
    if (signal.aborted) return;
    if (!(error instanceof RequestError)) throw error;
    // The search that follows at the next pause in typing reports the same.
    if (query.kind === "name" && query.depth === "dns") return void pending.delete(lookup);
    const { kind, message } = error;
    const view = kind === "truncated" ? unknownView(message) : WAITING;
    setPending(lookup, view);
    // A request that has not been sent would fail for the same reason, so it is not sent.
    for (const [other, shown] of pending) if (shown === PAUSING) setPending(other, view);
    if (kind === "invalid") stop();
    onError(error);
  }

  /**
   * Checks domains again, with one request for all those of a name: its other answers come from the cache.
   * @param {readonly string[]} domains
   */
  async function retry(domains) {
    for (const domain of domains) {
      answered.delete(domain);
      inDns.delete(domain);
      dueAt.delete(domain);
    }
    const wanted = new Set(domains);
    const eth = domains.filter(isEth).map((domain) => ethLookup(nameOf(domain).name));
    const others = domains.filter((domain) => !isEth(domain)).map(nameOf);
    const isListed = (/** @type {Name} */ { tld }) => tlds.includes(tld);
    const listed = others.filter(isListed);
    const unlisted = others.filter((one) => !isListed(one));
    const labels = [...new Set(listed.map(({ name }) => name))].map((name) => ({ name, tld: "" }));
    const columns = [...new Set(listed.map(({ tld }) => tld))];
    const lookups = others.length > 1 && query.kind === "names"
      ? namesLookups([...labels, ...unlisted], columns, wanted)
      : [
        ...unlisted.map((one) => domainLookup(one)),
        ...(listed.length > 1 ? labels : listed).map((one) => domainLookup(one, listed)),
      ];
    await Promise.all([...lookups, ...eth].map(run));
  }

  /** Repeats the look-ups that failed, and only those: an answer that is there must not cost a second request. */
  function retryFailed() {
    for (const [lookup, view] of [...pending]) if (view !== CHECKING) begin(lookup);
  }

  const isAnswered = (/** @type {readonly string[]} */ domains) =>
    domains.every((domain) => answered.has(domain));

  return { start, stop, retry, retryFailed };
}

/**
 * Whether a row says that DNS has no delegation, which is all that `depth=dns` knows of such a domain.
 * @param {readonly string[] | undefined} status
 */
export function isUndelegated(status) {
  return status?.includes("undelegated") ?? false;
}

/** @param {string} domain */
function isEth(domain) {
  return nameOf(domain).tld === "eth";
}

/** @param {string} domain @returns {Name} */
function nameOf(domain) {
  const [name = "", ...rest] = domain.split(".");
  return { name, tld: rest.join(".") };
}

/** @param {string} reason @returns {DomainView} */
function unknownView(reason) {
  return { state: "unknown", evidence: () => [reason] };
}
