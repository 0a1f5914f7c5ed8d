// @ts-check
/** What somebody typed, and which name is meant by it; the live page and the server's table read it alike. */

/**
 * A name to check, with the ending that was typed after it, if any; or why there is none, in words for a person.
 * @typedef {{ kind: "name", name: string, ending: string }} Meant
 * @typedef {{ kind: "nothing" } | { kind: "refused", why: string }} NotMeant
 */

/**
 * Reads what was typed: a whole address may be pasted, and words are written together.
 * @param {string} text
 * @returns {Meant | NotMeant}
 */
export function readTyped(text) {
  const host = text.trim().toLowerCase()
    .replace(/^[a-z]+:\/\//, "").replace(/^www\./, "").replace(/[/?#].*$/s, "")
    .replaceAll(/\s+/g, "");
  if (host === "") return { kind: "nothing" };
  const [name = "", ...endings] = host.replace(/\.$/, "").split(".");
  if (!/^[a-z0-9-]*$/.test(name)) {
    return { kind: "refused", why: "Use letters a–z, digits and hyphens only." };
  }
  if (name === "") return { kind: "refused", why: "Type the name before the dot." };
  if (name.length > 63) return { kind: "refused", why: "A name has 63 characters at most." };
  return { kind: "name", name, ending: endings.join(".") };
}
