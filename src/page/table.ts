/** The results as a table, for a browser that runs no script. */
import { html } from "hono/html";
import { countsOf, evidenceOf, priceOf, type Row, stateOf, WORDS } from "../../static/words.js";

/** Text that is safe to be part of a document. */
export type Html = ReturnType<typeof html>;

/** A row of `/check`, and where it can be registered if it is free. */
export interface Offered {
  result: Row;
  offers: readonly { name: string; url: string; estimatedPrice?: number | undefined }[];
}

/** The table, and how many of each state are in it. */
export function tableOf(rows: readonly Offered[], { name, now }: { name: string; now: number }) {
  return html`
    <p class="counts quiet">${countsOf(rows.map(({ result }) => stateOf(result)))}</p>
    <table class="table">
      <caption class="unseen">${name} under ${rows.length} endings</caption>
      <thead class="quiet">
        <tr>
          <th scope="col">State</th>
          <th scope="col">Domain</th>
          <th scope="col">Register</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => rowOf(row, now))}
      </tbody>
    </table>
  `;
}

function rowOf({ result, offers }: Offered, now: number): Html {
  const state = stateOf(result);
  return html`
    <tr data-state="${state}">
      <td>
        <svg class="icon" aria-hidden="true">
          <use href="#${state}" />
        </svg>
        <span class="state">${WORDS[state]}</span>
      </td>
      <th scope="row">
        <span class="domain">${result.domain}</span>
        <span class="known">${evidenceOf(result, now)}</span>
      </th>
      <td>${nextOf(result, offers)}</td>
    </tr>
  `;
}

/** What can be done next. */
function nextOf(result: Row, offers: Offered["offers"]): Html | string {
  if (stateOf(result) === "unknown") return html`<a href="">Try again</a>`;
  if (!result.available) return "";
  const priced = offers.map(({ estimatedPrice: usd, ...offer }) => ({
    ...offer,
    // An ordinary price would be a wrong one for a name that the registry sells for more.
    price: usd === undefined || result.premium ? "" : priceOf(usd, result.tld),
  }));
  return html`<span class="links">${priced.map(linkOf)}</span>`;
}

function linkOf({ name, url, price }: { name: string; url: string; price: string }) {
  return html`
    <a href="${url}" rel="noopener nofollow">${name} <span class="price">${price}</span></a>
  `;
}
