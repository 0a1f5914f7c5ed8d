/** Exchanges with the one service that the user named: at its address, with its key, at its pace. */
import { readRetryAfterMs } from "../rules/retry_after.ts";
import type { Pauses } from "./pauses.ts";
import { plain } from "./plain.ts";
import { isRecord, readJson } from "./remote_body.ts";

/** Yields what `read` makes of an answer, or what `failed` makes of the reason why there is none. */
export type Remote = <T>(
  path: string,
  { accept, read, failed }: {
    accept: string;
    read: (response: Response) => AsyncIterable<T>;
    failed: (why: string) => Iterable<T>;
  },
) => AsyncGenerator<T>;

/** What a remote needs. */
export interface RemoteOptions {
  url: URL;
  key: string | undefined;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  pauses: Pauses;
  stop: AbortSignal;
  now: () => number;
}

type Attempt =
  | { kind: "answer"; response: Response }
  | { kind: "failed"; why: string }
  | { kind: "limited"; until: number };

/** What a service is waited for in all for one answer: it itself gives a name up to half a minute. */
const DEADLINE_MS = 60_000;
/** How long one name waits in all for its service's limit. */
const PATIENCE_MS = 10 * 60_000;
/** Where a service does not say when it may be asked again. */
const USUAL_PAUSE_MS = 60_000;
/** A Retry-After of 0 would have us ask again at once, which is what it complained of. */
const SHORTEST_PAUSE_MS = 1_000;

/** Creates the remote. It asks no other place than the one named: a redirect is a failure. */
export function createRemote({ url, key, fetch, pauses, stop, now }: RemoteOptions): Remote {
  const base = url.href.endsWith("/") ? url.href : `${url.href}/`;
  let limitedUntil = 0;

  async function attempt(path: string, accept: string, signal: AbortSignal): Promise<Attempt> {
    const headers = { accept, ...(key !== undefined && { authorization: `Bearer ${key}` }) };
    const init: RequestInit = { headers, redirect: "manual", signal };
    // fetch tells DNS, connect, TLS and protocol faults apart in prose only.
    const response = await fetch(`${base}${path}`, init).catch(() => undefined);
    if (response === undefined) {
      const fault = signal.aborted ? "did not answer in time" : "could not be reached";
      return { kind: "failed", why: `${url.host} ${fault}` };
    }
    if (response.ok) return { kind: "answer", response };
    if (response.status !== 429) return { kind: "failed", why: await readRefusal(response) };
    await response.body?.cancel();
    const ms = readRetryAfterMs(response.headers.get("retry-after"), now()) ?? USUAL_PAUSE_MS;
    return { kind: "limited", until: now() + Math.max(ms, SHORTEST_PAUSE_MS) };
  }

  return async function* (path, { accept, read, failed }) {
    for (let waitedMs = 0;;) {
      const pauseMs = Math.max(0, limitedUntil - now());
      waitedMs += pauseMs;
      if (waitedMs > PATIENCE_MS) {
        return yield* failed(`${url.host} allows no more for ${Math.ceil(pauseMs / 1_000)} s`);
      }
      if (pauseMs > 0) await pauses.wait(url.host, pauseMs);
      if (stop.aborted) return;
      using deadline = startDeadline(stop, now);
      const answer = await attempt(path, accept, deadline.signal);
      if (answer.kind === "failed") return yield* failed(answer.why);
      if (answer.kind === "answer") return yield* within(deadline, read(answer.response));
      // All that ask the service wait for it then, and not each of them once refused.
      limitedUntil = Math.max(limitedUntil, answer.until);
    }
  };
}

interface Deadline extends Disposable {
  /** Aborted when the time is over, or by `stop`. */
  signal: AbortSignal;
  hold(): void;
  goOn(): void;
}

/** Starts a deadline whose time does not pass while it is held. */
function startDeadline(stop: AbortSignal, now: () => number): Deadline {
  const timeout = new AbortController();
  let leftMs = DEADLINE_MS;
  let since: number;
  let timer: ReturnType<typeof setTimeout>;

  function goOn(): void {
    since = now();
    timer = setTimeout(() => timeout.abort(), leftMs);
  }

  function hold(): void {
    clearTimeout(timer);
    leftMs -= now() - since;
  }

  goOn();
  const signal = AbortSignal.any([timeout.signal, stop]);
  return { signal, hold, goOn, [Symbol.dispose]: () => clearTimeout(timer) };
}

/** Yields the values. Our reader may keep one for as long as it likes, as a pager does: that is not the service's time. */
async function* within<T>(deadline: Deadline, values: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const value of values) {
    deadline.hold();
    yield value;
    deadline.goOn();
  }
}

/** What the service says of its refusal, else its status. */
async function readRefusal(response: Response): Promise<string> {
  const { status } = response;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    return plain(`The service redirects to ${response.headers.get("location")}; give that --url`);
  }
  const body = await readJson(response).catch(() => undefined);
  const message = isRecord(body) && typeof body.message === "string" ? body.message : undefined;
  return plain(`The service answered ${status}${message === undefined ? "" : `: ${message}`}`);
}
