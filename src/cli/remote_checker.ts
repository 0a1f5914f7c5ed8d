/** Checks names by a running service. Its answers are validated: it may be another service, or a broken one. */
import { lines } from "../flow/lines.ts";
import type { DomainResult } from "../lookup/check_domain.ts";
import type { EnsCheckResult } from "../lookup/ens_lookups.ts";
import { isLoopback } from "../rules/ip_address.ts";
import { isTld } from "../rules/name.ts";
import type { Checker, CheckerOpening } from "./checker.ts";
import { type CheckRequest, ETH } from "./name_argument.ts";
import {
  createRemoteClient,
  isRecord,
  limited,
  readJson,
  type RemoteClient,
  type RemoteOptions,
} from "./remote_client.ts";
import type { Row } from "./row.ts";

/** A service with the default rate limit answers this many within seconds. */
export const REMOTE_CONCURRENCY = 8;
const JSON_ONLY = "application/json";
/** NDJSON is streamed; JSON is the fallback. */
const ROWS = "application/x-ndjson, application/json;q=0.9";
/** A row has 300 characters. */
const MAX_ROW_LENGTH = 10_000;

/** Reads the service's TLDs; the checker then sends one request per name, or one for each TLD that was chosen. */
export async function openRemoteChecker(options: RemoteOptions): Promise<CheckerOpening> {
  const { url: { protocol, hostname, host }, key, explain = false } = options;
  if (key !== undefined && protocol === "http:" && !isThisMachine(hostname)) {
    return refused(`Refusing to send an API key over plain HTTP to ${host}; use https`);
  }
  const client = createRemoteClient(options);
  const reading = client.get<readonly string[] | string>("tlds", {
    accept: JSON_ONLY,
    read: async function* (response) {
      yield readTlds(await readJson(response).catch(() => undefined)) ??
        `${host} is not a domain availability service: its /tlds returned no list of TLDs`;
    },
    failed: (message) => [message],
  });
  for await (const tlds of reading) {
    if (typeof tlds === "string") return refused(tlds);
    return { kind: "checker", checker: createChecker(client, tlds, { host, explain }) };
  }
  return refused("Interrupted");
}

/** Takes a host as URL has it, with IPv6 in brackets. */
function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || isLoopback(hostname.replace(/^\[(.*)\]$/, "$1"));
}

function createChecker(
  client: RemoteClient,
  enabled: readonly string[],
  { host, explain }: { host: string; explain: boolean },
): Checker {
  const suffix = explain ? "&evidence=1" : "";

  function rowsOf(path: string, domains: readonly string[], accept: string): AsyncGenerator<Row> {
    return client.get<Row>(path, {
      accept,
      read: (response) => readRows(response, domains),
      failed: (error) => domains.map((domain) => ({ kind: "failed", domain, error })),
    });
  }

  async function* check({ label, tlds }: CheckRequest): AsyncGenerator<Row> {
    if (tlds === enabled) {
      yield* rowsOf(`check?name=${label}${suffix}`, tlds.map((tld) => `${label}.${tld}`), ROWS);
      return;
    }
    // The API takes one TLD per request. Sequentially: names are checked concurrently already.
    for (const tld of tlds) {
      const path = tld === ETH
        ? `v1/ens/check?name=${label}`
        : `check?name=${label}&tld=${tld}${suffix}`;
      yield* rowsOf(path, [`${label}.${tld}`], JSON_ONLY);
    }
  }

  return {
    tlds: enabled,
    // The service asks the registries: for the client there is one host.
    hostsOf: () => [host],
    partOf: (request) => request,
    atOnce: (_host, chosen = REMOTE_CONCURRENCY) => chosen,
    check,
  };
}

function readTlds(answer: unknown): readonly string[] | undefined {
  if (!isRecord(answer) || !Array.isArray(answer.tlds)) return undefined;
  const rows = answer.tlds.filter(isRecord).filter(({ enabled }) => enabled === true);
  return rows.flatMap(({ tld }) => typeof tld === "string" && isTld(tld) ? [tld] : []);
}

/**
 * Yields one row for each requested domain: as they arrive when the response is streamed, at its end when it is JSON.
 * Missing rows are reported as failed; rows of other domains are ignored.
 */
async function* readRows(response: Response, domains: readonly string[]): AsyncGenerator<Row> {
  const missing = new Set(domains);
  let error = "The service returned no valid result for this name";
  try {
    for await (const value of readValues(response)) {
      const row = readRow(value);
      if (row !== undefined && missing.delete(row.domain)) yield row;
    }
  } catch {
    error = "Cannot read the service's response: it is incomplete, too long or not JSON";
  }
  for (const domain of missing) yield { kind: "failed", domain, error };
}

async function* readValues(response: Response): AsyncGenerator<unknown> {
  if (response.headers.get("content-type")?.startsWith("application/x-ndjson")) {
    for await (const line of lines(limited(response.body), { most: MAX_ROW_LENGTH })) {
      yield JSON.parse(line);
    }
    return;
  }
  const answer = await readJson(response);
  if (isRecord(answer) && Array.isArray(answer.results)) yield* answer.results;
  else yield answer;
}

/** The row, if each field that is used has the right type. */
function readRow(value: unknown): Row | undefined {
  if (!isRecord(value) || !hasProvenance(value)) return undefined;
  if (isDomainResult(value)) return { kind: "domain", domain: value.domain, result: value };
  if (isEnsResult(value)) return { kind: "eth", domain: value.name, result: value };
  return undefined;
}

type JsonRecord = Record<string, unknown>;

function hasProvenance({ available, source, checkedAt, responseMs }: JsonRecord): boolean {
  return typeof available === "boolean" && typeof source === "string" &&
    typeof checkedAt === "string" && typeof responseMs === "number";
}

function isDomainResult(value: JsonRecord): value is JsonRecord & DomainResult {
  const { domain, tld, status, premium, reason, error, offer, evidence } = value;
  return typeof domain === "string" && typeof tld === "string" && tld !== ETH &&
    domain.endsWith(`.${tld}`) && typeof premium === "boolean" &&
    Array.isArray(status) && status.every((word) => typeof word === "string") &&
    isOptionalText(reason) && isOptionalText(error) && (offer === undefined || isOffer(offer)) &&
    (evidence === undefined || (Array.isArray(evidence) && evidence.every(isEntry)));
}

function isOffer(value: unknown): boolean {
  return isRecord(value) && typeof value.registrar === "string" &&
    typeof value.price === "number" &&
    [value.renewal, value.years].every((one) => one === undefined || typeof one === "number");
}

/** Whether each member of an entry that is shown has the right type. */
function isEntry(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { witness, host, said, means, ms, cached, canary, rule } = value;
  return [witness, host, said, means].every((text) => typeof text === "string") &&
    typeof ms === "number" && typeof cached === "boolean" &&
    (canary === undefined ||
      (isRecord(canary) && typeof canary.found === "string" && isOptionalText(canary.testedAt))) &&
    (rule === undefined || (isRecord(rule) && typeof rule.text === "string"));
}

/** A result with its own `domain` or `tld` is rejected: they would replace the requested ones in the output. */
function isEnsResult(value: JsonRecord): value is JsonRecord & EnsCheckResult {
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

function refused(message: string): CheckerOpening {
  return { kind: "refused", message };
}
