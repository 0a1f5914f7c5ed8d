/** `static/index.html` as a frame: the live page, and the same with results in it where no script runs. */
import { html } from "hono/html";
import { TABLE_PATH } from "./paths.ts";
import type { Html } from "./table.ts";

/** The two ways in which the frame is filled for what was typed. */
export interface Shell {
  /** With the script; a browser that runs none goes on to the table. */
  live(typed: string): string;
  /** Without it, and with results or a word why there are none. */
  still(typed: string, results: Html): string;
}

const HEAD = "</head>";
const TITLE = /<title>(?<title>.*)<\/title>/;
const INPUT = 'name="q"';
const SCRIPT = between("live");
const RESULTS = between("results");

/** Takes the frame apart. */
export function createShell(index: string): Shell {
  const title = TITLE.exec(index)?.groups?.title ?? "";
  const titleFor = (typed: string) => html`<title>${typed && `${typed} · `}${title}</title>`;
  return {
    live: (typed) =>
      fill(index, [
        [TITLE, titleFor(typed)],
        [HEAD, html`<noscript>${onwards(typed)}</noscript></head>`],
      ]),
    still: (typed, results) =>
      fill(index, [
        [TITLE, titleFor(typed)],
        [SCRIPT, html`<meta name="robots" content="noindex">`],
        [INPUT, html`name="q" value="${typed}"`],
        [RESULTS, results],
      ]),
  };
}

function onwards(typed: string): Html {
  const address = `${TABLE_PATH}?${new URLSearchParams({ q: typed })}`;
  return html`<meta http-equiv="refresh" content="0; url=${address}">`;
}

function between(name: string): RegExp {
  return new RegExp(`<!-- ${name} -->.*<!-- /${name} -->`, "s");
}

/** By functions, for in a text as replacement `$&` and its like would be filled in. */
function fill(index: string, parts: readonly (readonly [string | RegExp, Html])[]): string {
  return parts.reduce((text, [place, part]) => text.replace(place, () => `${part}`), index);
}
