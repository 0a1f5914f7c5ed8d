// @ts-check
/** Parses the text of the input field; the page and the table without scripts share it. */
import { nameIn, namesIn } from "./names_in_text.js";
import { toALabel, toPlainLetters } from "./unicode_label.js";

/**
 * A name to check, with the TLD that was typed after it, if any.
 * @typedef {{ name: string, tld: string }} Name
 *
 * What was typed: one name, several, one that cannot be checked as it is and what can be, or none.
 * @typedef {{ kind: "name" } & Name} ParsedName
 * @typedef {object} ParsedNames
 * @property {"names"} kind
 * @property {readonly Name[]} names
 * @property {readonly string[]} skipped words that are no names, and names beyond the most that are checked
 * @property {readonly Name[]} joined what a few words are as one name: "riverstone" and "river-stone"
 *
 * @typedef {{ kind: "choice", typed: string, twice?: string, options: readonly Name[] }} ParsedChoice `twice` is a TLD that
 *   was typed again
 * @typedef {{ kind: "empty" } | { kind: "invalid", message: string }} NoName
 * @typedef {ParsedName | ParsedNames | ParsedChoice | NoName} ParsedInput
 */

/** `POST /check` takes so many. */
export const MAX_NAMES = 200;
const MAX_LENGTH = 63;
/** No host is longer (RFC 1035). The time of what is done with one below may grow with the square of its length. */
const MAX_HOST = 253;
/** Of a text, no more words are parsed: the lists that are checked, with room for words that are no names. */
const MAX_WORDS = 1_000;
/** More words are a list. */
const MAX_JOINED = 3;

/**
 * Parses the text: its names, as `names_in_text.js` finds them; what is in several words is as many names.
 * @param {string} text
 * @returns {ParsedInput}
 */
export function parseInput(text) {
  const texts = namesIn(text);
  // A sentence beside a list is none of its names.
  const most = text.includes("\n") ? MAX_JOINED : Infinity;
  const words = texts.map((found) => found.split(/\s+/))
    .flatMap((words) => words.length > most ? [words.join(" ")] : words);
  const [first] = words;
  if (first === undefined) return { kind: "empty" };
  if (words.length === 1) return parseOne(first);
  const parsed = parseSeveral(words);
  const areWords = parsed.kind === "names" && texts.length === 1;
  return areWords ? { ...parsed, joined: joinWords(words) } : parsed;
}

/**
 * A name and its TLD as one text.
 * @param {Name} name
 */
export function domainOf({ name, tld }) {
  return tld === "" ? name : `${name}.${tld}`;
}

/** The name and the TLD of a domain. @param {string} domain @returns {Name} */
export function nameOf(domain) {
  const [name = "", ...rest] = domain.split(".");
  return { name, tld: rest.join(".") };
}

/** How many names there are, such as "2 names". @param {number} count */
export function namesInWords(count) {
  return `${count} name${count === 1 ? "" : "s"}`;
}

const IS_WORD = /^[\p{L}\p{M}\p{N}\u05f3\u05f4\u30fb\u200c\u200d-]+$/u;

/** @param {string} word @returns {ParsedName | ParsedChoice | NoName} */
function parseOne(word) {
  const host = nameIn(word).toLowerCase();
  const [typed = "", ...rest] = host.split(".");
  const tld = rest.filter((label) => label !== "").map((label) => toALabel(label) ?? label)
    .join(".");
  if (typed === "") return { kind: "invalid", message: "Type the name before the dot." };
  const hasGap = rest.includes("");
  const twice = repeatedIn(tld.split("."));
  if (isLabel(typed) && twice !== "") {
    return { kind: "choice", typed: host, twice, options: [{ name: typed, tld: twice }] };
  }
  if (isLabel(typed) && !hasGap) return { kind: "name", name: typed, tld };
  const labels = host.length > MAX_HOST ? [] : labelsFor(typed);
  const options = labels.map((name) => ({ name, tld }));
  const [only, another] = options;
  // Letters that have one form in DNS leave no choice.
  const isSure = only?.name.startsWith("xn--") && another === undefined && IS_WORD.test(typed);
  if (only !== undefined && isSure && !hasGap) return { kind: "name", ...only };
  if (options.length > 0) return { kind: "choice", typed: hasGap ? host : typed, options };
  const message = typed.length > MAX_LENGTH
    ? `A name has at most ${MAX_LENGTH} characters.`
    : "Use letters a–z, digits and hyphens only.";
  return { kind: "invalid", message };
}

/** What is repeated: "com" of "com.com", "co.uk" of "co.uk.co.uk"; "" if nothing is. @param {readonly string[]} labels */
function repeatedIn(labels) {
  const half = labels.slice(0, labels.length / 2).join(".");
  return labels.join(".") === `${half}.${half}` ? half : "";
}

/**
 * Of a name in a list that cannot be checked as it is, the form of it that DNS has is checked.
 * @param {readonly string[]} words
 * @returns {ParsedName | ParsedNames | NoName}
 */
function parseSeveral(words) {
  /** @type {Map<string, Name>} */
  const names = new Map();
  const skipped = [];
  for (const word of words.slice(0, MAX_WORDS)) {
    const parsed = parseOne(word);
    const name = parsed.kind === "choice" ? parsed.options.find(isEncoded) : parsed;
    if (
      name === undefined || !("name" in name) ||
      (names.size === MAX_NAMES && !names.has(domainOf(name)))
    ) {
      skipped.push(word);
    } else names.set(domainOf(name), { name: name.name, tld: name.tld });
  }
  skipped.push(...words.slice(MAX_WORDS));
  const [first] = names.values();
  if (first === undefined) {
    return { kind: "invalid", message: "Type names, such as acme acme.dev." };
  }
  if (names.size === 1 && skipped.length === 0) return { kind: "name", ...first };
  return { kind: "names", names: [...names.values()], skipped, joined: [] };
}

/** @param {readonly string[]} words @returns {Name[]} */
function joinWords(words) {
  if (words.length > MAX_JOINED) return [];
  const labels = [words.join(""), words.join("-")].map((label) => label.toLowerCase());
  return labels.filter(isLabel).map((name) => ({ name, tld: "" }));
}

const isEncoded = (/** @type {Name} */ { name }) => name.startsWith("xn--");

/**
 * The labels that a text can stand for which is none itself: "cafe" and "xn--caf-dma" for "café".
 * @param {string} typed
 */
function labelsFor(typed) {
  const plain = toPlainLetters(typed);
  const withGermanUmlauts = toPlainLetters(typed.normalize("NFC").replaceAll(/[äöü]/g, "$&e"));
  const labels = [
    plain.replaceAll(/[^a-z0-9-]+/g, ""),
    plain.replaceAll(/[^a-z0-9]+/g, "-"),
    withGermanUmlauts.replaceAll(/[^a-z0-9-]+/g, ""),
    toALabel(typed) ?? "",
  ].map((label) => label.replaceAll(/^-+|(?<!-)-+$/g, ""));
  return [...new Set(labels)].filter(isLabel);
}

/** Whether registries take a label: others answer that it does not exist, and it would look available. */
function isLabel(/** @type {string} */ text) {
  return text.length <= MAX_LENGTH && /^(?!-)[a-z0-9-]+(?<!-)$/.test(text) &&
    (text.startsWith("xn--") || text.slice(2, 4) !== "--");
}

/** How many names that are not checked are named. */
const MAX_SKIPPED = 5;

/** What is worth knowing about an input. @param {ParsedInput} parsed */
export function noticeOf(parsed) {
  if (parsed.kind === "invalid") return parsed.message;
  if (parsed.kind === "choice") {
    const { typed, twice } = parsed;
    const problem = twice === undefined ? "cannot be a name" : `has .${twice} twice`;
    return `“${typed}” ${problem}. Check instead:`;
  }
  if (parsed.kind !== "names") return "";
  if (parsed.skipped.length > 0) {
    const named = parsed.skipped.slice(0, MAX_SKIPPED).join(", ");
    const more = parsed.skipped.length - MAX_SKIPPED;
    return `Not checked: ${named}${more > 0 ? ` and ${more} more` : ""}`;
  }
  return parsed.joined.length > 0 ? "These are several names. As one name:" : "";
}

/** What can be checked in place of an input. @param {ParsedInput} parsed */
export function optionsOf(parsed) {
  if (parsed.kind === "choice") return parsed.options;
  return parsed.kind === "names" && parsed.skipped.length === 0 ? parsed.joined : [];
}
