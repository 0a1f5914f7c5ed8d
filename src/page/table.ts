/** The results as a table, for a browser that runs no script. */
import { html } from "hono/html";
import { countsOf, type State, WORDS } from "../../static/words.js";

/** Text that is safe to be part of a document. */
export type Html = ReturnType<typeof html>;

/** A name as the table shows it. */
export interface TableRow {
  name: string;
  state: State;
  /** In place of the state's own. */
  word?: string;
  evidence: readonly string[];
  links: readonly Link[];
}

/** A link to where a name can be registered. */
export interface Link {
  text: string;
  url: string;
  /** The text where it stands alone. */
  label: string;
  price?: string;
}

/** The table, and how many of each state are in it. */
export function tableOf(rows: readonly TableRow[]): Html {
  return html`
    <p class="counts quiet">${countsOf(rows.map(({ state }) => state))}</p>
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
        ${rows.map(toRow)}
      </tbody>
    </table>
  `;
}

function toRow({ name, state, word = WORDS[state], evidence, links }: TableRow): Html {
  return html`
    <tr data-state="${state}">
      <td>
        <svg class="icon" aria-hidden="true">
          <use href="#icon-${state}" />
        </svg>
        <span class="state">${word}</span>
      </td>
      <th scope="row">
        <span class="domain">${name}</span>
        <span class="known">${evidence.join(" · ")}</span>
      </th>
      <td>
        <span class="links">${links.map(toLink)}</span>
        ${state === "unknown" ? html`<a href="">Try again</a>` : ""}
      </td>
    </tr>
  `;
}

function toLink({ text, url, label, price = "" }: Link): Html {
  return html`
    <a href="${url}" rel="noopener nofollow" aria-label="${`${label} ${price}`.trimEnd()}">
      ${text} <span class="price">${price}</span>
    </a>
  `;
}
