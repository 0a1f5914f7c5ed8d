/** The rows in a service's answer to `/check` or `/v1/ens/check`, which is not believed to be more than it is. */
import { lines } from "../flow/lines.ts";
import type { DomainResult } from "../lookup/check_domain.ts";
import type { EnsCheckResult } from "../lookup/ens_lookups.ts";
import { capped, isRecord, readJson } from "./remote_body.ts";
import type { Row } from "./row.ts";
import { ETH } from "./wish.ts";

/** A row has 300 characters. */
const LONGEST_ROW = 10_000;

type Json = Record<string, unknown>;

/**
 * Yields one row for each domain that was asked for: of a streamed answer as they arrive, of JSON at its end, and what is
 * missing as failed. Rows that nobody asked for are left out.
 */
export async function* readRows(
  response: Response,
  domains: readonly string[],
): AsyncGenerator<Row> {
  const missing = new Set(domains);
  let why = "The service did not answer for it";
  try {
    for await (const value of readValues(response)) {
      const row = readRow(value);
      if (row !== undefined && missing.delete(row.domain)) yield row;
    }
  } catch {
    why = "The service's answer could not be read to its end";
  }
  for (const domain of missing) yield { kind: "failed", domain, why };
}

async function* readValues(response: Response): AsyncGenerator<unknown> {
  if (response.headers.get("content-type")?.startsWith("application/x-ndjson")) {
    for await (const line of lines(capped(response.body), { most: LONGEST_ROW })) {
      yield JSON.parse(line);
    }
    return;
  }
  const answer = await readJson(response);
  if (isRecord(answer) && Array.isArray(answer.results)) yield* answer.results;
  else yield answer;
}

/** The row, where all that is read of it is what it should be. */
function readRow(value: unknown): Row | undefined {
  if (!isRecord(value) || !hasProvenance(value)) return undefined;
  if (isDomainResult(value)) return { kind: "domain", domain: value.domain, result: value };
  if (isEnsResult(value)) return { kind: "eth", domain: value.name, result: value };
  return undefined;
}

function hasProvenance({ available, source, checkedAt, responseMs }: Json): boolean {
  return typeof available === "boolean" && typeof source === "string" &&
    typeof checkedAt === "string" && typeof responseMs === "number";
}

function isDomainResult(value: Json): value is Json & DomainResult {
  const { domain, tld, status, premium, reason, error } = value;
  return typeof domain === "string" && typeof tld === "string" && tld !== ETH &&
    domain.endsWith(`.${tld}`) && typeof premium === "boolean" &&
    Array.isArray(status) && status.every((word) => typeof word === "string") &&
    isOptionalText(reason) && isOptionalText(error);
}

/** It has no domain and TLD of its own, which would stand in the place of those that were asked for. */
function isEnsResult(value: Json): value is Json & EnsCheckResult {
  const { name, domain, tld, owner, registrationPrice: price } = value;
  if (domain !== undefined || tld !== undefined) return false;
  if (typeof name !== "string" || !name.endsWith(`.${ETH}`) || !isOptionalText(owner)) return false;
  return price === undefined ||
    (isRecord(price) && typeof price.eth === "string" && typeof price.usdEstimate === "number" &&
      isOptionalText(price.premiumWei));
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}
