/** The clients of a crowd: a caller who uses its whole limit, people who type, and a list on the command line. */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { lines } from "../../src/flow/lines.ts";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import { isRecord } from "../../src/cli/remote_client.ts";

/** A check as its client saw it; times in ms since its start. */
export interface Seen {
  /** Until the first row or, for server-sent events, until DNS had denied a name. */
  firstMs: number;
  /** Until the last row. */
  lastMs: number;
  rows: { tld: string; ms: number; isUnknown: boolean }[];
}

/** A service and the address that a client sends from, as a proxy reports it. */
export interface Place {
  url: string;
  address: string;
}

/** Sends a check and reads its stream; undefined where the rate limit or the abort ended it before its end. */
export async function streamedCheck(
  { url, address }: Place,
  query: string,
  { accept, signal }: { accept: "application/x-ndjson" | "text/event-stream"; signal: AbortSignal },
): Promise<Seen | { kind: "ended"; retryAfterMs: number; firstMs?: number }> {
  const seen: Seen = { firstMs: NaN, lastMs: NaN, rows: [] };
  const startedAt = performance.now();
  const headers = { accept, "x-forwarded-for": address };
  try {
    const response = await fetch(`${url}/check?${query}`, { headers, signal });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      return { kind: "ended", retryAfterMs: 1_000 * Number(response.headers.get("retry-after")) };
    }
    for await (const line of lines(response.body, { most: 10_000 })) {
      const ms = performance.now() - startedAt;
      const value: unknown = line.includes("{") ? JSON.parse(line.replace(/^data: /, "")) : null;
      if (!isRecord(value) || typeof value.domain !== "string") continue;
      if (Number.isNaN(seen.firstMs)) seen.firstMs = ms;
      // A pending question is no row.
      if ("expectedMs" in value) continue;
      const { tld, status } = value as unknown as DomainResult;
      seen.rows.push({ tld, ms, isUnknown: status.includes("unknown") });
      seen.lastMs = ms;
    }
    return seen;
  } catch (error) {
    if (signal.aborted) return { kind: "ended", retryAfterMs: 0, firstMs: seen.firstMs };
    throw error;
  }
}

/** What a person experienced. */
export interface Typed {
  /** Of each prefix: until the first row. */
  prefixFirstMs: number[];
  name: Seen;
}

const KEY_MS = 250;

/** Types a name: each key asks DNS for what stands there and cancels the check before it; the whole name is checked in full. */
export async function typeName(place: Place, name: string): Promise<Typed> {
  const prefixFirstMs: number[] = [];
  for (let length = 1; length < name.length; length++) {
    const typing = new AbortController();
    const query = `name=${name.slice(0, length)}&depth=dns`;
    const options = { accept: "text/event-stream", signal: typing.signal } as const;
    const [{ firstMs = NaN }] = await Promise.all([
      streamedCheck(place, query, options),
      pause(KEY_MS).then(() => typing.abort()),
    ]);
    if (!Number.isNaN(firstMs)) prefixFirstMs.push(firstMs);
  }
  return { prefixFirstMs, name: await checkWhole(place, name) };
}

/** Checks a name under all TLDs as the page does, or under one. */
export async function checkWhole(place: Place, name: string, tld?: string): Promise<Seen> {
  const options = { accept: "text/event-stream", signal: new AbortController().signal } as const;
  const seen = await streamedCheck(
    place,
    `name=${name}${tld === undefined ? "" : `&tld=${tld}`}`,
    options,
  );
  if ("kind" in seen) throw new Error("Cannot measure: a person was refused");
  return seen;
}

/** Sends checks, many at once, as fast as the rate limit admits them. */
export async function useWholeLimit(
  place: Place,
  { atOnce, nextQuery, stop }: { atOnce: number; nextQuery: () => string; stop: AbortSignal },
): Promise<Seen[]> {
  const all: Seen[] = [];
  await Promise.all(Array.from({ length: atOnce }, async () => {
    while (!stop.aborted) {
      const options = { accept: "application/x-ndjson", signal: stop } as const;
      const seen = await streamedCheck(place, nextQuery(), options);
      if (!("kind" in seen)) all.push(seen);
      else await pause(seen.retryAfterMs, stop);
    }
  }));
  return all;
}

/** Runs `deno task check` on a list with `--url`, until it ends or is stopped. */
export async function checkList(
  { folder, args, env, stop }: {
    /** The checkout. */
    folder: URL;
    args: readonly string[];
    env: Record<string, string>;
    stop: AbortSignal;
  },
): Promise<Seen> {
  const startedAt = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "check", ...args, "--ndjson"],
    cwd: folder,
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  stop.addEventListener("abort", () => child.kill("SIGINT"), { once: true });
  const seen: Seen = { firstMs: NaN, lastMs: NaN, rows: [] };
  // deno-lint-ignore no-explicit-any -- Node's and Deno's types of the same web stream differ
  for await (const line of createInterface({ input: Readable.fromWeb(child.stdout as any) })) {
    const ms = performance.now() - startedAt;
    const { tld, status } = JSON.parse(line) as DomainResult;
    if (Number.isNaN(seen.firstMs)) seen.firstMs = ms;
    seen.rows.push({ tld, ms, isUnknown: status.includes("unknown") });
    seen.lastMs = ms;
  }
  await child.status;
  return seen;
}

/** Waits; less if the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
