/**
 * Grammar of the names in queries: a label, a domain of one label under a TLD or a public suffix (RFC 1035, RFC 5891
 * §4.2.3.1), and a .eth label (ENSIP-15, ASCII only); and the word that a misspelt one was meant to be.
 */

/** A label in lower case, or why the input is invalid, as a text for people. */
export type LabelReading = { kind: "label"; label: string } | { kind: "refused"; why: string };

/** One label under one TLD. */
export interface Domain {
  readonly label: string;
  readonly tld: string;
}

/** The parts of a domain: its label, which has no dot, and what it is registered under. */
export function toDomain(name: string): Domain {
  const dot = name.indexOf(".");
  return { label: name.slice(0, dot), tld: name.slice(dot + 1) };
}

/** A domain of exactly one label and a TLD in lower case, or why the input is invalid. */
type DomainReading =
  | { kind: "domain"; domain: string; label: string; tld: string }
  | { kind: "refused"; why: string };

/** The dots of UTS #46, section 4. */
const DOT = /[.\u3002\uff0e\uff61]/;

/** All are tested before lower-casing, which turns the Kelvin sign into an ASCII k. */
const LABEL = /^[a-z0-9-]{1,63}$/i;
const ETH_LABEL = /^[a-z0-9-]{3,63}$/i;
/** What names are registered under: a TLD, or one with labels before it, such as co.uk; the longest has three. */
const SUFFIX =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){0,3}(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/i;

/** The host is no longer than a name can be. */
const MAIL_ADDRESS = /@([a-z0-9-]{1,63}\.[a-z0-9.-]{2,189})$/i;

/**
 * Parses the label of a domain. Hyphens are checked here because two registries return 404 for impossible labels,
 * which would look available.
 */
export function readLabel(input: string): LabelReading {
  if (/\.eth$/i.test(input)) return refused("Send .eth names to /v1/ens/check");
  if (DOT.test(input)) {
    return refused(`Send the name without dots, and its TLD as the parameter tld${partsOf(input)}`);
  }
  if (!LABEL.test(input)) {
    return refused(`Use 1 to 63 letters a-z, digits and hyphens${choicesFor(input)}`);
  }
  const label = input.toLowerCase();
  if (label.startsWith("-") || label.endsWith("-")) {
    return refused("Remove the hyphen at the start or the end");
  }
  if (label.startsWith("--", 2) && !label.startsWith("xn")) {
    return refused("Hyphens at both the third and the fourth place are reserved for xn-- names");
  }
  return { kind: "label", label };
}

/** The parameters of a domain that was sent as a label, as the end of a sentence; empty if it is none. */
function partsOf(input: string): string {
  const [label = "", ...rest] = toAsciiName(input.replace(/^www\.(?=.*\.)/i, "")).split(DOT);
  const tld = rest.join(".");
  if (!SUFFIX.test(tld) || readLabel(label).kind === "refused") return "";
  return `: name=${label}&tld=${tld}`;
}

/**
 * Parses a domain such as `example.com` or `example.co.uk`: its first label, and the rest as `tld`. Whether names are
 * registered under that is no question of grammar.
 */
export function readDomain(input: string): DomainReading {
  const [, mailHost] = MAIL_ADDRESS.exec(input) ?? [];
  if (mailHost !== undefined) return refused(`Send the domain of the address, ${mailHost}`);
  const dot = input.indexOf(".");
  const rest = input.slice(dot + 1);
  if (dot < 0 || rest === "") return refused("Add a TLD, such as example.com");
  if (!SUFFIX.test(rest)) return refused("Send one label and a TLD, such as example.com");
  const reading = readLabel(input.slice(0, dot));
  if (reading.kind === "refused") return reading;
  const { label } = reading;
  const tld = rest.toLowerCase();
  return { kind: "domain", domain: `${label}.${tld}`, label, tld };
}

/**
 * Parses a .eth label, with or without the suffix. Unlike in a domain, it may start or end with a hyphen. Hyphens at both
 * the third and the fourth place are refused: the contract would sell such a name, but no client would resolve it.
 */
export function readEnsLabel(input: string): LabelReading {
  const bare = input.replace(/\.eth$/i, "");
  if (bare.includes(".")) {
    return refused("Send a name directly under .eth, such as alice.eth");
  }
  if (!ETH_LABEL.test(bare)) return refused("Use 3 to 63 letters a-z, digits and hyphens");
  if (bare.startsWith("--", 2)) {
    return refused("Hyphens at both the third and the fourth place never resolve (ENSIP-15)");
  }
  return { kind: "label", label: bare.toLowerCase() };
}

/** No domain is longer. The time of what is done with a name below may grow with the square of its length. */
const MAX_NAME_LENGTH = 253;
const ASCII = /^\p{ASCII}*$/u;
/** Other characters of ASCII have a meaning in a URL. */
const IS_HOST = /^[a-z0-9.\u{80}-\u{10ffff}-]+$/iu;

/**
 * The ASCII form of a name whose labels are in Unicode, by UTS #46 as browsers convert it: `xn--caf-dma.com` for
 * `café.com`. ASCII, and what cannot be converted, is returned as it is.
 */
export function toAsciiName(name: string): string {
  if (ASCII.test(name) || name.length > MAX_NAME_LENGTH || !IS_HOST.test(name)) return name;
  // With a TLD of letters, the URL parser reads no name as an IP address.
  return URL.parse(`https://${name}.example/`)?.hostname.replace(/\.example$/, "") ?? name;
}

/** Symbols, such as emoji, are in no registry's tables, so their A-labels are no choice. */
const IS_WORD = /^[\p{L}\p{M}\p{N}\u05f3\u05f4\u30fb-]+$/u;

/** Letters that Unicode does not decompose into a plain letter and a mark. */
const PLAIN: Readonly<Record<string, string>> = {
  æ: "ae",
  đ: "d",
  ı: "i",
  ł: "l",
  œ: "oe",
  ø: "o",
  ß: "ss",
};

/** The labels that an invalid one may stand for, as the end of a sentence; empty if there are none. */
function choicesFor(input: string): string {
  if (input.length > MAX_NAME_LENGTH) return "";
  const letters = input.toLowerCase().replace(/[æđıłœøß]/g, (letter) => `${PLAIN[letter]}`)
    .normalize("NFD").replace(/\p{M}/gu, "");
  const withGap = (gap: string) =>
    letters.replace(/[^a-z0-9-]+/g, gap).replace(/^-+|(?<!-)-+$/g, "");
  const choices =
    (IS_WORD.test(input) ? [toAsciiName(input), withGap("")] : [withGap("-"), withGap("")])
      .filter((choice) => LABEL.test(choice) && readLabel(choice).kind === "label");
  return choices.length === 0 ? "" : `, such as ${[...new Set(choices)].join(" or ")}`;
}

/** Whether the text is a syntactically valid TLD in lower case: letters, or an A-label. */
export function isTld(text: string): boolean {
  return SUFFIX.test(text) && !/[A-Z.]/.test(text);
}

/** Parses a TLD or a public suffix in any letter case or in Unicode, with or without dots around it; undefined if it is invalid. */
export function readSuffix(input: string): string | undefined {
  const bare = input.replace(/^\.|\.$/g, "");
  // Only to A-labels: of other letters UTS #46 makes ASCII, too, such as of the Kelvin sign.
  const ascii = toAsciiName(bare);
  const suffix = ascii.includes("xn--") ? ascii : bare;
  return SUFFIX.test(suffix) ? suffix.toLowerCase() : undefined;
}

function refused(why: string): { kind: "refused"; why: string } {
  return { kind: "refused", why };
}

/** The shortest word that is compared: of two letters almost any are one slip apart. */
const MIN_LENGTH = 3;

/**
 * The known word that `word` misses by one slip: a character too many or too few, another one, two swapped, or the case of
 * letters. Undefined if there is none, or if the word itself is known.
 */
export function nearMissOf(word: string, known: readonly string[]): string | undefined {
  if (word.length < MIN_LENGTH || known.includes(word)) return undefined;
  const text = word.toLowerCase();
  return known.find((one) => one === text) ?? known.find((one) => isOneSlip(text, one));
}

function isOneSlip(a: string, b: string): boolean {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const restA = a.slice(same);
  const restB = b.slice(same);
  const swapped = restA.slice(0, 2) === [...restB.slice(0, 2)].reverse().join("");
  return restA.slice(1) === restB || restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    swapped && restA.slice(2) === restB.slice(2);
}
