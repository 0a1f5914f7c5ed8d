/**
 * The APIs of registrars as rows: how each is asked which of some domains it sells. A row has the path of that one
 * question and no other, so nothing can be bought, changed or read with the operator's key.
 */
import type { Pace } from "../rules/tables/hosts.ts";
import {
  FAULT_PAUSE_MS,
  type QuoteReading,
  readNamecomQuotes,
  readPorkbunQuotes,
  type ReadQuotes,
} from "../rules/readers/registrar_reply.ts";
import type { GuardedPost } from "./http.ts";

/** A registrar's API, with the operator's key in its headers. */
export interface RegistrarApi {
  readonly name: string;
  /** The address of its availability question. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the question. */
  body(domains: readonly string[]): unknown;
  readonly read: ReadQuotes;
  /** The most domains of one request. */
  readonly batchSize: number;
  /** How fast domains may be asked about. */
  readonly pace: Pace;
}

/** A row waits four seconds for a registrar, of which the request waits a tenth of one for further names. */
const DEADLINE_MS = 3_900;

/** Times that tests shorten, in ms. */
export interface RegistrarTimes {
  /** For a registrar's answer: then the verdict goes without it. */
  readonly deadlineMs?: number;
  /** How long a request waits for further names. */
  readonly lingerMs?: number;
}
/** An entry has about 500 bytes, and a batch 50 entries at most. */
const MAX_BYTES = 256 * 1_024;

/**
 * Porkbun's bulk checkDomain, by its OpenAPI document 3.48 (porkbun.com/api/json/v3/spec, read on 2026-10-01): 25 domains
 * a request, 200 domains a minute, about 3 s for 25 TLDs.
 */
export function porkbunApi(
  { base, apiKey, secretKey }: { base: string; apiKey: string; secretKey: string },
): RegistrarApi {
  return {
    name: "Porkbun",
    url: `${withoutSlash(base)}/domain/checkDomain`,
    headers: { "x-api-key": apiKey, "x-secret-api-key": secretKey },
    body: (domains) => ({ domains }),
    read: readPorkbunQuotes,
    batchSize: 25,
    // At most 100 + 100 domains in any minute.
    pace: { concurrency: 50, burst: 100, everyMs: 600 },
  };
}

/**
 * Name.com's checkAvailability, by its OpenAPI document 1.35.0 (docs.name.com/api/v1/namecom.api.yaml, read on
 * 2026-10-01): 50 domains a request, 20 requests a second.
 */
export function namecomApi(
  { base, username, token }: { base: string; username: string; token: string },
): RegistrarApi {
  return {
    name: "Name.com",
    // An encoded colon is another path there.
    url: `${withoutSlash(base)}/core/v1/domains:checkAvailability`,
    headers: { "authorization": `Basic ${btoa(`${username}:${token}`)}` },
    // Without the filter it offers registered names.
    body: (domainNames) => ({ domainNames, purchaseType: "registration" }),
    read: readNamecomQuotes,
    batchSize: 50,
    pace: { concurrency: 100, burst: 100, everyMs: 50 },
  };
}

/** Creates the question to an API. Its failures name no URL and no header: they may hold the key. */
export function createQuoteQuestion(
  post: GuardedPost,
  { url, headers, body, read }: RegistrarApi,
  { now, deadlineMs = DEADLINE_MS }: { now: () => number; deadlineMs?: number | undefined },
): (domains: readonly string[]) => Promise<QuoteReading> {
  return async (domains) => {
    const reply = await post(url, {
      json: body(domains),
      headers,
      deadlineMs,
      maxBytes: MAX_BYTES,
    });
    if (reply.kind === "reply") return read(reply, now());
    const pauseMs = reply.fault === "stopped" ? 0 : FAULT_PAUSE_MS;
    return { kind: "failed", why: `no usable reply (${reply.fault})`, pauseMs };
  };
}

function withoutSlash(base: string): string {
  return base.replace(/(?<!\/)\/+$/, "");
}
