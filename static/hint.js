// @ts-check
/// <reference lib="dom" />
/** The line under the field: what can be typed, what is wrong with it, and what can be checked in its place. */
import { createElement } from "./elements.js";
import { domainOf, noticeOf, optionsOf } from "./parse_input.js";
import { addressOf } from "./search_scope.js";
import { readableBehind } from "./unicode_label.js";

/** @import { ParsedInput } from "./parse_input.js" */

/**
 * Creates the hint from its elements.
 * @param {{ input: HTMLElement, hint: HTMLElement, choices: HTMLElement }} parts
 */
export function createHint({ input, hint, choices }) {
  // The service may have rendered a notice in its place.
  const usual = hint.matches(".notice") ? "" : hint.textContent ?? "";

  /**
   * @param {string} text "" shows the usual one
   * @param {boolean} isProblem
   */
  function write(text, isProblem) {
    hint.textContent = text || usual;
    hint.classList.toggle("notice", text !== "");
    input.setAttribute("aria-invalid", `${isProblem}`);
  }

  return {
    /** @param {ParsedInput} parsed */
    show(parsed) {
      write(noticeOf(parsed), parsed.kind === "invalid");
      const options = optionsOf(parsed);
      choices.hidden = options.length === 0;
      choices.replaceChildren(...options.map((option) => {
        const domain = domainOf(option);
        const text = domain + readableBehind(domain);
        const link = createElement("a", { href: addressOf(domain) }, text);
        return createElement("li", {}, link);
      }));
    },
    /** @param {string} problem what the service says against the name */
    showProblem: (problem) => write(problem, true),
  };
}
