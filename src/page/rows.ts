/** What is known of a name, as rows of the table. */
import { ethEvidenceOf, ethOfferOf, ethStateOf, NOT_FOR_SALE } from "../../static/eth_words.js";
import { evidenceOf, priceOf, type Row, stateOf } from "../../static/words.js";
import { ensCheck } from "../api/ens_check.ts";
import { ApiError } from "../api/errors.ts";
import { createReadQuery } from "../api/operation.ts";
import type { Services } from "../wiring/services.ts";
import { offersOf } from "./endings.ts";
import type { Link, TableRow } from "./table.ts";

/** The row of a domain, with links to registrars where it is free. */
export async function domainRow(result: Row, services: Services): Promise<TableRow> {
  const state = stateOf(result);
  return {
    name: result.domain,
    state,
    evidence: evidenceOf(result, services.now()),
    links: result.available ? await linksOf(result, services) : [],
  };
}

async function linksOf({ domain, tld, premium }: Row, services: Services): Promise<Link[]> {
  const offers = await offersOf(domain, services);
  return offers.map(({ name: text, url, estimatedPrice: usd }) => {
    const link = { text, url, label: `Register ${domain} at ${text}` };
    // An ordinary price would be a wrong one for a name that the registry sells for more.
    return { ...link, ...(usd !== undefined && !premium && { price: priceOf(usd, tld) }) };
  });
}

const readEnsQuery = createReadQuery(ensCheck);

/** The row of the .eth name. */
export async function ethRow(label: string, services: Services): Promise<TableRow> {
  const name = `${label}.eth`;
  try {
    const answer = await ensCheck.run(readEnsQuery({ name: [label] }), services);
    const links = answer.available ? [ethOfferOf(answer)] : [];
    return {
      name,
      state: ethStateOf(answer),
      evidence: ethEvidenceOf(answer, services.now()),
      links,
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const why = { name, evidence: [error.message], links: [] };
    return error.code === "invalid_name"
      ? { ...why, state: "reserved", word: NOT_FOR_SALE }
      : { ...why, state: "unknown" };
  }
}
