// @ts-check
/** Internationalised labels: the form that DNS has (`xn--caf-dma`) and the one that people read (`café`). */

const ACE = "xn--";
/** Letters that Unicode does not decompose into a plain letter and a mark. */
const PLAIN = new Map(
  Object.entries({ æ: "ae", đ: "d", ı: "i", ł: "l", œ: "oe", ø: "o", ß: "ss" }),
);

/**
 * The form of a label that DNS has, by the rules of browsers (UTS 46); undefined if there is none.
 * @param {string} label
 */
export function toALabel(label) {
  // Characters of URLs would end the host name.
  if (
    !/^[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\u00b7\u05f3\u05f4\u30fb\u200c\u200d\ufe0f-]+$/u
      .test(label)
  ) {
    return undefined;
  }
  try {
    // With a second label, digits are not read as an IP address.
    return new URL(`http://${label}.x`).hostname.split(".")[0];
  } catch {
    return undefined;
  }
}

/**
 * The form of a label that people read; undefined if the label is not internationalised, or not in this form.
 * @param {string} label
 */
export function toULabel(label) {
  if (!label.startsWith(ACE)) return undefined;
  const text = decodePunycode(label.slice(ACE.length));
  // A label that does not convert back shows something else than it is.
  return text !== undefined && toALabel(text) === label ? text : undefined;
}

/**
 * The readable form behind a label or a domain that is not readable itself, such as " (café.com)"; "" behind others.
 * @param {string} name
 */
export function readableBehind(name) {
  const text = name.split(".").map((label) => toULabel(label) ?? label).join(".");
  return text === name ? "" : ` (${text})`;
}

/**
 * A text with plain letters in place of those with marks, such as "cafe" for "café".
 * @param {string} text
 */
export function toPlainLetters(text) {
  return text.replaceAll(/[æđıłœøß]/g, (letter) => PLAIN.get(letter) ?? letter)
    .normalize("NFKD").replaceAll(/\p{M}/gu, "");
}

const [BASE, T_MIN, T_MAX, SKEW, DAMP, FIRST_BIAS, FIRST_CODE] = [36, 1, 26, 38, 700, 72, 128];
const LAST_CODE = 0x10ffff;

/**
 * Decodes Punycode (RFC 3492); undefined if the text is none.
 * @param {string} encoded
 */
function decodePunycode(encoded) {
  const plain = encoded.lastIndexOf("-");
  const codes = [...encoded.slice(0, Math.max(plain, 0))].map((letter) => letter.charCodeAt(0));
  let [code, place, bias] = [FIRST_CODE, 0, FIRST_BIAS];
  for (let next = plain + 1; next < encoded.length;) {
    const before = place;
    for (let weight = 1, k = BASE;; k += BASE) {
      const digit = parseInt(encoded[next++] ?? "", 36);
      if (Number.isNaN(digit)) return undefined;
      // Letters stand for 0 to 25 and digits for 26 to 35; in base 36 it is the other way round.
      const value = digit < 10 ? digit + 26 : digit - 10;
      place += value * weight;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (value < threshold) break;
      weight *= BASE - threshold;
    }
    const size = codes.length + 1;
    bias = adapt(place - before, size, before === 0);
    code += Math.floor(place / size);
    if (code > LAST_CODE) return undefined;
    place %= size;
    codes.splice(place++, 0, code);
  }
  return String.fromCodePoint(...codes);
}

/**
 * @param {number} distance
 * @param {number} size
 * @param {boolean} isFirst
 */
function adapt(distance, size, isFirst) {
  let rest = Math.floor(distance / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / size);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
