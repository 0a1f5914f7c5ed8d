/** The rows in a service's answer to `/check`, which is not believed to be more than it is. */
import { lines } from "../flow/lines.ts";
import type { DomainResult } from "../lookup/check.ts";
import { capped, isRecord, readJson } from "./remote_body.ts";
import type { Row } from "./row.ts";

/** A row has 300 characters. */
const LONGEST_ROW = 10_000;

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
      const result = readResult(value);
      if (result === undefined || !missing.delete(result.domain)) continue;
      yield { kind: "domain", domain: result.domain, result };
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
}

/** The result, where all that is read of it is what it should be. */
function readResult(value: unknown): DomainResult | undefined {
  if (!isRecord(value)) return undefined;
  const { domain, tld, available, status, premium, source, checkedAt, responseMs, error } = value;
  const isResult = [domain, tld, source, checkedAt].every((text) => typeof text === "string") &&
    [available, premium].every((flag) => typeof flag === "boolean") &&
    Array.isArray(status) && status.every((word) => typeof word === "string") &&
    typeof responseMs === "number" &&
    (error === undefined || typeof error === "string");
  return isResult ? value as unknown as DomainResult : undefined;
}
