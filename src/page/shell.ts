/** `static/index.html` as a template: with scripts, or without them and with the results. */
import { html, raw } from "hono/html";

/** Escaped HTML. */
export type Html = ReturnType<typeof html>;

/** What a document gets in the places of `index.html`. */
export type DocumentParts = (readonly [place: string | RegExp, text: Html | string])[];

/** The form's target in a browser without scripts; it checks names, so it is rate-limited. */
const TABLE_PATH = "/search";

const SUBMIT = "<button>Check</button>";
const OG_TITLE = '"og:title" content="';
// Linear: they are matched with our own file.
const SCRIPTS = /<!-- scripts -->.*<!-- \/scripts -->/s;
const RESULTS = /<!-- results -->.*<!-- \/results -->/s;

/** What was typed, in the field and the titles. */
function typedParts(typed: string): DocumentParts {
  const before = typed && `${typed} · `;
  return [
    ["<title>", html`<title>${before}`],
    [OG_TITLE, html`${raw(OG_TITLE)}${before}`],
    ["</textarea>", html`${typed}</textarea>`],
  ];
}

/** The document with scripts and what they fill; a browser without them is redirected to the table. */
export function withScripts(
  index: string,
  { typed, named, frame }: { typed: string; named: readonly string[]; frame: DocumentParts },
): string {
  const redirect = html`<meta http-equiv="refresh" content="0; url=${tableAddress(typed, named)}">`;
  return fill(index, [
    ...typedParts(typed),
    ...frame,
    ["</head>", html`<noscript>${redirect}</noscript></head>`],
  ]);
}

/** The document without scripts, with results or an error. */
export function withoutScripts(
  index: string,
  { typed, named, results }: { typed: string; named: readonly string[]; results: Html },
): string {
  // The next name is checked under the same TLDs.
  const tlds = named.length > 0 && html`<input type="hidden" name="tlds" value="${named.join()}">`;
  return fill(index, [
    ...typedParts(typed),
    [SCRIPTS, html`<meta name="robots" content="noindex">`],
    [SUBMIT, html`${tlds}${raw(SUBMIT)}`],
    [RESULTS, results],
  ]);
}

/** The address of the table of a name, under the TLDs that the user named if there are any. */
export function tableAddress(typed: string, named: readonly string[]): string {
  const tlds = named.length > 0 && { tlds: named.join() };
  return `${TABLE_PATH}?${new URLSearchParams({ q: typed, ...tlds })}`;
}

/** The address of the details of a name, in a browser without scripts. */
export function detailsAddress(domain: string): string {
  return `${TABLE_PATH}?${new URLSearchParams({ q: domain, details: "1" })}`;
}

/** Replaces by functions, because a replacement text expands `$&` and the like. */
export function fill(index: string, parts: DocumentParts): string {
  return parts.reduce((text, [place, part]) => text.replace(place, () => `${part}`), index);
}
