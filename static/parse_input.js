// @ts-check
/** Parses the text of the input field; the page and the table without scripts share it. */

/**
 * A name to check, with the TLD that was typed after it, if any.
 * @typedef {{ kind: "name", name: string, tld: string }} ParsedName
 * @typedef {{ kind: "empty" } | { kind: "invalid", message: string }} NoName
 */

/**
 * Parses the text: a URL stands for its host, and spaces between words are dropped.
 * @param {string} text
 * @returns {ParsedName | NoName}
 */
export function parseInput(text) {
  const host = text.trim().toLowerCase()
    .replace(/^[a-z]+:\/\//, "").replace(/^www\./, "").replace(/[/?#].*$/s, "")
    .replaceAll(/\s+/g, "");
  if (host === "") return { kind: "empty" };
  const [name = "", ...rest] = host.replace(/\.$/, "").split(".");
  if (!/^[a-z0-9-]*$/.test(name)) {
    return { kind: "invalid", message: "Use letters a–z, digits and hyphens only." };
  }
  if (name === "") return { kind: "invalid", message: "Type the name before the dot." };
  if (name.length > 63) return { kind: "invalid", message: "A name has at most 63 characters." };
  return { kind: "name", name, tld: rest.join(".") };
}
