/** `static/index.html` as a template: with scripts, or without them and with the results. */
import { html } from "hono/html";
import type { FrameParts } from "./frame.ts";
import type { Html } from "./table.ts";

/** Renders the template for the text of the input field. */
export interface Shell {
  /** With scripts and what they fill; a browser without them is redirected to the table. */
  withScripts(typed: string, frame: FrameParts): string;
  /** Without scripts, with results or an error. */
  withoutScripts(typed: string, results: Html): string;
}

/** The form's target in a browser without scripts; it checks names, so it is rate-limited. */
export const TABLE_PATH = "/search";

const HEAD = "</head>";
const TITLE = /<title>(?<title>[^<]*)<\/title>/;
const INPUT = 'name="q"';
const SCRIPTS = between("scripts");
const RESULTS = between("results");

/** Creates the shell from the text of `index.html`. */
export function createShell(index: string): Shell {
  const title = TITLE.exec(index)?.groups?.title ?? "";
  const titleFor = (typed: string) => {
    const text = `${typed && `${typed} · `}${title}`;
    return html`
      <title>${text}</title>
      <meta property="og:title" content="${text}">
    `;
  };
  return {
    withScripts: (typed, frame) =>
      fill(index, [
        [INPUT, html`name="q" value="${typed}"`],
        ...frame,
        [TITLE, titleFor(typed)],
        [HEAD, html`<noscript>${redirect(typed)}</noscript></head>`],
      ]),
    withoutScripts: (typed, results) =>
      fill(index, [
        [TITLE, titleFor(typed)],
        [SCRIPTS, html`<meta name="robots" content="noindex">`],
        [INPUT, html`name="q" value="${typed}"`],
        [RESULTS, results],
      ]),
  };
}

function redirect(typed: string): Html {
  const address = `${TABLE_PATH}?${new URLSearchParams({ q: typed })}`;
  return html`<meta http-equiv="refresh" content="0; url=${address}">`;
}

function between(name: string): RegExp {
  // Linear: it is matched with our own file.
  return new RegExp(`<!-- ${name} -->.*<!-- /${name} -->`, "s");
}

/** Replaces by functions, because a replacement text expands `$&` and the like. */
function fill(
  index: string,
  parts: readonly (readonly [string | RegExp, Html | string])[],
): string {
  return parts.reduce((text, [place, part]) => text.replace(place, () => `${part}`), index);
}
