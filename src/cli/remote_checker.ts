/** Checks names by a running service. Its answers are validated: it may be another service, or a broken one. */
import { domainRow } from "../api/check.ts";
import { MOST } from "../api/check_names.ts";
import { details as detailsOperation } from "../api/details.ts";
import { ensCheck } from "../api/ens.ts";
import { lines } from "../flow/lines.ts";
import { merged } from "../flow/merged.ts";
import { pause } from "../flow/deadline.ts";
import type { DomainResult } from "../lookup/check_domain.ts";
import type { EnsCheckResult } from "../lookup/ens_lookups.ts";
import { isLoopback } from "../rules/ip_address.ts";
import type { DescribedDetails } from "../rules/describe_details.ts";
import { isTld } from "../rules/name.ts";
import { type CostUsd, costUsd } from "../rules/prices.ts";
import { stateOf } from "../rules/verdict.ts";
import { type Checker, type CheckerOpening, REMOTE_NAMES } from "./checker.ts";
import { type CheckRequest, ETH } from "./name_argument.ts";
import {
  createRemoteClient,
  isRecord,
  limited,
  readJson,
  type RemoteClient,
  type RemoteOptions,
  type RemoteRequest,
} from "./remote_client.ts";
import { type Row, withDetails } from "./row.ts";
import { sanitize } from "./terminal.ts";

/** Names that are read within so many ms share a request. */
const LINGER_MS = 10;
const JSON_ONLY = "application/json";
/** NDJSON is streamed; JSON is the fallback. */
const ROWS = "application/x-ndjson, application/json;q=0.9";
/** A row has 300 characters. */
const MAX_ROW_LENGTH = 10_000;

/** A TLD of the service, and what a name costs, if the service tells it. */
interface EnabledTld {
  tld: string;
  cost: CostUsd | undefined;
}

/** A name under some TLDs whose rows are to come. */
interface Asked {
  readonly part: CheckRequest;
  /** The domains without a row. */
  readonly missing: Set<string>;
  readonly rows: ReadableStreamDefaultController<Row>;
}

/** Reads the service's TLDs; the checker then sends the names under the same TLDs together, as streams that wait in the service. */
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
      checker: createChecker(client, tlds, { explain, details }),
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
  { explain, details }: { explain: boolean; details: boolean },
): Checker {
  const enabled = rows.map(({ tld }) => tld);
  const costs = new Map(rows.map(({ tld, cost }) => [tld, cost]));
  const suffix = explain ? "?evidence=1" : "";
  /** The names that wait for a request, by their TLDs. */
  const waiting = new Map<string, Asked[]>();

  /** The TLDs of each request for a name: as few requests as possible, because each counts for the rate limit. */
  function partsOf(tlds: readonly string[]): (readonly string[])[] {
    if (tlds === enabled) return [tlds];
    const domains = tlds.filter((tld) => tld !== ETH);
    const parts: (readonly string[])[] = [];
    for (let at = 0; at < domains.length; at += MOST.tlds) {
      parts.push(domains.slice(at, at + MOST.tlds));
    }
    return domains.length < tlds.length ? [...parts, [ETH]] : parts;
  }

  function requestFor(asked: readonly Asked[]): RemoteRequest {
    const { label, tlds } = asked[0]!.part;
    const [tld = "", another] = tlds;
    const isOfEnabled = tlds === enabled;
    if (asked.length === 1 && (isOfEnabled || another === undefined)) {
      const query = new URLSearchParams({
        name: label,
        ...(!isOfEnabled && { tld }),
        ...(explain && { evidence: "1" }),
      });
      return { path: `check?${query}`, accept: ROWS };
    }
    const names = asked.map(({ part }) => part.label);
    return { path: `check${suffix}`, accept: ROWS, body: { names, ...(!isOfEnabled && { tlds }) } };
  }

  /** Puts a name into the next request with its TLDs. */
  function ask(part: CheckRequest): ReadableStream<Row> {
    return new ReadableStream({
      start(rows) {
        const domains = part.tlds.map((tld) => `${part.label}.${tld}`);
        const asked = { part, missing: new Set(domains), rows };
        const key = part.tlds === enabled ? "" : part.tlds.join();
        const queue = waiting.get(key);
        if (queue !== undefined) return void queue.push(asked);
        waiting.set(key, [asked]);
        void sendWaiting(key, Math.floor(MOST.domains / part.tlds.length)).catch((error) =>
          rows.error(error)
        );
      },
    });
  }

  async function sendWaiting(key: string, most: number): Promise<void> {
    await pause(LINGER_MS);
    const queue = waiting.get(key) ?? [];
    waiting.delete(key);
    const size = Math.max(1, Math.min(MOST.names, most));
    const batches: Asked[][] = [];
    for (let at = 0; at < queue.length; at += size) batches.push(queue.slice(at, at + size));
    await Promise.all(batches.map((batch) => sendBatch(batch)));
  }

  /** Asks again once for the rows of a stream that was cut. */
  async function sendBatch(batch: readonly Asked[], isAgain = false): Promise<void> {
    let asked = batch;
    /** The names that the limit does not admit now. */
    let further: Promise<void> | undefined;
    let error = NO_RESULT;
    let isCut = false;
    const rows = client.send<Row | { readonly end: StreamEnd }>(requestFor(asked), {
      read: (response) => readRows(response),
      failed: (message) => [{ end: { error: message, isCut: false } }],
      shrink(names) {
        if (names < batch.length) further = sendBatch(batch.slice(names));
        asked = batch.slice(0, names);
        return requestFor(asked);
      },
    });
    // A list may have a name twice.
    const open = batch.flatMap((one) => [...one.missing].map((domain) => ({ domain, one })));
    const of = Map.groupBy(open, ({ domain }) => domain);
    let isOver = false;
    for await (const row of rows) {
      if ("end" in row) {
        isOver = true;
        ({ error = error, isCut } = row.end);
        continue;
      }
      for (const { one } of of.get(row.domain) ?? []) {
        if (one.missing.delete(row.domain)) one.rows.enqueue(row);
      }
    }
    const unanswered = asked.filter(({ missing }) => missing.size > 0);
    for (const { missing, rows } of asked) if (missing.size === 0) rows.close();
    if (isCut && !isAgain && unanswered.length > 0) await sendBatch(unanswered, true);
    else {
      for (const { missing, rows } of unanswered) {
        // A run that ends has no rows for what was under way.
        if (isOver) {
          for (const domain of missing) rows.enqueue({ kind: "failed", domain, error });
        }
        rows.close();
      }
    }
    await further;
  }

  async function* checkEth({ label }: CheckRequest): AsyncGenerator<Row> {
    const request = { path: `v1/ens/check?name=${label}`, accept: JSON_ONLY };
    const domain = `${label}.${ETH}`;
    const rows = client.send<Row | { readonly end: StreamEnd }>(request, {
      read: (response) => readRows(response),
      failed: (error) => [{ end: { error, isCut: false } }],
    });
    for await (const row of rows) {
      if ("end" in row) return yield { kind: "failed", domain, error: row.end.error ?? NO_RESULT };
      if (row.domain === domain) return yield row;
    }
  }

  /** The rows of all requests that the name needs, as they arrive. */
  async function* check({ label, tlds }: CheckRequest): AsyncGenerator<Row> {
    const parts = partsOf(tlds).map((tlds) => ({ label, tlds }));
    const rows = parts.map((part) => part.tlds[0] === ETH ? checkEth(part) : ask(part));
    yield* merged(rows, async (row) => {
      const found = details ? await withDetails(row, findDetails) : row;
      return found.kind === "domain" ? withPrice(found) : found;
    });
  }

  async function findDetails(domain: string): Promise<DescribedDetails> {
    const request = { path: `details?domain=${domain}`, accept: JSON_ONLY };
    const answers = client.send<DescribedDetails>(request, {
      read: async function* (response) {
        const reading = DETAILS.safeParse(await readJson(response).catch(() => undefined));
        if (!reading.success || reading.data.domain !== domain) return;
        const { domain: _, state: __, available: ___, ...found } = reading.data;
        yield found;
      },
      failed: (error) => [{ error }],
    });
    for await (const found of answers) return found;
    return { error: "The service returned no valid details of this name" };
  }

  function withPrice(row: Extract<Row, { kind: "domain" }>): Row {
    const { result } = row;
    if (stateOf(result) !== "available") return row;
    return { ...row, cost: costs.get(result.tld) };
  }

  return {
    tlds: enabled,
    // The service knows, and says so in the answer for a name.
    refusalOf: () => Promise.resolve(undefined),
    inFlight: { most: REMOTE_NAMES, sizeOf: () => 1 },
    check,
  };
}

function readTlds(answer: unknown): readonly EnabledTld[] | undefined {
  if (!isRecord(answer) || !Array.isArray(answer.tlds)) return undefined;
  const rows = answer.tlds.filter(isRecord).filter(({ enabled }) => enabled === true);
  return rows.flatMap(({ tld, prices }) => {
    const { register, renew, years } = isRecord(prices) ? prices : {};
    const isPriced = typeof register === "number" && typeof years === "number" && years > 0;
    const renewal = typeof renew === "number" ? renew : undefined;
    const cost = isPriced ? costUsd(register, renewal, years) : undefined;
    return typeof tld === "string" && isTld(tld) ? [{ tld, cost }] : [];
  });
}

/** How an answer ended: why rows are missing, if it says so, and whether it was cut before its end. */
interface StreamEnd {
  readonly error?: string;
  readonly isCut: boolean;
}

const NO_RESULT = "The service returned no valid result for this name";

/** Yields the rows as they arrive when the response is streamed, at its end when it is JSON; then how it ended. */
async function* readRows(
  response: Response,
): AsyncGenerator<Row | { readonly end: StreamEnd }> {
  const isStream = response.headers.get("content-type")?.startsWith("application/x-ndjson");
  let error: string | undefined;
  let isWhole = !isStream;
  try {
    for await (const value of readValues(response)) {
      error = refusalIn(value) ?? error;
      isWhole ||= isRecord(value) && typeof value.totalMs === "number";
      const row = readRow(value);
      if (row !== undefined) yield row;
    }
  } catch {
    isWhole = false;
    error = "Cannot read the service's response: it is incomplete, too long or not JSON";
  }
  yield { end: { ...(error !== undefined && { error }), isCut: !isWhole } };
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

const [DOMAIN_ROW, ETH_ROW, DETAILS] = [domainRow(), ensCheck.answer(), detailsOperation.answer()];

/** The row, if it is one. What the schemas do not name is left out: it could replace what was asked for in the output. */
function readRow(value: unknown): Row | undefined {
  // JSON has no `undefined`, which the types of schemas allow for what is absent.
  const result = DOMAIN_ROW.safeParse(value).data as DomainResult | undefined;
  if (result !== undefined) {
    const { domain, tld } = result;
    if (tld === ETH || !domain.endsWith(`.${tld}`)) return undefined;
    return { kind: "domain", domain, result };
  }
  const found = ETH_ROW.safeParse(value).data as EnsCheckResult | undefined;
  if (!found?.name.endsWith(`.${ETH}`)) return undefined;
  return { kind: "eth", domain: found.name, result: found };
}

function refused(message: string): CheckerOpening {
  return { kind: "refused", message };
}
