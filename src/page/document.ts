/** A document that is read, beside the page of the search. */
import { html } from "hono/html";
import type { Html } from "./table.ts";

/** Renders the whole document. */
export function documentOf(title: string, main: Html): string {
  return `${html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>${title}</title>
        <link rel="icon" href="/static/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="/static/style.css">
        <link rel="stylesheet" href="/static/accuracy.css">
      </head>
      <body class="accuracy">
        <main>${main}</main>
      </body>
    </html>
  `}`;
}

/** The titles of a table's columns. */
export function titlesOf(...titles: readonly string[]): Html {
  return html`
    <thead>
      <tr>${titles.map((title) => html`<th scope="col">${title}</th>`)}</tr>
    </thead>
  `;
}
