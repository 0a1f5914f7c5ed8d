// @ts-check
/** Variants of a name: what people register when the name itself is taken. Pure. */

/** @import { Name } from "./parse_input.js" */

const PREFIXES = ["get", "try", "use", "my"];
const SUFFIXES = ["app", "hq", "labs", "hub"];
/** Words that names are compounded of: before them goes the hyphen of "river-stone". */
// deno-fmt-ignore -- a list
const WORDS = [
  "base", "beam", "bird", "board", "book", "box", "bridge", "cloud", "craft", "desk", "field",
  "fish", "flow", "forge", "garden", "gate", "grid", "hive", "house", "labs", "lab", "light",
  "line", "link", "loop", "mark", "mind", "moon", "nest", "pad", "path", "point", "port", "press",
  "room", "row", "ship", "smith", "space", "spark", "spot", "spring", "stack", "star", "stone",
  "storm", "studio", "sun", "tree", "view", "ware", "wave", "way", "wick", "wood", "work", "works",
];
const MIN_PART = 3;
const MAX_LENGTH = 63;

/**
 * The variants of a name, the closest first: endings that complete the word, hyphen, plural, prefixes and suffixes.
 * @param {string} name
 * @param {readonly string[]} tlds those that are checked
 * @param {number} [max]
 * @returns {Name[]}
 */
export function variantsOf(name, tlds, max = 8) {
  // "getriver-stone" is no better than "river-stone", and an encoded label with more letters is unreadable.
  if (name.includes("-")) return [];
  const affixed = PREFIXES.flatMap((prefix, place) => [prefix + name, name + SUFFIXES[place]]);
  const labels = [...hyphenated(name), plural(name), ...affixed].filter((label) =>
    label !== name && label.length <= MAX_LENGTH
  );
  const names = [...new Set(labels)].map((label) => ({ name: label, tld: "" }));
  return [...hacks(name, tlds), ...names].slice(0, max);
}

/**
 * Domain hacks: "riverst.one", the longest ending first.
 * @param {string} name
 * @param {readonly string[]} tlds
 */
function hacks(name, tlds) {
  return tlds.filter((tld) => name.endsWith(tld) && /[a-z0-9]{2}$/.test(name.slice(0, -tld.length)))
    .toSorted((a, b) => b.length - a.length)
    .map((tld) => ({ name: name.slice(0, -tld.length), tld }));
}

/** @param {string} name */
function hyphenated(name) {
  const word = WORDS.find((word) => name.endsWith(word) && name.length >= word.length + MIN_PART);
  return word === undefined ? [] : [`${name.slice(0, -word.length)}-${word}`];
}

/** @param {string} name */
function plural(name) {
  if (/(?:[sxz]|[cs]h)es$/.test(name)) return name.slice(0, -2);
  if (/[^s]s$/.test(name)) return name.slice(0, -1);
  if (/(?:[sxz]|[cs]h)$/.test(name)) return `${name}es`;
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return `${name}s`;
}
