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

/**
 * Makes the searches of a page; each ends the one before it, whose late answers are nobody's.
 * @param {{
 *   endings: Endings,
 *   expect: (name: string) => void,
 *   show: (tld: string, view: View) => void,
 *   giveUp: (view: View) => void,
 *   onDone: (name: string) => void,
 *   onTrouble: (trouble: Trouble) => void,
 * }} options
 */
export function createSearches({ endings, expect, show, giveUp, onDone, onTrouble }) {
  let running = new AbortController();
  let name = "";
  /** @type {Map<string, { at: number, views: Map<string, View> }>} */
  const recent = new Map();

  function stop() {
    running.abort();
    running = new AbortController();
    return running.signal;
  }

  /** @param {string} wanted */
  async function start(wanted) {
    const signal = stop();
    name = wanted;
    expect(name);
    const known = recent.get(name);
    if (known !== undefined && Date.now() - known.at < RECENT_MS) {
      for (const [tld, view] of known.views) show(tld, view);
      return onDone(name);
    }
    /** @type {Map<string, View>} */
    const views = new Map();
    const arrived = (/** @type {string} */ tld, /** @type {View} */ view) => {
      if (signal.aborted) return;
      views.set(tld, view);
      show(tld, view);
    };
    try {
      await Promise.all([
        askRegistries(wanted, arrived, signal),
        askChain(wanted, arrived, signal),
      ]);
    } catch (error) {
      return end(error, signal);
    }
    if (signal.aborted) return;
    const isSure = [...views.values()].every(({ state }) => state !== "unknown");
    if (isSure) recent.set(name, { at: Date.now(), views });
    onDone(name);
  }

  /**
   * @param {string} name
   * @param {(tld: string, view: View) => void} arrived
   * @param {AbortSignal} signal
   */
  async function askRegistries(name, arrived, signal) {
    for await (const row of rowsOf(name, signal)) arrived(row.tld, viewOf(row, endings));
  }

  /**
   * @param {string} name
   * @param {(tld: string, view: View) => void} arrived
   * @param {AbortSignal} signal
   */
  async function askChain(name, arrived, signal) {
    await new Promise((resolve) => setTimeout(resolve, ETH_PAUSE_MS));
    if (!signal.aborted) arrived("eth", await ethView(name, signal));
  }

  /**
   * @param {unknown} error
   * @param {AbortSignal} signal
   */
  function end(error, signal) {
    if (signal.aborted) return;
    if (!(error instanceof Trouble)) throw error;
    stop();
    const { kind, message } = error;
    giveUp(kind === "broken" ? { state: "unknown", evidence: () => [message] } : WAITING);
    onTrouble(error);
  }

  /**
   * Asks once more about one ending.
   * @param {string} tld
   */
  async function retry(tld) {
    const { signal } = running;
    show(tld, CHECKING);
    try {
      const view = tld === "eth"
        ? await ethView(name, signal)
        : viewOf(await rowOf(name, tld, signal), endings);
      if (!signal.aborted) show(tld, view);
    } catch (error) {
      end(error, signal);
    }
  }

  return { start, stop, retry, again: () => start(name) };
}
