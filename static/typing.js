// @ts-check
/// <reference lib="dom" />
/** When to search during typing: after pauses that are longer than the typist's own between two keys. */
import { namesIn } from "./names_in_text.js";

/** The pause after which DNS is asked, and the one after which registries are, too. @typedef {"dns" | "rest"} Pause */

/** A pause in multiples of the typist's usual one, with its bounds in ms. */
const PAUSES = {
  dns: { factor: 1.2, min: 100, max: 400 },
  rest: { factor: 2.4, min: 350, max: 900 },
};
/** The usual pause of a typist whose keys have not been timed yet. */
const FIRST_GUESS_MS = 160;
/** A longer one is no pause between two keys of a word. */
const MAX_GAP_MS = 1_000;
const REMEMBERED = 8;
/** With a smaller share of the requests left, DNS alone is not asked. */
const DNS_SHARE = 0.2;

/**
 * Calls back at pauses in typing, and at once for what is pasted; Enter submits the form.
 * @param {HTMLTextAreaElement} input
 * @param {{
 *   leftShare: () => number,
 *   onPause: (pause: Pause) => void,
 *   onPaste: () => void,
 * }} options `leftShare` is which share of the requests is left
 */
export function watchTyping(input, { leftShare, onPause, onPaste }) {
  const rhythm = createTypingRhythm();
  /** @type {ReturnType<typeof setTimeout>[]} */
  let timers = [];

  function stop() {
    timers.forEach(clearTimeout);
    timers = [];
  }

  input.addEventListener("input", (event) => {
    stop();
    rhythm.press(event.timeStamp);
    const { inputType } = /** @type {InputEvent} */ (event);
    if (inputType === "insertFromPaste" || inputType === "insertFromDrop") {
      // Of a list, a table or a text around names, the field shows what is going to be checked.
      if (/[\n\t]/.test(input.value)) input.value = namesIn(input.value).join("\n");
      return onPaste();
    }
    const start = (/** @type {Pause} */ pause) =>
      setTimeout(() => onPause(pause), rhythm.waitFor(pause));
    timers = leftShare() < DNS_SHARE ? [start("rest")] : [start("dns"), start("rest")];
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    input.form?.requestSubmit();
  });

  return { stop };
}

/** Creates the rhythm of one typist: how long to wait for the next key. */
export function createTypingRhythm() {
  /** @type {number[]} */
  const gaps = [];
  let last = -Infinity;

  return {
    /**
     * Notes the time of a key.
     * @param {number} at in ms
     */
    press(at) {
      const gap = at - last;
      last = at;
      if (gap > MAX_GAP_MS) return;
      gaps.push(gap);
      if (gaps.length > REMEMBERED) gaps.shift();
    },
    /**
     * How long to wait after the last key, in ms.
     * @param {Pause} pause
     */
    waitFor(pause) {
      const { factor, min, max } = PAUSES[pause];
      const median = gaps.toSorted((a, b) => a - b)[gaps.length >> 1] ?? FIRST_GUESS_MS;
      return Math.min(Math.max(factor * median, min), max);
    },
  };
}
