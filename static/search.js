// @ts-check
/// <reference lib="dom" />
/** The life of a search: asked, filled in row by row, dropped when the next one starts. */
import { rowOf, rowsOf, Trouble } from "./ask.js";
import { ethView } from "./eth.js";
import { CHECKING, viewOf } from "./row.js";

/** @import { Endings, View } from "./row.js" */

/** The start of a name that is still being typed is not worth a question to the chain. */
const ETH_PAUSE_MS = 400;
/** So long the answers for a name are shown again without asking for them. */
const RECENT_MS = 60_000;
/** @type {View} */
const WAITING = { ...CHECKING, word: "Waiting" };
/** What the chain has not been asked yet looks the same, but is told apart. @type {View} */
const PAUSING = { ...CHECKING };

/** @typedef {{ tlds: readonly string[], put: (signal: AbortSignal) => Promise<void> }} Question a request, and its rows */

/**
 * Makes the searches of a page; each ends the one before it, whose late answers are nobody's.
 * @param {{
 *   endings: Endings,
 *   expect: (name: string) => void,
 *   show: (tld: string, view: View) => void,
 *   onDone: (name: string) => void,
 *   onTrouble: (trouble: Trouble) => void,
 * }} options
 */
export function createSearches({ endings, expect, show, onDone, onTrouble }) {
  let running = new AbortController();
  let name = "";
  /** What is known of the name. @type {Map<string, View>} */
  let views = new Map();
  /** The questions without an answer, and what is said of their rows meanwhile. @type {Map<Question, View>} */
  const open = new Map();
  /** @type {Map<string, { at: number, views: Map<string, View> }>} */
  const recent = new Map();

  /** @type {Question} */
  const registries = {
    tlds: endings.endings.map(({ tld }) => tld),
    async put(signal) {
      for await (const row of rowsOf(name, signal)) arrived(row.tld, viewOf(row, endings), signal);
    },
  };
  /** @type {Question} */
  const chain = {
    tlds: ["eth"],
    put: async (signal) => arrived("eth", await ethView(name, signal), signal),
  };

  function stop() {
    running.abort();
    running = new AbortController();
    open.clear();
  }

  /** @param {string} wanted */
  function start(wanted) {
    stop();
    name = wanted;
    views = new Map();
    expect(name);
    const known = recent.get(name);
    if (known !== undefined && Date.now() - known.at < RECENT_MS) {
      for (const [tld, view] of known.views) show(tld, view);
      return onDone(name);
    }
    askAll([registries, chain]);
  }

  /** @param {readonly Question[]} questions */
  function askAll(questions) {
    for (const question of questions) void (question === chain ? askChain() : ask(question));
  }

  async function askChain() {
    const { signal } = running;
    leave(chain, PAUSING);
    await new Promise((resolve) => setTimeout(resolve, ETH_PAUSE_MS));
    if (!signal.aborted && open.get(chain) === PAUSING) await ask(chain);
  }

  /** @param {Question} question */
  async function ask(question) {
    const { signal } = running;
    leave(question, CHECKING);
    try {
      await question.put(signal);
    } catch (error) {
      return end(question, error, signal);
    }
    if (signal.aborted) return;
    open.delete(question);
    // Nor is one open whose rows have all been told by other tries.
    for (const other of open.keys()) {
      if (other.tlds.every((tld) => views.has(tld))) open.delete(other);
    }
    if (open.size === 0) done();
  }

  /**
   * @param {string} tld
   * @param {View} view
   * @param {AbortSignal} signal
   */
  function arrived(tld, view, signal) {
    if (signal.aborted) return;
    views.set(tld, view);
    show(tld, view);
  }

  /**
   * Leaves a question open, and says so in those of its rows that nothing is known of.
   * @param {Question} question
   * @param {View} view
   */
  function leave(question, view) {
    open.set(question, view);
    for (const tld of question.tlds) if (!views.has(tld)) show(tld, view);
  }

  function done() {
    const isSure = [...views.values()].every(({ state }) => state !== "unknown");
    if (isSure) recent.set(name, { at: Date.now(), views });
    onDone(name);
  }

  /**
   * @param {Question} question
   * @param {unknown} error
   * @param {AbortSignal} signal
   */
  function end(question, error, signal) {
    if (signal.aborted) return;
    if (!(error instanceof Trouble)) throw error;
    const { kind, message } = error;
    const view = kind === "broken" ? untold(message) : WAITING;
    leave(question, view);
    // What was in the way of this one is in the chain's way too: it is not asked for nothing.
    if (open.get(chain) === PAUSING) leave(chain, view);
    if (kind === "refused") stop();
    onTrouble(error);
  }

  /**
   * Asks once more about one ending.
   * @param {string} tld
   */
  function retry(tld) {
    views.delete(tld);
    const own = async (/** @type {AbortSignal} */ signal) =>
      arrived(tld, viewOf(await rowOf(name, tld, signal), endings), signal);
    return ask(tld === "eth" ? chain : { tlds: [tld], put: own });
  }

  /** Asks once more what got no answer, and nothing else: an answer that is there costs no second request. */
  function again() {
    askAll([...open].filter(([, view]) => view !== CHECKING).map(([question]) => question));
  }

  return { start, stop, retry, again };
}

/** @param {string} why @returns {View} */
function untold(why) {
  return { state: "unknown", evidence: () => [why] };
}
