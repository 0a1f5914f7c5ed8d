// @ts-check
/// <reference lib="dom" />
/** When to search during typing: after pauses that are longer than the usual one between two keys. */
import { namesIn } from "./names_in_text.js";

/** The pause after which DNS is asked, and the one after which registries are, too. */
const DNS_MS = 400;
const REST_MS = 700;
/** With a smaller share of the requests left, DNS alone is not asked. */
const DNS_SHARE = 0.2;

/**
 * Calls back at pauses in typing, and at once for what is pasted; Enter submits the form.
 * @param {HTMLTextAreaElement} input
 * @param {{
 *   leftShare: () => number,
 *   onPause: (depth?: "dns") => void,
 *   onPaste: () => void,
 * }} options `leftShare` is which share of the requests is left
 */
export function watchTyping(input, { leftShare, onPause, onPaste }) {
  /** @type {ReturnType<typeof setTimeout>[]} */
  let timers = [];

  function stop() {
    timers.forEach(clearTimeout);
    timers = [];
  }

  input.addEventListener("input", (event) => {
    stop();
    const { inputType } = /** @type {InputEvent} */ (event);
    if (inputType === "insertFromPaste" || inputType === "insertFromDrop") {
      // Of a list, a table or a text around names, the field shows what is going to be checked.
      if (/[\n\t]/.test(input.value)) input.value = namesIn(input.value).join("\n");
      return onPaste();
    }
    timers = [setTimeout(onPause, REST_MS)];
    if (leftShare() >= DNS_SHARE) timers.push(setTimeout(onPause, DNS_MS, "dns"));
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    input.form?.requestSubmit();
  });

  return { stop };
}
