// @ts-check
/** A cell of CSV (RFC 4180), safe to open in a spreadsheet; the page and the command line share it. Pure. */

/** The first characters of a spreadsheet formula, also in their full-width forms. */
const FORMULA = /^[=+\-@＝＋－＠]/;

/** The text as a cell: quoted where it must be, and never a formula. @param {string} text */
export function csvCell(text) {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
