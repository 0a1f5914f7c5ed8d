// @ts-check
/// <reference lib="dom" />
/** The note that shows why a search stopped: with a countdown, until the browser is online, or with a button. */

/** @import { RequestError } from "./api_client.js" */

/**
 * Creates the note from its elements.
 * @param {{ note: HTMLElement, text: HTMLElement, button: HTMLElement }} parts
 */
export function createErrorNote({ note, text, button }) {
  /** Removes the listeners and the timer of the error that is shown. */
  let shown = new AbortController();

  function clear() {
    shown.abort();
    shown = new AbortController();
    note.hidden = button.hidden = true;
  }

  /**
   * Shows the seconds that are left, then continues.
   * @param {number} seconds
   * @param {() => void} resume
   */
  function countDown(seconds, resume) {
    const until = performance.now() + seconds * 1_000;
    const tick = () => {
      const leftSeconds = Math.ceil((until - performance.now()) / 1_000);
      if (leftSeconds <= 0) return resume();
      text.textContent = `Rate limit reached. Continuing in ${leftSeconds} s.`;
    };
    const timer = setInterval(tick, 500);
    shown.signal.addEventListener("abort", () => clearInterval(timer));
    tick();
  }

  /**
   * Shows an error until the next one or `clear`; `retry` repeats what failed.
   * @param {RequestError} error
   * @param {() => void} retry
   */
  function show({ kind, message, retryAfter }, retry) {
    clear();
    const { signal } = shown;
    const resume = () => (clear(), retry());
    note.hidden = false;
    text.textContent = message;
    if (kind === "limited") return countDown(retryAfter, resume);
    // The event comes before requests work.
    const soon = () => setTimeout(() => signal.aborted || resume(), 1_000);
    if (kind === "offline") return addEventListener("online", soon, { signal });
    button.hidden = false;
    button.addEventListener("click", resume, { signal });
  }

  return { show, clear };
}
