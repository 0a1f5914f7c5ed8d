/** Checks names by a running service. Its answers are validated: it may be another service, or a broken one. */
import { lines } from "../flow/lines.ts";
import type { DomainResult } from "../lookup/check_domain.ts";
import type { EnsCheckResult } from "../lookup/ens_lookups.ts";
import { hostPolicy, listAtOnce } from "../rules/tables/host_policies.ts";
import { isLoopback } from "../rules/ip_address.ts";
import type { DescribedDetails } from "../rules/describe_details.ts";
import { isTld } from "../rules/name.ts";
import { LIKELY, stateOf } from "../rules/verdict.ts";
import type { Checker, CheckerOpening } from "./checker.ts";
import { type CheckRequest, ETH } from "./name_argument.ts";
import { createPermits } from "./permits.ts";
import {
  createRemoteClient,
  isRecord,
  limited,
  readJson,
  type RemoteClient,
  type RemoteOptions,
  type RemoteRequest,
} from "./remote_client.ts";
import { type Retry, type Row, withDetails } from "./row.ts";
import { sanitize } from "./terminal.ts";

/** With 8, 1,000 names took 1.3 to 1.7 times as long as by `POST /check` with 200 names each; with 24 as long (measured). */
export const REMOTE_CONCURRENCY = 24;
/**
 * The service rejects a look-up that would wait for a registry for 15 s. A paced registry therefore gets no more look-ups
 * of this run at once than it answers in this time: other clients wait in its queue, too.
 */
const PACED_MS = 8_000;
/** A service that sends 0 would be asked again at once. */
const MIN_RETRY_S = 1;
const JSON_ONLY = "application/json";
/** NDJSON is streamed; JSON is the fallback. */
const ROWS = "application/x-ndjson, application/json;q=0.9";
/** A row has 300 characters. */
const MAX_ROW_LENGTH = 10_000;

/** A TLD of the service, the host of its registry and what three years cost, if the service tells it. */
interface EnabledTld {
  tld: string;
  host: string | undefined;
  threeYearsUsd: number | undefined;
}

/** Reads the service's TLDs; the checker then sends one request for each name with all its TLDs, where that is possible. */
export async function openRemoteChecker(options: RemoteOptions): Promise<CheckerOpening> {
  const { url: { protocol, hostname, host }, key, explain = false, details = false } = options;
  if (key !== undefined && protocol === "http:" && !isThisMachine(hostname)) {
    return refused(`Refusing to send an API key over plain HTTP to ${host}; use https`);
  }
  const client = createRemoteClient(options);
  const request = { path: "tlds", accept: JSON_ONLY };
  const reading = client.send<readonly EnabledTld[] | string>(request, {
    read: async function* (response) {
      yield readTlds(await readJson(response).catch(() => undefined)) ??
        `${host} is not a domain availability service: its /tlds returned no list of TLDs`;
    },
    failed: (message) => [message],
  });
  for await (const tlds of reading) {
    if (typeof tlds === "string") return refused(tlds);
    return {
      kind: "checker",
      checker: createChecker(client, tlds, { service: host, explain, details }),
    };
  }
  return refused("Interrupted");
}

/** Takes a host as URL has it, with IPv6 in brackets. */
function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || isLoopback(hostname.replace(/^\[(.*)\]$/, "$1"));
}

function createChecker(
  client: RemoteClient,
  rows: readonly EnabledTld[],
  { service, explain, details }: { service: string; explain: boolean; details: boolean },
): Checker {
  const enabled = rows.map(({ tld }) => tld);
  const hosts = new Map(rows.map(({ tld, host = service }) => [tld, host]));
  const threeYears = new Map(rows.map(({ tld, threeYearsUsd }) => [tld, threeYearsUsd]));
  const pacedHosts = new Map([...hosts].filter(([, host]) => hostPolicy(host).everyMs > 0));
  const permits = createPermits(mostAtOnce);
  const suffix = explain ? "&evidence=1" : "";

  /**
   * The TLDs of each request for a name: as few requests as possible, because each counts for the rate limit. Those of a
   * registry that is too slow to answer all of them in time are in several.
   */
  function partsOf(tlds: readonly string[]): (readonly string[])[] {
    const before = new Map<string, number>();
    const parts = Map.groupBy(tlds, (tld) => {
      if (tld === ETH) return ETH;
      const host = pacedHosts.get(tld);
      if (host === undefined) return 0;
      const place = before.get(host) ?? 0;
      before.set(host, place + 1);
      return Math.floor(place / mostAtOnce(host));
    });
    return parts.size === 1 ? [tlds] : [...parts.values()];
  }

  /** The request for one of `partsOf`. */
  function requestFor({ label, tlds }: CheckRequest): RemoteRequest {
    const [tld, another] = tlds;
    if (tld === ETH) return { path: `v1/ens/check?name=${label}`, accept: JSON_ONLY };
    if (tlds === enabled) return { path: `check?name=${label}${suffix}`, accept: ROWS };
    if (another === undefined) {
      return { path: `check?name=${label}&tld=${tld}${suffix}`, accept: JSON_ONLY };
    }
    const path = explain ? "check?evidence=1" : "check";
    return { path, accept: ROWS, body: { names: [label], tlds } };
  }

  async function* check(part: CheckRequest): AsyncGenerator<Row> {
    const domains = part.tlds.map((tld) => `${part.label}.${tld}`);
    const paced = new Map(part.tlds.flatMap((tld) => {
      const host = pacedHosts.get(tld);
      return host === undefined ? [] : [[`${part.label}.${tld}`, host]];
    }));
    await permits.take([...paced.values()]);
    const rows = client.send<Row>(requestFor(part), {
      read: (response) => readRows(response, domains),
      failed: (error) => domains.map((domain) => ({ kind: "failed", domain, error })),
    });
    for await (const row of rows) {
      const host = paced.get(row.domain);
      if (host !== undefined) permits.giveBack(host);
      const found = details ? await withDetails(row, findDetails) : row;
      yield found.kind === "domain" ? withKnown(found) : found;
    }
  }

  async function findDetails(domain: string): Promise<DescribedDetails> {
    const answer = await import("../api/details.ts").then(({ details }) => details.answer());
    const request = { path: `details?domain=${domain}`, accept: JSON_ONLY };
    const answers = client.send<DescribedDetails>(request, {
      read: async function* (response) {
        const reading = answer.safeParse(await readJson(response).catch(() => undefined));
        if (!reading.success || reading.data.domain !== domain) return;
        const { domain: _, state: __, available: ___, ...found } = reading.data;
        yield found;
      },
      failed: (error) => [{ error }],
    });
    for await (const found of answers) return found;
    return { error: "The service returned no valid details of this name" };
  }

  function withKnown(row: Extract<Row, { kind: "domain" }>): Row {
    const { result } = row;
    const isPriced = stateOf(result) === "available";
    const threeYearsUsd = isPriced ? threeYears.get(result.tld) : undefined;
    return { ...row, retry: retryOf(result), threeYearsUsd };
  }

  function retryOf(result: DomainResult): Retry | undefined {
    const { tld, retryAfter } = result;
    if (retryAfter === undefined || stateOf(result) !== "unknown") return undefined;
    return { host: hosts.get(tld) ?? service, ms: Math.max(MIN_RETRY_S, retryAfter) * 1_000 };
  }

  return {
    tlds: enabled,
    // The service knows, and says so in the answer for a name.
    refusalOf: () => Promise.resolve(undefined),
    // The service asks the registries: for the client there is one host.
    hostsOf: ({ tlds }) => partsOf(tlds).map(() => service),
    partOf: ({ label, tlds }, place) => ({ label, tlds: partsOf(tlds)[place] ?? [] }),
    atOnce: (_host, chosen = REMOTE_CONCURRENCY) => chosen,
    check,
  };
}

/** How many look-ups of this run a paced registry may have at once. */
function mostAtOnce(host: string): number {
  return listAtOnce(hostPolicy(host), PACED_MS);
}

function readTlds(answer: unknown): readonly EnabledTld[] | undefined {
  if (!isRecord(answer) || !Array.isArray(answer.tlds)) return undefined;
  const rows = answer.tlds.filter(isRecord).filter(({ enabled }) => enabled === true);
  return rows.flatMap(({ tld, rdapServer, prices }) => {
    // As URL writes it: it is shown to the user.
    const url = typeof rdapServer === "string" ? URL.parse(`https://${rdapServer}`) : null;
    const three = isRecord(prices) ? prices.threeYears : undefined;
    const threeYearsUsd = typeof three === "number" ? three : undefined;
    return typeof tld === "string" && isTld(tld) ? [{ tld, host: url?.host, threeYearsUsd }] : [];
  });
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
      error = refusalIn(value) ?? error;
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

/** The error message, if the value is the row of a name that `POST /check` cannot check. */
function refusalIn(value: unknown): string | undefined {
  if (!isRecord(value) || typeof value.input !== "string") return undefined;
  if (typeof value.message !== "string" || typeof value.code !== "number") return undefined;
  return sanitize(`The service answered ${value.code}: ${value.message}`);
}

/** The row, if each field that is used has the right type. */
function readRow(answer: unknown): Row | undefined {
  if (!isRecord(answer) || !hasProvenance(answer)) return undefined;
  // `POST /check` adds the name as it was sent; rows are the same, however they were asked for.
  const { input: _, ...value } = answer;
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
  const { domain, tld, status, premium, reason, error, likely, retryAfter, offer, evidence } =
    value;
  return typeof domain === "string" && typeof tld === "string" && tld !== ETH &&
    domain.endsWith(`.${tld}`) && typeof premium === "boolean" &&
    Array.isArray(status) && status.every((word) => typeof word === "string") &&
    isOptionalText(reason) && isOptionalText(error) &&
    (likely === undefined ||
      (status.includes("unknown") && LIKELY.some((word) => word === likely))) &&
    (retryAfter === undefined || typeof retryAfter === "number") &&
    (offer === undefined || isOffer(offer)) &&
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
