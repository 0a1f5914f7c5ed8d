/** Checks names by a running service. Its answers are validated: it may be another service, or a broken one. */
import { domainRow as rowSchema } from "../api/check.ts";
import { MOST } from "../api/check_names.ts";
import { details as detailsOperation } from "../api/details.ts";
import { ensCheck } from "../api/ens.ts";
import { tlds as tldsOperation } from "../api/tlds.ts";
import { pause } from "../flow/deadline.ts";
import { lines, merged } from "../flow/async_iterables.ts";
import type { DomainResult } from "../lookup/check_domain.ts";
import type { EnsCheckResult } from "../lookup/ens_lookups.ts";
import { isLoopback } from "../rules/ip_address.ts";
import { isTld } from "../rules/name.ts";
import { isObject } from "../rules/readers/http_message.ts";
import type { Checker } from "./check.ts";
import type { CheckOptions } from "./check_options.ts";
import { ETH } from "./names.ts";
import {
  bytesOf,
  createRemoteClient,
  readJson,
  type RemoteClient,
  type RemoteOptions,
  type RemoteRequest,
} from "./remote_client.ts";
import { type CheckRequest, domainRow, ethRow, failedRow, type Row } from "./row.ts";
import { sanitize } from "./terminal.ts";

/** Names that are read within so many ms share a request. */
const LINGER_MS = 10;
/** Rows that are unknown for so many seconds are asked for again, such as those of a service that is being restarted. */
const SOON_S = 60;
/** A row has 300 characters. */
const MAX_ROW_LENGTH = 10_000;

/** A name under some TLDs whose rows are to come. */
interface Asked {
  readonly part: CheckRequest;
  /** The domains without a row. */
  readonly missing: Set<string>;
  readonly rows: ReadableStreamDefaultController<Row>;
}

/** Reads the service's TLDs; the checker then sends the names under the same TLDs together, as streams that wait in the service. */
export async function openRemoteChecker(
  options: RemoteOptions & Pick<CheckOptions, "explain">,
): Promise<Checker | Error> {
  const { url: { protocol, hostname, host }, key, explain, wait } = options;
  // URL has IPv6 addresses in brackets.
  const isLocal = hostname === "localhost" || isLoopback(hostname.replace(/^\[(.*)\]$/, "$1"));
  if (key !== undefined && protocol === "http:" && !isLocal) {
    return new Error(`Refusing to send an API key over plain HTTP to ${host}; use https`);
  }
  const client = createRemoteClient(options);
  const list = await get(client, "tlds", tldsOperation.answer());
  if (list instanceof Error) return list;
  const rows = list.tlds.filter(({ tld, enabled }) => enabled && isTld(tld));
  const enabled = rows.map(({ tld }) => tld);
  /** The quote of each TLD of the service, if it has one. */
  const quotes = new Map(rows.map(({ tld, prices }) => [tld, prices]));
  /** The names that wait for a request, by their TLDs. */
  const waiting = new Map<string, Asked[]>();

  /** The TLDs of each request for a name: as few requests as possible, because each counts for the rate limit. */
  function partsOf(tlds: readonly string[]): (readonly string[])[] {
    if (tlds === enabled) return [tlds];
    const domains = tlds.filter((tld) => tld !== ETH);
    const parts = slicesOf(domains, MOST.tlds);
    return domains.length < tlds.length ? [...parts, [ETH]] : parts;
  }

  function requestFor(asked: readonly Asked[]): RemoteRequest {
    const [{ part: { tlds } }] = asked as [Asked];
    const names = asked.map(({ part: { label } }) => label);
    const body = { names, ...(tlds !== enabled && { tlds }) };
    return { path: `check${explain ? "?evidence=1" : ""}`, body };
  }

  /** Puts a name into the next request with its TLDs. */
  function ask(part: CheckRequest): ReadableStream<Row> {
    return new ReadableStream({
      async start(rows) {
        const domains = part.tlds.map((tld) => `${part.label}.${tld}`);
        const asked = { part, missing: new Set(domains), rows };
        const key = part.tlds.join();
        const queue = waiting.get(key);
        if (queue !== undefined) return void queue.push(asked);
        const together = [asked];
        waiting.set(key, together);
        await pause(LINGER_MS);
        waiting.delete(key);
        const size = Math.max(1, Math.min(MOST.names, Math.floor(MOST.domains / domains.length)));
        await Promise.all(slicesOf(together, size).map((batch) => sendBatch(batch)));
      },
    });
  }

  /** Asks again once for the rows of a stream that was cut, and for those that are unknown for a minute at most. */
  async function sendBatch(batch: readonly Asked[], isAgain = false): Promise<void> {
    let asked = batch;
    /** The names that the limit does not admit now. */
    let further: Promise<void> | undefined;
    const sent = await client.send(requestFor(asked), (names) => {
      if (names < batch.length) further = sendBatch(batch.slice(names), isAgain);
      asked = batch.slice(0, names);
      return requestFor(asked);
    });
    let againS = 0;
    const { error, isCut } = await readResults(sent, (result) => {
      const { domain, tld, retryAfter = Infinity } = result;
      if (!isAgain && retryAfter <= SOON_S) return void (againS = Math.max(againS, retryAfter, 1));
      // A list may have a name twice.
      for (const { missing, rows } of asked) {
        if (!missing.delete(domain)) continue;
        rows.enqueue(domainRow(result, quotes.get(tld)));
        if (missing.size === 0) rows.close();
      }
    });
    if (isCut) againS = Math.max(againS, 1);
    const unanswered = asked.filter(({ missing }) => missing.size > 0);
    if (againS > 0 && !isAgain && unanswered.length > 0) {
      await wait(1_000 * againS, `${host} is busy`);
      await sendBatch(unanswered, true);
    } else {
      for (const { missing, rows } of unanswered) {
        for (const domain of missing) rows.enqueue(failedRow(domain, error));
        rows.close();
      }
    }
    await further;
  }

  async function* checkEth(label: string): AsyncGenerator<Row> {
    const domain = `${label}.${ETH}`;
    const found = await get(client, `v1/ens/check?name=${label}`, ETH_ROW);
    if (found instanceof Error) yield failedRow(domain, found.message);
    else if (found.name !== domain) yield failedRow(domain, NO_RESULT);
    else yield ethRow(domain, found as EnsCheckResult);
  }

  return {
    tlds: enabled,
    /** The rows of all requests that the name needs, as they arrive. */
    check({ label, tlds }) {
      const parts = partsOf(tlds);
      return merged(parts.map((tlds) => tlds[0] === ETH ? checkEth(label) : ask({ label, tlds })));
    },
    async findDetails(domain) {
      const found = await get(client, `details?domain=${domain}`, DETAILS);
      if (found instanceof Error) return { error: found.message };
      return found.domain === domain ? found : { error: NO_RESULT };
    },
  };
}

/** The answer to a GET request; else the error, whose message is for the user. */
async function get<Answer>(
  client: RemoteClient,
  path: string,
  schema: { safeParse(value: unknown): { data?: Answer } },
): Promise<Answer | Error> {
  const sent = await client.send({ path });
  if (sent instanceof Error) return sent;
  const { data } = schema.safeParse(await readJson(sent).catch(() => undefined));
  return data ?? new Error(`The service returned no valid answer to /${path.split("?")[0]}`);
}

function slicesOf<T>(list: readonly T[], size: number): (readonly T[])[] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, n) => list.slice(n * size, (n + 1) * size));
}

const NO_RESULT = "The service returned no valid result for this name";

/** Passes the results on as they arrive. Returns why others are missing, and whether the stream was cut before its end. */
async function readResults(
  sent: Response | Error,
  onResult: (result: DomainResult) => void,
): Promise<{ error: string; isCut: boolean }> {
  if (sent instanceof Error) return { error: sent.message, isCut: false };
  let error = NO_RESULT;
  let isCut = true;
  try {
    for await (const line of lines(bytesOf(sent), { most: MAX_ROW_LENGTH })) {
      const value: unknown = JSON.parse(line);
      error = refusalIn(value) ?? error;
      if (isObject(value) && typeof value.totalMs === "number") isCut = false;
      const result = readResult(value);
      if (result !== undefined) onResult(result);
    }
  } catch {
    error = "Cannot read the service's response: it is incomplete, too long or not JSON";
    isCut = true;
  }
  return { error, isCut };
}

/** The error message, if the value is the row of a name that `POST /check` cannot check. */
function refusalIn(value: unknown): string | undefined {
  if (!isObject(value) || typeof value.input !== "string") return undefined;
  if (typeof value.message !== "string" || typeof value.code !== "number") return undefined;
  return sanitize(`The service answered ${value.code}: ${value.message}`);
}

const [DOMAIN_ROW, ETH_ROW, DETAILS] = [rowSchema(), ensCheck.answer(), detailsOperation.answer()];

/**
 * The result, if it is one, in the order in which it was sent. What the schemas do not name is left out: it could replace what
 * was asked for in the output.
 */
function readResult(value: unknown): DomainResult | undefined {
  const { data } = DOMAIN_ROW.safeParse(value);
  if (data === undefined || !data.domain.endsWith(`.${data.tld}`)) return undefined;
  const sent = value as typeof data;
  const named = Object.entries({ ...sent, ...data }).filter(([field]) =>
    Object.hasOwn(data, field)
  );
  // JSON has no `undefined`, which the types of schemas allow for what is absent.
  return Object.fromEntries(named) as unknown as DomainResult;
}
