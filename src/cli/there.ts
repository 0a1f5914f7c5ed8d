/** A running service as an asker. */
import { isLoopback } from "../rules/ip_address.ts";
import { isTld } from "../rules/name.ts";
import type { Checker } from "./asker.ts";
import type { Question } from "./question.ts";
import { createRemote, type Remote, type RemoteOptions } from "./remote.ts";
import { isRecord, readJson } from "./remote_body.ts";
import { readRows } from "./remote_rows.ts";
import type { Row } from "./row.ts";
import type { Opening } from "./run.ts";
import { ETH } from "./wish.ts";

/** As many as a service with the usual limit answers in some seconds. */
const AT_ONCE = 8;
const JSON_ONLY = "application/json";
/** The first is streamed; a service that cannot do that answers in JSON. */
const ROWS = "application/x-ndjson, application/json;q=0.9";

/** Asks the service which TLDs it can check; the asker then sends it one request a name, or one for each chosen TLD. */
export async function openThere(options: RemoteOptions): Promise<Opening> {
  const { url: { protocol, hostname, host }, key } = options;
  if (key !== undefined && protocol === "http:" && !isThisMachine(hostname)) {
    return refused(`A key would travel to ${host} for everybody to read; give an https --url`);
  }
  const exchange = createRemote(options);
  const reading = exchange<readonly string[] | string>("tlds", {
    accept: JSON_ONLY,
    read: async function* (response) {
      yield readTlds(await readJson(response).catch(() => undefined)) ??
        `${host} does not answer as this service does`;
    },
    failed: (why) => [why],
  });
  for await (const tlds of reading) {
    if (typeof tlds === "string") return refused(tlds);
    return { kind: "asker", waiter: createAsker(exchange, tlds) };
  }
  return refused("Interrupted");
}

/** Of a host as the URL parser writes it, with IPv6 in brackets. */
function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || isLoopback(hostname.replace(/^\[(.*)\]$/, "$1"));
}

function createAsker(exchange: Remote, enabled: readonly string[]): Checker {
  function rowsOf(path: string, domains: readonly string[], accept: string): AsyncGenerator<Row> {
    return exchange<Row>(path, {
      accept,
      read: (response) => readRows(response, domains),
      failed: (why) => domains.map((domain) => ({ kind: "failed", domain, why })),
    });
  }

  async function* ask({ label, tlds }: Question): AsyncGenerator<Row> {
    if (tlds === enabled) {
      yield* rowsOf(`check?name=${label}`, tlds.map((tld) => `${label}.${tld}`), ROWS);
      return;
    }
    // The API takes one TLD a request. One after the other: the names that are under way are many enough.
    for (const tld of tlds) {
      const path = tld === ETH ? `v1/ens/check?name=${label}` : `check?name=${label}&tld=${tld}`;
      yield* rowsOf(path, [`${label}.${tld}`], JSON_ONLY);
    }
  }

  return { tlds: enabled, atOnce: AT_ONCE, ask };
}

function readTlds(answer: unknown): readonly string[] | undefined {
  if (!isRecord(answer) || !Array.isArray(answer.tlds)) return undefined;
  const rows = answer.tlds.filter(isRecord).filter(({ enabled }) => enabled === true);
  return rows.flatMap(({ tld }) => typeof tld === "string" && isTld(tld) ? [tld] : []);
}

function refused(why: string): Opening {
  return { kind: "refused", why };
}
