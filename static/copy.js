// @ts-check
/// <reference lib="dom" />
/** Copies text, also over plain http, where browsers give a page no clipboard API. */

const SHOWN_MS = 1_500;

/**
 * Copies a text, shows that on the button, and returns a sentence for screen readers.
 * @param {HTMLElement} button
 * @param {string} text
 */
export async function copyFrom(button, text) {
  if (!await copy(text)) return "This browser does not let the page copy.";
  button.classList.add("copied");
  setTimeout(() => button.classList.remove("copied"), SHOWN_MS);
  return `Copied ${text.replaceAll("\n", ", ")}`;
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** @param {string} text */
function copyBySelection(text) {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
