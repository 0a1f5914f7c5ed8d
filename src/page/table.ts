/** The results as an HTML table, for a browser without scripts: a row of each domain, and the one of the .eth name. */
import { html } from "hono/html";
import {
  countsInWords,
  type DomainRow,
  ETH_NOT_FOR_SALE,
  ethEvidenceOf,
  ethOfferOf,
  ethStateOf,
  evidenceOf,
  likelyEntryOf,
  type Offer,
  offerOf,
  STATE_ENTRIES,
} from "../../static/vocabulary.js";
import { ensCheck } from "../api/ens.ts";
import { ApiError } from "../api/errors.ts";
import { createReadQuery } from "../api/operation.ts";
import type { State } from "../rules/verdict.ts";
import type { Services } from "../wiring/services.ts";
import { detailsAddress, type Html } from "./shell.ts";
import { registrarsOf } from "./tld_offers.ts";

/** One name of the table. */
export interface TableRow {
  name: string;
  state: State;
  /** Instead of the state's own. */
  word?: string | undefined;
  /** The same for icon and colours. */
  look?: string | undefined;
  evidence: readonly string[];
  links: readonly Offer[];
  /** The address of what its registry has. */
  details?: string | undefined;
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
export function tableOf(rows: readonly TableRow[]): Html {
  return html`
    <p class="counts quiet">${countsInWords((state) =>
      rows.filter((row) => row.state === state).length
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
        ${rows.map(toRow)}
      </tbody>
    </table>
  `;
}

function toRow(
  { name, state, word = STATE_ENTRIES[state].word, look = state, evidence, links, details }:
    TableRow,
): Html {
  return html`
    <tr data-state="${look}">
      <td>
        <svg class="icon" aria-hidden="true">
          <use href="#icon-${look}" />
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
        ${details === undefined
          ? ""
          : html`<a href="${details}" aria-label="${`Details of ${name}`}">Details</a>`}
      </td>
    </tr>
  `;
}

function toLink({ text, url, label, price = "" }: Offer): Html {
  return html`
    <a href="${url}" rel="noopener nofollow" aria-label="${`${label} ${price}`.trimEnd()}">
      ${text} <span class="price">${price}</span>
    </a>
  `;
}

/** The row of a domain, with links to registrars if it is available. */
export async function domainRow(
  result: DomainRow & { available: boolean },
  services: Services,
): Promise<TableRow> {
  const { domain, state, available } = result;
  const registrars = available ? await registrarsOf(domain, services) : [];
  const likely = likelyEntryOf(result);
  return {
    name: domain,
    state,
    word: likely?.word,
    look: likely?.look,
    evidence: evidenceOf(result, services.now()),
    links: registrars.map((registrar) => offerOf(registrar, result)),
    ...(state === "taken" && { details: detailsAddress(domain) }),
  };
}

const readEnsQuery = createReadQuery(ensCheck);

/** The row of the .eth name. */
export async function ethRow(label: string, services: Services): Promise<TableRow> {
  const name = `${label}.eth`;
  try {
    const answer = await ensCheck.run(readEnsQuery({ name: [label] }), services);
    const state = ethStateOf(answer);
    return {
      name,
      state,
      evidence: ethEvidenceOf(answer, services.now()),
      links: answer.available ? [ethOfferOf(answer)] : [],
      ...(state === "taken" && { details: detailsAddress(name) }),
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const row = { name, evidence: [error.message], links: [] };
    return error.code === "invalid_name"
      ? { ...row, state: "reserved", word: ETH_NOT_FOR_SALE }
      : { ...row, state: "unknown" };
  }
}
