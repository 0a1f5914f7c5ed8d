/** The results as an HTML table, for a browser without scripts: a row of each domain, and the one of the .eth name. */
import { html } from "hono/html";
import {
  type DomainView,
  ethView,
  isAvailable,
  notForSale,
  unknownView,
  wordOf,
} from "../../static/domain_view.js";
import { OTHER_LETTERS } from "../../static/eth.js";
import type { Offer } from "../../static/tld_offers.js";
import { readableBehind } from "../../static/unicode_label.js";
import { countsInWords } from "../../static/vocabulary.js";
import { ensCheck } from "../api/ens.ts";
import { ApiError } from "../api/errors.ts";
import { createReadQuery } from "../api/operation.ts";
import type { Services } from "../wiring/services.ts";
import { detailsAddress, type Html } from "./shell.ts";

/** One name of the table. */
export interface TableRow {
  name: string;
  view: DomainView;
}

/** Renders the details of a name: titles and texts. */
export function detailsTable(
  name: string,
  rows: readonly (readonly [title: string, text: string])[],
): Html {
  return html`
    <p class="counts quiet">${name}</p>
    <dl class="profile">${rows.map(([title, text]) =>
      html`
        <dt>${title}</dt>
        <dd>${text}</dd>
      `
    )}</dl>
  `;
}

/** Renders the table, and how many rows there are of each state. */
export function tableOf(rows: readonly TableRow[], now: number): Html {
  return html`
    <p class="counts quiet">${countsInWords((state) =>
      rows.filter(({ view }) => view.state === state).length
    )}</p>
    <table class="table">
      <caption class="unseen">Results</caption>
      <thead class="quiet">
        <tr>
          <th scope="col">State</th>
          <th scope="col">Domain</th>
          <th scope="col">Register</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => toRow(row, now))}
      </tbody>
    </table>
  `;
}

function toRow({ name, view }: TableRow, now: number): Html {
  const { state, look = state, evidence, links = [], price = {} } = view;
  return html`
    <tr data-state="${look}">
      <td>
        <svg class="icon" aria-hidden="true">
          <use href="#icon-${look}" />
        </svg>
        <span class="state">${wordOf(view)}</span>
      </td>
      <th scope="row">
        <span class="domain" translate="no">${name}${readableBehind(name)}</span>
        <span class="known">${evidence?.(now).join(" · ")}</span>
      </th>
      <td>
        <span class="links">${isAvailable(state) ? links.map(toLink) : ""}</span>
        <span class="price">${Object.values(price).filter((part) => part !== "").join(" · ")}</span>
        ${state === "unknown" ? html`<a href="">Try again</a>` : ""}
        ${state === "taken"
          ? html`<a href="${detailsAddress(name)}" aria-label="${`Details of ${name}`}">Details</a>`
          : ""}
      </td>
    </tr>
  `;
}

function toLink({ text, url, label }: Offer): Html {
  return html`<a href="${url}" rel="noopener nofollow" aria-label="${label}">${text}</a>`;
}

const readEnsQuery = createReadQuery(ensCheck);

/** The row of the .eth name. */
export async function ethRow(label: string, services: Services): Promise<TableRow> {
  const name = `${label}.eth`;
  if (label.startsWith("xn--")) return { name, view: unknownView(OTHER_LETTERS) };
  try {
    return { name, view: ethView(await ensCheck.run(readEnsQuery({ name: [label] }), services)) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const viewOf = error.code === "invalid_name" ? notForSale : unknownView;
    return { name, view: viewOf(error.message) };
  }
}
