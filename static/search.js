// @ts-check
/// <reference lib="dom" />
/** Searches: each sends its requests, shows answers as they arrive, and is cancelled by the next one. */
import { checkName, checkNames, RequestError } from "./api_client.js";
import { ethView } from "./eth.js";
import { createListPlan, durationInWords, MOST_TLDS } from "./list_plan.js";
import { domainOf, nameOf } from "./parse_input.js";
import { CHECKING, domainView, isSettled } from "./result_row.js";
import { likelyEntryOf } from "./vocabulary.js";

/** @import { CheckEvent, PendingEvent, RefusedEvent } from "./api_client.js" */
/** @import { ListPlan, Part, Quota } from "./list_plan.js" */
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
/** Its request failed, and is sent again. @type {DomainView} */
const WAITING = { state: "waiting" };
/** Looks like `CHECKING`, but its request has not been sent. @type {DomainView} */
const PAUSING = { ...CHECKING };
/** DNS shows no delegation, and the registry is about to be asked. @type {DomainView} */
const ASKING = { state: "pending", evidence: () => ["asking the registry…"] };
/** DNS shows no delegation, and the registry has not been asked. @type {DomainView} */
const NOT_IN_DNS = {
  state: "pending",
  evidence: () => ["the registry is asked once you stop typing"],
};

const TICK_MS = 500;

/**
 * What is searched: a name under all TLDs, as far as DNS knows it or in full; or several names.
 * @typedef {{ kind: "name", name: string, tlds: readonly string[], depth?: "dns" }} NameQuery
 * @typedef {{ kind: "names", names: readonly Name[], tlds: readonly string[] }} NamesQuery
 * @typedef {NameQuery | NamesQuery} Query
 *
 * @typedef {object} Lookup a request and its domains
 * @property {readonly string[]} domains
 * @property {(signal: AbortSignal) => Promise<void>} run
 * @property {() => void} [onEnd]
 * @property {boolean} [isAgain] whether it asks for what a stream has left out that was cut
 */

/**
 * Creates the searches of a page; each cancels the one before it and drops its late answers.
 * @param {{
 *   offers: TldOffers,
 *   quota: Quota,
 *   expect: (domains: readonly Name[]) => void,
 *   show: (domain: string, view: DomainView) => void,
 *   refresh: () => void,
 *   onDone: () => void,
 *   onError: (error: RequestError) => void,
 * }} options
 */
export function createSearches({ offers, quota, expect, show, refresh, onDone, onError }) {
  const tlds = offers.tlds.map(({ tld }) => tld);
  let running = new AbortController();
  /** @type {Query} */
  let query = { kind: "name", name: "", tlds: [] };
  /** The domains that have their answers. @type {Set<string>} */
  const answered = new Set();
  /** What is known of the others without their registries and evidence. @type {Map<string, DomainView>} */
  const inDns = new Map();
  /** The look-ups without an answer, and what their domains show meanwhile. @type {Map<Lookup, DomainView>} */
  const pending = new Map();
  /** @type {Map<string, { at: number, view: DomainView }>} */
  const recent = new Map();
  /** When the questions of a list are sent. @type {ListPlan | undefined} */
  let plan;
  /** Whether a request has failed: until it is repeated no other of the list is sent. */
  let isHalted = false;
  /** The domains whose registries are being asked, and are expected to answer later than at once. @type {Set<string>} */
  const queued = new Set();
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let ticking;

  function stop() {
    running.abort();
    running = new AbortController();
    clearInterval(ticking);
    ticking = undefined;
    plan = undefined;
    isHalted = false;
    for (const one of [pending, queued]) one.clear();
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
    for (const domain of domains.map(domainOf)) {
      const known = recall(domain);
      if (known !== undefined) answer(domain, known);
      else if (inDns.has(domain)) show(domain, inDns.get(domain) ?? CHECKING);
    }
    if (next.kind === "names") {
      sendParts(next.names.flatMap((name) => partsUnder(name, next.tlds)));
    } else lookupsOf(next).filter(({ domains }) => !isAnswered(domains)).forEach(begin);
    finish();
  }

  /** Sends what the limit of requests admits now, and the rest once it does. @param {readonly Part[]} parts */
  function sendParts(parts) {
    plan ??= createListPlan({ quota });
    plan.add(parts);
    sendNext();
    for (const domain of parts.flatMap(({ domains }) => domains)) {
      if (!plan.isAsked(domain)) show(domain, waitingView(domain));
    }
    tick();
  }

  /**
   * A name without the domains that have their answers.
   * @param {Name} name
   * @param {readonly string[]} tlds those of a name that has none
   * @returns {Part[]}
   */
  function partsUnder(name, tlds) {
    const text = domainOf(name);
    const domains = (name.tld === "" ? tlds.map((tld) => `${text}.${tld}`) : [text])
      .filter((domain) => !answered.has(domain));
    return name.tld === "" ? partsOf(domains) : domains.map(partOf);
  }

  /** Sends the requests of a list that may be sent now. */
  function sendNext() {
    for (;;) {
      const parts = isHalted ? undefined : plan?.take(performance.now());
      if (parts === undefined) return;
      const from = plan;
      void run({ ...listLookup(parts), onEnd: () => from?.close() });
    }
  }

  /** @param {readonly Part[]} parts @returns {Lookup} */
  function listLookup(parts) {
    const domains = parts.flatMap(({ domains }) => domains);
    const { text = "", tlds: under = [] } = parts[0] ?? {};
    const isEthOnly = isEth(text);
    const eth = isEthOnly ? domains.map((domain) => ethLookup(nameOf(domain).name)) : [];
    const names = parts.map(({ text }) => text);
    const body = { names, ...(under.length > 0 && { tlds: under }) };
    return {
      domains,
      run: (signal) =>
        isEthOnly
          ? Promise.all(eth.map((one) => isAnswered(one.domains) || one.run(signal))).then(() => {})
          : receiveAll(checkNames(body, signal), signal, new Set(domains)),
    };
  }

  /** What a domain of a list shows before it is sent. @param {string} domain @returns {DomainView} */
  function waitingView(domain) {
    return {
      state: "waiting",
      evidence: () => [
        `sent in ${
          durationInWords(plan?.sentMs(domain, performance.now()) ?? 0)
        }: the limit of requests is used up`,
      ],
    };
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

  /** @param {NameQuery} next @returns {Lookup[]} */
  function lookupsOf({ name, tlds: shown, depth }) {
    const registries = {
      domains: tlds.map((tld) => `${name}.${tld}`),
      run: (/** @type {AbortSignal} */ signal) =>
        receiveAll(checkName(depth === undefined ? { name } : { name, depth }, signal), signal),
    };
    if (depth !== undefined) return [registries];
    const others = shown.filter((tld) => tld !== "eth" && !tlds.includes(tld));
    return [
      ...(others.length === 0 ? [] : [listLookup(partsOf(others.map((tld) => `${name}.${tld}`)))]),
      registries,
      ethLookup(name),
    ];
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
      const left = lookup.domains.filter((domain) => !answered.has(domain) && !isEth(domain));
      const isCut = error instanceof RequestError && error.kind === "truncated";
      if (!isCut || lookup.isAgain || left.length === 0) return fail(lookup, error, signal);
      if (!signal.aborted) await askAgain(left);
    }
    if (signal.aborted) return;
    pending.delete(lookup);
    lookup.onEnd?.();
    sendNext();
    // Retries of single domains may have answered all that another look-up was pending for.
    for (const other of pending.keys()) {
      if (!isAnswered(other.domains)) continue;
      pending.delete(other);
      other.onEnd?.();
    }
    finish();
  }

  /** Asks once for what a stream has left out that was cut. @param {readonly string[]} domains */
  async function askAgain(domains) {
    const alike = Map.groupBy(partsOf(domains), ({ tlds }) => `${tlds}`);
    const lookups = [...alike.values()].map((parts) => ({ ...listLookup(parts), isAgain: true }));
    await Promise.all(lookups.map(run));
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
          if (wanted?.has(event.domain) ?? true) showQueued(event);
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
   * Shows that a registry is being asked, when its turn is expected, and what the name most likely is.
   * @param {PendingEvent} event
   */
  function showQueued({ domain, expectedMs, likely }) {
    if (answered.has(domain)) return;
    const at = performance.now() + expectedMs;
    const evidence = () => {
      const seconds = Math.ceil((at - performance.now()) / 1_000);
      return [`asking the registry${seconds > 1 ? `, its turn is in ${seconds} s` : "…"}`];
    };
    const { word, look } = likelyEntryOf({ state: "unknown", likely }) ?? {};
    /** @type {DomainView} */
    const view = { state: "pending", word, look, evidence };
    inDns.set(domain, view);
    show(domain, view);
    queued.add(domain);
    plan?.expect(domain, at);
    tick();
  }

  /**
   * @param {string} domain
   * @param {DomainView} view
   * @param {AbortSignal} signal
   */
  function receive(domain, view, signal) {
    if (signal.aborted) return;
    if (view.state !== "unknown") remember(domain, view);
    answer(domain, view);
  }

  /**
   * @param {string} domain
   * @param {DomainView} view
   */
  function answer(domain, view) {
    queued.delete(domain);
    answered.add(domain);
    plan?.settle(domain);
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

  /** The answer that a domain has got within the last minute. @param {string} domain */
  function recall(domain) {
    const known = recent.get(domain);
    return known !== undefined && known.at > Date.now() - RECENT_MS ? known.view : undefined;
  }

  /**
   * @param {DomainRow} row
   * @param {AbortSignal} signal
   */
  function receiveDomain(row, signal) {
    if (signal.aborted) return;
    if (query.kind === "name" && query.depth === "dns") return receiveFromDns(row);
    receive(row.domain, domainView(row, offers), signal);
  }

  /**
   * Shows a row for which no registry was asked until the full search has its row with evidence. Of what DNS alone could
   * not decide, only a missing delegation is known.
   * @param {DomainRow} row
   */
  function receiveFromDns(row) {
    const { domain, state, status } = row;
    if (state === "unknown" && !status?.includes("undelegated")) return;
    const view = state === "unknown" ? NOT_IN_DNS : domainView(row, offers);
    inDns.set(domain, view);
    show(domain, view);
  }

  /** Refreshes the countdowns, and sends what the limit admits, until nothing is left. */
  function tick() {
    ticking ??= setInterval(() => {
      sendNext();
      refresh();
      if (queued.size > 0 || plan?.isDone() === false) return;
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
    if (pending.size > 0 || plan?.isDone() === false) return;
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
    isHalted = true;
    // A request that has not been sent would fail for the same reason, so it is not sent.
    for (const [other, shown] of pending) if (shown === PAUSING) setPending(other, view);
    if (kind === "invalid") stop();
    onError(error);
  }

  /**
   * Checks domains again, with one request for all those of a name: its other answers come from the cache.
   * @param {readonly string[]} domains
   */
  function retry(domains) {
    isHalted = false;
    for (const domain of domains) {
      answered.delete(domain);
      inDns.delete(domain);
    }
    sendParts(partsOf(domains));
  }

  /** Domains by their names; of a TLD that is not listed, the service may refuse the domain alone. */
  function partsOf(/** @type {readonly string[]} */ domains) {
    const isListed = (/** @type {string} */ domain) => tlds.includes(nameOf(domain).tld);
    const byName = Map.groupBy(domains.filter(isListed), (domain) => nameOf(domain).name);
    const parts = domains.filter((domain) => !isListed(domain)).map(partOf);
    for (const [text, all] of byName) {
      for (let at = 0; at < all.length; at += MOST_TLDS) {
        const domains = all.slice(at, at + MOST_TLDS);
        parts.push({ text, tlds: domains.map((domain) => nameOf(domain).tld), domains });
      }
    }
    return parts;
  }

  /** Repeats the look-ups that failed, and only those: an answer that is there must not cost a second request. */
  function retryFailed() {
    isHalted = false;
    for (const [lookup, view] of [...pending]) if (view !== CHECKING) begin(lookup);
    sendNext();
  }

  const isAnswered = (/** @type {readonly string[]} */ domains) =>
    domains.every((domain) => answered.has(domain));

  return {
    start,
    stop,
    retry,
    retryFailed,
    recall,
    /** Remembers an answer that was asked for outside of a search, and returns what it looks like. @param {DomainRow} row */
    noteAnswer(row) {
      const view = domainView(row, offers);
      if (view.state !== "unknown") remember(row.domain, view);
      return view;
    },
    /** In how many ms a list will be answered; undefined for a single name. */
    endMs: () => query.kind === "names" ? plan?.endMs(performance.now()) : undefined,
  };
}

/** @param {string} domain */
function isEth(domain) {
  return nameOf(domain).tld === "eth";
}

/** A domain that is asked for alone. @param {string} domain @returns {Part} */
function partOf(domain) {
  return { text: domain, tlds: isEth(domain) ? ["eth"] : [], domains: [domain] };
}

/** @param {string} reason @returns {DomainView} */
function unknownView(reason) {
  return { state: "unknown", evidence: () => [reason] };
}
