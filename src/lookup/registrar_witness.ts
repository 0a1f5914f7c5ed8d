/**
 * Registrars as witnesses of an available name: those with which the operator has an account are asked at once, each through
 * its host. Names that wait together go in one request.
 */
import type { Clock } from "../flow/process.ts";
import { createBoundedMap } from "../flow/cache/memory.ts";
import { pause } from "../flow/deadline.ts";
import type { Outcome } from "../flow/host_state.ts";
import type { UpstreamHosts, WaitOptions } from "../flow/upstream_host.ts";
import type { RegistrarAnswer } from "../rules/answer.ts";
import { FAULT_PAUSE_MS, type Quote, type QuoteReading } from "../rules/readers/registrar_reply.ts";
import type { Pace } from "../rules/tables/hosts.ts";
import type { AskRegistrars } from "./judge.ts";

/** A registrar's API. */
interface RegistrarSource {
  readonly name: string;
  /** The host of its API. */
  readonly host: string;
  /** Must not reject, and ends in time: a row waits for it. */
  ask(domains: readonly string[]): Promise<QuoteReading>;
  /** The most domains of one request. */
  readonly batchSize: number;
  readonly pace: Pace;
}

/** How long a request waits for further names: the registries answer the questions of one check one after the other. */
const LINGER_MS = 100;
/** As long as an available name is cached. */
const REFUSAL_MS = 5 * 60_000;
const MAX_REFUSALS = 5_000;

interface WitnessOptions extends Clock {
  hosts: Pick<UpstreamHosts, "ofKind">;
  /** Tests shorten it. */
  lingerMs?: number | undefined;
}

/** Creates the witness. */
export function createRegistrarWitness(
  registrars: readonly RegistrarSource[],
  options: WitnessOptions,
): AskRegistrars {
  const asks = registrars.map((registrar) => createAsk(registrar, options));
  return ({ label, tld }, wait) => Promise.all(asks.map((ask) => ask(`${label}.${tld}`, wait)));
}

function createAsk(
  { name, host, ask: askApi, batchSize, pace }: RegistrarSource,
  { hosts, lingerMs = LINGER_MS, now, monotonic }: WitnessOptions,
): (domain: string, wait: WaitOptions) => Promise<RegistrarAnswer> {
  /**
   * A refusal leads to `unknown`, which is never cached: if it were not kept, each check of such a name would ask again,
   * and answer `available` whenever the registrar is slow.
   */
  const refusals = createBoundedMap<{ answer: RegistrarAnswer; until: number }>(MAX_REFUSALS);
  const api = hosts.ofKind("registrar", { paceOf: () => pace, isShared: true })(host);
  /** The request that waits for further names. */
  let open: { readonly domains: Set<string>; readonly reading: Promise<QuoteReading> } | undefined;

  const failed = (why: string): RegistrarAnswer => ({ kind: "failed", registrar: name, host, why });

  async function send(domains: ReadonlySet<string>): Promise<QuoteReading> {
    await pause(lingerMs);
    if (open?.domains === domains) open = undefined;
    // What a bug throws is not logged: it could quote a header.
    return await askApi([...domains]).catch(() => INTERNAL_ERROR);
  }

  function joinRequest(domain: string): Promise<QuoteReading> {
    if (open === undefined || open.domains.size >= batchSize) {
      const domains = new Set<string>();
      open = { domains, reading: send(domains) };
    }
    open.domains.add(domain);
    return open.reading;
  }

  function answerOf(quote: Quote | undefined, askedAt: number): RegistrarAnswer {
    const words = { host, ...(quote?.said !== undefined && { said: quote.said }) };
    switch (quote?.kind) {
      case "sells":
        return { kind: "sells", askedAt, offer: { registrar: name, ...quote.offer }, ...words };
      case "premium":
      case "refuses":
        return { kind: quote.kind, askedAt, registrar: name, ...words };
      case "failed":
        return { ...failed(quote.why), ...words };
      case undefined:
        return failed("it did not answer about the name");
    }
  }

  return async (domain, wait) => {
    const refusal = refusals.get(domain);
    if (refusal !== undefined && refusal.until > monotonic()) return refusal.answer;
    let askedAt = now();
    const question = () => {
      askedAt = now();
      return joinRequest(domain);
    };
    const asked = await api.ask(question, { outcomeOf, wait });
    if (asked.kind === "unasked") {
      // Of a client that has left: another one may still get its answer.
      return wait.signal?.aborted
        ? { kind: "missing", registrar: name, host }
        : failed(`it is not asked for ${Math.ceil(asked.retryAfterMs / 1_000)} s`);
    }
    const { answer: reading } = asked;
    if (reading.kind === "failed") return failed(reading.why);
    const answer = answerOf(reading.quotes.get(domain), askedAt);
    if (answer.kind === "refuses") {
      refusals.set(domain, { answer, until: monotonic() + REFUSAL_MS });
    }
    return answer;
  };
}

function outcomeOf(reading: QuoteReading): Outcome {
  if (reading.kind === "quotes") return { kind: "ok" };
  const { why, pauseMs, isLimited } = reading;
  return { kind: isLimited ? "limited" : pauseMs > 0 ? "down" : "unclear", why, pauseMs };
}

const INTERNAL_ERROR: QuoteReading = {
  kind: "failed",
  why: "internal error",
  pauseMs: FAULT_PAUSE_MS,
};
