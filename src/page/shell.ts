/** `static/index.html` as a template: with scripts, or without them and with the results. */
import { html, raw } from "hono/html";

/** Escaped HTML. */
export type Html = ReturnType<typeof html>;

/** What a document gets in the places of `index.html`. */
export type DocumentParts = (readonly [place: string | RegExp, text: Html | string])[];

/** The form's target in a browser without scripts; it checks names, so it is rate-limited. */
const TABLE_PATH = "/search";

const HEAD = "</head>";
const TITLE = /<title>(?<title>[^<]*)<\/title>/;
const INPUT = "</textarea>";
const SUBMIT = "<button>Check</button>";
const SCRIPTS = between("scripts");
const RESULTS = between("results");

/** Renders the template for the text of the input field; created from the text of `index.html`. */
export function createShell(index: string) {
  const title = TITLE.exec(index)?.groups?.title ?? "";
  const titleFor = (typed: string) => {
    const text = `${typed && `${typed} · `}${title}`;
    return html`
      <title>${text}</title>
      <meta property="og:title" content="${text}">
    `;
  };
  return {
    /** With scripts and what they fill; a browser without them is redirected to the table. */
    withScripts: (typed: string, named: readonly string[], frame: DocumentParts) =>
      fill(index, [
        [INPUT, html`${typed}</textarea>`],
        ...frame,
        [TITLE, titleFor(typed)],
        [HEAD, html`<noscript>${redirect(tableAddress(typed, named))}</noscript></head>`],
      ]),
    /** Without scripts, with results or an error. */
    withoutScripts: (typed: string, named: readonly string[], results: Html) =>
      fill(index, [
        [TITLE, titleFor(typed)],
        [SCRIPTS, html`<meta name="robots" content="noindex">`],
        [INPUT, html`${typed}</textarea>`],
        // The next name is checked under the same TLDs.
        [
          SUBMIT,
          named.length === 0
            ? SUBMIT
            : html`<input type="hidden" name="tlds" value="${named.join()}">${raw(SUBMIT)}`,
        ],
        [RESULTS, results],
      ]),
  };
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

function redirect(address: string): Html {
  return html`<meta http-equiv="refresh" content="0; url=${address}">`;
}

function between(name: string): RegExp {
  // Linear: it is matched with our own file.
  return new RegExp(`<!-- ${name} -->.*<!-- /${name} -->`, "s");
}

/** Replaces by functions, because a replacement text expands `$&` and the like. */
export function fill(index: string, parts: DocumentParts): string {
  return parts.reduce((text, [place, part]) => text.replace(place, () => `${part}`), index);
}
