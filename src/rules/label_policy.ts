/**
 * What a TLD's own rules say of a label. Registries answer RDAP questions for names that they would never register with the
 * same 404 as for free ones, so a 404 means "free" only where these rules allow the label.
 */
import type { LabelPolicy } from "./answer.ts";
import { hanCharacters } from "./han_characters.ts";
import { IDN_POLICIES, type IdnPolicy } from "./idn_policies.ts";
import {
  JAPANESE_MISPLACED,
  LOOKALIKES,
  type Repertoire,
  type RepertoireName,
  REPERTOIRES,
} from "./idn_repertoires.ts";
import { LABEL_SHAPES } from "./label_shapes.ts";
import { SCRIPT_NAMES, scriptOf } from "./scripts.ts";

const ALLOWED: LabelPolicy = { kind: "allowed" };

/**
 * Judges a label in lower case by the rules of a TLD. `unicode` is the U-label of a valid `xn--` label, and `undefined` for
 * any other label. `allowed` says that a source was found which allows it, for an `xn--` label, or that none was found
 * which refuses it, for an ASCII label; it does not say that the name is free.
 */
export function judgeLabel(label: string, unicode: string | undefined, tld: string): LabelPolicy {
  if (!label.startsWith("xn--")) return judgeShape(label, tld);
  const policy = IDN_POLICIES.find(({ tlds }) => tlds.includes(tld))?.policy;
  if (policy?.kind === "none") {
    return forbidden(`The .${tld} registry sells no internationalised names (xn--…)`);
  }
  if (policy === undefined || policy.kind === "unknown") {
    return unknown(`Which internationalised names (xn--…) the .${tld} registry sells is not known`);
  }
  if (unicode === undefined) {
    return forbidden(`${label} stands for no internationalised name (RFC 5891)`);
  }
  return judgeUnicode(unicode, tld, policy);
}

function judgeShape(label: string, tld: string): LabelPolicy {
  const row = LABEL_SHAPES.find(({ tlds, labels }) => tlds.includes(tld) && labels.test(label));
  if (row === undefined) return ALLOWED;
  const sentence = row.says.replace("{tld}", tld);
  return row.kind === "forbidden" ? forbidden(sentence) : unknown(sentence);
}

type Tables = Extract<IdnPolicy, { kind: "tables" }>;

/** What a registry does with the letters of a repertoire beyond those that are free (see `IdnPolicy`). */
type Reading = "whole" | "unplaced" | "blocking";

interface Table {
  readonly name: RepertoireName;
  readonly repertoire: Repertoire;
  readonly reading: Reading;
}

const READINGS: readonly Reading[] = ["whole", "unplaced", "blocking"];

function judgeUnicode(unicode: string, tld: string, policy: Tables): LabelPolicy {
  const letters = [...unicode].filter((character) => !/[0-9-]/.test(character));
  const tables = READINGS.flatMap((reading) =>
    (policy[reading] ?? []).map((name) => ({ name, repertoire: REPERTOIRES[name], reading }))
  );
  const scripts = scriptsOf(letters);
  const unread = policy.unread ?? [];
  const sold = new Set([...tables.flatMap(({ repertoire }) => repertoire.scripts), ...unread]);
  const refused = scripts.find((script) => !sold.has(script));
  if (refused !== undefined) {
    return forbidden(`The .${tld} registry sells no names in ${named([refused])}`);
  }
  const candidates = tables.filter(({ repertoire }) => mixes(repertoire, letters));
  if (candidates.length === 0) return judgeMixture(letters, tld, policy);
  return judgeLength(unicode, tld, policy) ?? judgeLetters(unicode, letters, tld, candidates) ??
    judgeDoubles(letters, tld, candidates, sold) ?? ALLOWED;
}

/** No table that is known takes the label's scripts together. */
function judgeMixture(letters: readonly string[], tld: string, policy: Tables): LabelPolicy {
  const scripts = scriptsOf(letters);
  const [script, ...more] = scripts.filter((each) => each !== "Latn" || !isLatinAscii(letters));
  // ICANN's IDN guidelines allow no table that mixes these with Latin: their letters look alike.
  const mayHoldAscii = policy.asciiBesides === "unknown" && script !== "Cyrl" && script !== "Grek";
  const isUnread = script !== undefined && policy.unread?.includes(script) === true;
  const hasAscii = letters.some((letter) => /[a-z]/.test(letter));
  if (more.length === 0 && isUnread && (!hasAscii || mayHoldAscii)) {
    return unknown(`Which names in ${named(scripts)} the .${tld} registry sells is not known`);
  }
  if (more.length === 0 && hasAscii && mayHoldAscii) {
    return unknown(
      `Whether the .${tld} registry sells names that mix ${named(scripts)} is not known`,
    );
  }
  return forbidden(`The .${tld} registry sells no names that mix ${named(scripts)}`);
}

function judgeLength(unicode: string, tld: string, { longestJapanese }: Tables) {
  if (longestJapanese === undefined || [...unicode].length <= longestJapanese) return undefined;
  if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(unicode)) return undefined;
  return forbidden(
    `Names under .${tld} with Japanese letters have at most ${longestJapanese} characters`,
  );
}

/** Whether one of the tables takes all letters, and no variant of one can be in the way. */
function judgeLetters(
  unicode: string,
  letters: readonly string[],
  tld: string,
  candidates: readonly Table[],
) {
  const isTaken = candidates.some((table) =>
    letters.every((letter) => takes(table, letter)) &&
    (table.name !== "ja" || !JAPANESE_MISPLACED.test(unicode))
  );
  const varied = letters.find((letter) =>
    candidates.some((table) => table.reading === "blocking" && isVariant(table, letter))
  );
  if (varied !== undefined) {
    return unknown(
      `The .${tld} registry may refuse ${varied} because a name with a variant of it is registered`,
    );
  }
  if (isTaken) return undefined;
  const strange = letters.find((letter) => !candidates.some((table) => takes(table, letter)));
  const what = strange === undefined ? `the letters of ${unicode} together` : strange;
  return unknown(`Whether the .${tld} registry takes ${what} is not known`);
}

/** Where variants are blocked, those that look alike in another script are. */
function judgeDoubles(
  letters: readonly string[],
  tld: string,
  candidates: readonly Table[],
  sold: ReadonlySet<string>,
) {
  const [script = "", ...more] = scriptsOf(letters);
  if (more.length > 0 || !candidates.some(({ reading }) => reading === "blocking")) {
    return undefined;
  }
  const doubles = Object.entries(LOOKALIKES[script] ?? {}).find(([other, alike]) =>
    sold.has(other) && letters.every((letter) => alike.includes(letter))
  );
  if (doubles === undefined) return undefined;
  const other = SCRIPT_NAMES[doubles[0]];
  return unknown(
    `The .${tld} registry may refuse this name because one in ${other} that looks alike is registered`,
  );
}

function takes({ name, repertoire, reading }: Table, letter: string): boolean {
  if (repertoire.ascii && /[a-z]/.test(letter)) return true;
  // Where variants are blocked, `judgeLetters` has looked at them.
  if (isVariant({ name, repertoire }, letter)) return true;
  if (name === "zh" || name === "ja") {
    const { chinese, japanese } = hanCharacters();
    if ((name === "zh" ? chinese : japanese).has(letter)) return true;
  }
  return isIn(repertoire.free, letter) ||
    (reading === "whole" && isIn(repertoire.placed, letter));
}

function isVariant({ name, repertoire }: Omit<Table, "reading">, letter: string): boolean {
  if (name !== "zh" && name !== "ja") return isIn(repertoire.variant, letter);
  const { chinese, japanese, variants } = hanCharacters();
  return variants.has(letter) && (name === "zh" ? chinese : japanese).has(letter);
}

const classes = new Map<string, RegExp>();

/** Whether a letter is in the inside of a regular expression's class. */
function isIn(inside: string | undefined, letter: string): boolean {
  if (inside === undefined || inside === "") return false;
  const compiled = classes.get(inside) ?? new RegExp(`[${inside}]`, "u");
  classes.set(inside, compiled);
  return compiled.test(letter);
}

/** Whether names of a repertoire mix the scripts of these letters. */
function mixes({ scripts, ascii }: Repertoire, letters: readonly string[]): boolean {
  return scriptsOf(letters).every((script) =>
    scripts.includes(script) || (script === "Latn" && ascii && isLatinAscii(letters))
  );
}

/** Whether all Latin letters among these are a-z. */
function isLatinAscii(letters: readonly string[]): boolean {
  return letters.every((letter) => scriptOf(letter) !== "Latn" || /[a-z]/.test(letter));
}

function scriptsOf(letters: readonly string[]): string[] {
  return [...new Set(letters.map(scriptOf))].filter((script) => script !== undefined);
}

function named(scripts: readonly string[]): string {
  return scripts.map((script) => SCRIPT_NAMES[script] ?? "such a script").join(" and ");
}

function forbidden(rule: string): LabelPolicy {
  return { kind: "forbidden", rule };
}

function unknown(why: string): LabelPolicy {
  return { kind: "unknown", why };
}
