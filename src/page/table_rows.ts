/** Rows of the table: one of each domain, and the one of the .eth name. */
import {
  type DomainRow,
  ETH_NOT_FOR_SALE,
  ethEvidenceOf,
  ethOfferOf,
  ethStateOf,
  evidenceOf,
  likelyEntryOf,
  offerOf,
} from "../../static/vocabulary.js";
import { ensCheck } from "../api/ens.ts";
import { ApiError } from "../api/errors.ts";
import { createReadQuery } from "../api/operation.ts";
import type { Services } from "../wiring/services.ts";
import { detailsAddress } from "./shell.ts";
import type { TableRow } from "./table.ts";
import { registrarsOf } from "./tld_offers.ts";

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
