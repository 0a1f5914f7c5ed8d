// @ts-check
/// <reference lib="dom" />
/** The line under the field: what can be typed, what is wrong with it, and what can be checked in its place. */
import { addressOf } from "./address.js";
import { createElement } from "./elements.js";
import { domainOf } from "./parse_input.js";
import { readableBehind } from "./unicode_label.js";

/** @import { ParsedInput } from "./parse_input.js" */

/** How many names that are not checked are named. */
const MAX_SKIPPED = 5;

/** What is worth knowing about an input. @param {ParsedInput} parsed */
export function noticeOf(parsed) {
  switch (parsed.kind) {
    case "empty":
    case "name":
      return "";
    case "names":
      if (parsed.skipped.length > 0) {
        return `Not checked: ${parsed.skipped.slice(0, MAX_SKIPPED).join(", ")}`;
      }
      return parsed.joined.length > 0 ? "These are several names. As one name:" : "";
    case "choice": {
      const { typed, twice } = parsed;
      const problem = twice === undefined ? "cannot be a name" : `has .${twice} twice`;
      return `“${typed}” ${problem}. Check instead:`;
    }
    case "invalid":
      return parsed.message;
  }
}

/** What can be checked in place of an input. @param {ParsedInput} parsed */
export function optionsOf(parsed) {
  if (parsed.kind === "choice") return parsed.options;
  return parsed.kind === "names" && parsed.skipped.length === 0 ? parsed.joined : [];
}

/**
 * Creates the hint from its elements.
 * @param {{ input: HTMLElement, hint: HTMLElement, choices: HTMLElement }} parts
 */
export function createHint({ input, hint, choices }) {
  const usual = hint.textContent ?? "";

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
        const text = domainOf(option) + readableBehind(option.name);
        const link = createElement("a", { href: addressOf(domainOf(option)) }, text);
        return createElement("li", {}, link);
      }));
    },
    /** @param {string} problem what the service says against the name */
    showProblem: (problem) => write(problem, true),
  };
}
