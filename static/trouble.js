// @ts-check
/// <reference lib="dom" />
/** The note that says why there is no answer, and what happens next: a countdown, a wait, or a button. */

/** @import { Trouble } from "./ask.js" */

/**
 * Makes the note out of its parts on the page.
 * @param {{ note: HTMLElement, text: HTMLElement, button: HTMLElement }} parts
 */
export function createTroubleNote({ note, text, button }) {
  /** Ends what the note shown now waits for. */
  let over = new AbortController();

  function clear() {
    over.abort();
    over = new AbortController();
    note.hidden = true;
    button.hidden = true;
  }

  /**
   * Counts down in sight, then goes on.
   * @param {number} seconds
   * @param {() => void} goOn
   */
  function countDown(seconds, goOn) {
    const until = performance.now() + seconds * 1_000;
    const tick = () => {
      const leftSeconds = Math.ceil((until - performance.now()) / 1_000);
      if (leftSeconds <= 0) return goOn();
      text.textContent =
        `No request is left for the moment. This goes on by itself in ${leftSeconds} s.`;
    };
    const timer = setInterval(tick, 500);
    over.signal.addEventListener("abort", () => clearInterval(timer));
    tick();
  }

  /**
   * Shows a trouble until the next one or `clear`; `again` asks once more.
   * @param {Trouble} trouble
   * @param {() => void} again
   */
  function show({ kind, message, retryAfter }, again) {
    clear();
    const { signal } = over;
    const goOn = () => (clear(), again());
    note.hidden = false;
    text.textContent = message;
    if (kind === "limited") return countDown(retryAfter, goOn);
    if (kind === "offline") return addEventListener("online", goOn, { signal });
    button.hidden = false;
    button.addEventListener("click", goOn, { signal });
  }

  return { show, clear };
}
