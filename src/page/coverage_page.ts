/** `/tlds?coverage=all` as a page: what can be said of names under each TLD, searchable, a part at a time. */
import { html } from "hono/html";
import { priceOf } from "../../static/vocabulary.js";
import { type TldList, USUAL_LIMIT } from "../api/tlds.ts";
import type { Coverage } from "../rules/coverage_facts.ts";
import { documentOf, titlesOf } from "./document.ts";
import type { Html } from "./table.ts";

type Row = TldList["tlds"][number];

const WORDS: Readonly<Record<Coverage, string>> = {
  rdap: "Every state, by the registry",
  rdap_unlisted: "Every state, by a server of the registry that IANA does not list",
  whois: "Taken and reserved; else Unknown, or Probably available",
  dns: "Taken if it is in DNS; else Unknown",
  closed: "Reserved: the public cannot register here",
};

/** Renders the whole document; `typed` is what the list was searched for. */
export function coveragePage({ total = 0, tlds }: TldList, typed: string): string {
  const last = tlds.length < USUAL_LIMIT ? undefined : tlds.at(-1)?.tld;
  const title = "What can be said under each TLD";
  return documentOf(
    title,
    html`
      <h1 id="title">${title}</h1>
      <p><a href="/">Check a name</a></p>
      <form role="search" action="/tlds">
        <input type="hidden" name="coverage" value="all">
        <label class="unseen" for="q">Part of a TLD or suffix</label>
        <input id="q" name="q" type="search" value="${typed}" placeholder="pizza, uk, co.uk"
          maxlength="70" autocapitalize="none" spellcheck="false">
        <button>Search</button>
      </form>
      <p>${total === 0
        ? "No TLD and no public suffix contains this."
        : `TLDs and public suffixes: ${total}, in alphabetical order`}</p>
      <div class="wide" role="region" aria-labelledby="title" tabindex="0">
        <table>
          ${titlesOf("TLD", "What can be said", "Who is asked", "Conditions", "Price", "Source")}
          <tbody>${tlds.map(rowOf)}</tbody>
        </table>
      </div>
      ${last === undefined ? "" : html`<p><a rel="next" href="${next(last, typed)}">Next</a></p>`}
    `,
  );
}

function next(after: string, typed: string): string {
  return `/tlds?${new URLSearchParams({ coverage: "all", ...(typed && { q: typed }), after })}`;
}

function rowOf(
  { tld, unicode, coverage, rdapServer, whoisServer, requirements, note, prices, ...row }: Row,
): Html {
  const { source = "", checkedOn = "" } = row;
  const { register, years, renew } = prices ?? {};
  return html`
    <tr>
      <th scope="row">.${tld}${unicode === undefined ? "" : ` (.${unicode})`}</th>
      <td>${coverage === undefined ? "" : WORDS[coverage]}</td>
      <td>${rdapServer ?? whoisServer ?? ""}</td>
      <td>${[requirements, note].filter((text) => text !== undefined).join(" · ")}</td>
      <td>${register === undefined ? "" : priceOf({ register, years: years ?? 1, renew })}</td>
      <td>${[source, checkedOn].filter((text) => text !== "").join(", ")}</td>
    </tr>
  `;
}
