// @ts-check
/// <reference lib="dom" />
/** The note that shows why a search stopped: until the browser is online, or with a button. */

/** @import { RequestError } from "./api_client.js" */

/** Creates the note from its element, which has a text and a button. @param {HTMLElement} note */
export function createErrorNote(note) {
  const [text, button] = /** @type {[HTMLElement, HTMLElement]} */ ([...note.children]);
  /** Removes the listeners of the error that is shown. */
  let shown = new AbortController();

  function clear() {
    shown.abort();
    shown = new AbortController();
    note.hidden = button.hidden = true;
  }

  /**
   * Shows an error until the next one or `clear`; `retry` repeats what failed, if it can be repeated.
   * @param {Pick<RequestError, "kind" | "message">} error
   * @param {() => void} [retry]
   */
  function show({ kind, message }, retry) {
    clear();
    const { signal } = shown;
    note.hidden = false;
    text.textContent = message;
    if (retry === undefined) return;
    const resume = () => (clear(), retry());
    // The event comes before requests work.
    const soon = () => setTimeout(() => signal.aborted || resume(), 1_000);
    if (kind === "offline") return addEventListener("online", soon, { signal });
    button.hidden = false;
    button.addEventListener("click", resume, { signal });
  }

  return { show, clear };
}
