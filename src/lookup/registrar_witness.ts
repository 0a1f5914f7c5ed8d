/**
 * Registrars as witnesses of an available name: those with which the operator has an account are asked at once, each in
 * batches, at its own pace and not during its cooldown. Nothing that they do delays a check for long.
 */
import type { Clock } from "../flow/clock.ts";
import { createBatcher } from "../flow/batcher.ts";
import { createBoundedMap } from "../flow/cache/bounded_map.ts";
import { withDeadline } from "../flow/deadline.ts";
import type { Outcome, Pace, UpstreamHosts, WaitOptions } from "../flow/upstream_host.ts";
import type { RegistrarAnswer } from "../rules/answer.ts";
import { FAULT_PAUSE_MS, type Quote, type QuoteReading } from "../rules/readers/registrar_reply.ts";
import type { AskRegistrars, Domain } from "./judge.ts";

/** A registrar's API. */
export interface RegistrarSource {
  readonly name: string;
  /** The host of its API. */
  readonly host: string;
  /** Must not reject. */
  ask(domains: readonly string[]): Promise<QuoteReading>;
  /** The most domains of one request. */
  readonly batchSize: number;
  /** For an answer, its wait in the queue included, in ms. */
  readonly deadlineMs: number;
  readonly pace: Pace;
}

/** How long a witness waits; tests shorten it. */
export interface RegistrarTimes {
  /** How long a check waits for registrars; an answer that comes later corrects it. */
  readonly waitMs?: number;
  /** How long a batch is open: the registries answer the questions of one check one after the other. */
  readonly lingerMs?: number;
  /** For an answer, in place of each registrar's own. */
  readonly deadlineMs?: number;
}

const WAIT_MS = 1_500;
const LINGER_MS = 100;
const BATCHES_AT_ONCE = 2;
/** As long as an available name is cached. */
const REFUSAL_MS = 5 * 60_000;
const MAX_REFUSALS = 5_000;

type Ask = (domain: string, wait: WaitOptions) => Promise<RegistrarAnswer>;

interface WitnessOptions extends Clock {
  hosts: Pick<UpstreamHosts, "ofKind">;
}

/** Creates the witness; undefined without a registrar. */
export function createRegistrarWitness(
  registrars: readonly RegistrarSource[],
  { waitMs = WAIT_MS, lingerMs = LINGER_MS, deadlineMs, ...options }:
    & WitnessOptions
    & RegistrarTimes,
): AskRegistrars | undefined {
  if (registrars.length === 0) return undefined;
  const asks = registrars.map((registrar) =>
    createAsk(registrar, { lingerMs, deadlineMs: deadlineMs ?? registrar.deadlineMs, ...options })
  );

  return ({ label, tld }: Domain, { client, site, isList, clients, signal }: WaitOptions) => {
    const answers: RegistrarAnswer[] = [];
    const asking = asks.map(async (ask, place) => {
      answers[place] = await ask(`${label}.${tld}`, { client, site, isList, clients, signal });
    });
    const all = Promise.all(asking).then(() => answers);
    // Without the places of those that have not answered yet.
    const soFar = () => answers.filter(() => true);
    return {
      soon: withDeadline(all, waitMs, undefined).then((complete) => ({
        answers: soFar(),
        isComplete: complete !== undefined,
      })),
      all,
    };
  };
}

function createAsk(
  { name, host, ask: askApi, batchSize, pace }: RegistrarSource,
  { hosts, lingerMs, deadlineMs, now, monotonic }: WitnessOptions & {
    lingerMs: number;
    deadlineMs: number;
  },
): Ask {
  const asking = new Map<string, PromiseWithResolvers<RegistrarAnswer>>();
  /**
   * A refusal leads to `unknown`, which is never cached: if it were not kept, each check of such a name would ask again,
   * and answer `available` whenever the registrar is slow.
   */
  const refusals = createBoundedMap<{ answer: RegistrarAnswer; until: number }>(MAX_REFUSALS);
  const batcher = createBatcher(askBatch, {
    size: batchSize,
    atOnce: BATCHES_AT_ONCE,
    // A registrar may take seconds for a batch: another client's names must not wait for it.
    partialAtOnce: () => BATCHES_AT_ONCE,
  });
  const api = hosts.ofKind("registrar", { paceOf: () => pace })(host);
  let opening: Promise<void> | undefined;

  const failed = (why: string): RegistrarAnswer => ({ kind: "failed", registrar: name, host, why });

  function paused(): RegistrarAnswer | undefined {
    const pause = api.pause();
    return pause && failed(`it is not asked for ${Math.ceil(pause.leftMs / 1_000)} s`);
  }

  async function askBatch(domains: readonly string[]): Promise<void> {
    const askedAt = now();
    // The batch may have waited for another one, after which a pause began.
    const pause = paused();
    const reading = pause === undefined ? await readApi(domains) : undefined;
    for (const domain of domains) {
      const answer = reading?.kind === "quotes"
        ? answerOf(reading.quotes.get(domain), askedAt)
        : pause ?? failed(reading?.why ?? "");
      if (answer.kind === "refuses") {
        refusals.set(domain, { answer, until: monotonic() + REFUSAL_MS });
      }
      asking.get(domain)?.resolve(answer);
      asking.delete(domain);
    }
  }

  async function readApi(domains: readonly string[]): Promise<QuoteReading> {
    // What a bug throws is not logged: it could quote a header.
    const reading = await askApi(domains).catch((): QuoteReading => INTERNAL_ERROR);
    api.note(outcomeOf(reading));
    return reading;
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
      default:
        quote satisfies never;
        return failed("its answer is not readable");
    }
  }

  /** Resolves when the batch that is open now is full in time. */
  function batchClosed(): Promise<void> {
    return opening ??= new Promise<void>((resolve) => setTimeout(resolve, lingerMs))
      .finally(() => opening = undefined);
  }

  async function askInBatch(domain: string): Promise<RegistrarAnswer> {
    const known = asking.get(domain);
    if (known !== undefined) return await known.promise;
    const answer = Promise.withResolvers<RegistrarAnswer>();
    asking.set(domain, answer);
    await batchClosed();
    batcher.add(domain);
    return await answer.promise;
  }

  async function askInTurn(domain: string, wait: WaitOptions): Promise<RegistrarAnswer> {
    const asked = await api.ask(() => askInBatch(domain), { outcomeOf: () => NOT_READ, wait });
    return asked.kind === "answered" ? asked.answer : failed("too many names are queued for it");
  }

  return async (domain, wait) => {
    const refusal = refusals.get(domain);
    if (refusal !== undefined && refusal.until > monotonic()) return refusal.answer;
    return paused() ??
      await withDeadline(
        askInTurn(domain, wait),
        deadlineMs,
        failed("it gave no answer in time"),
      );
  };
}

/** What an answer says of the registrar is noted once for its batch. */
const NOT_READ: Outcome = { kind: "unasked" };

function outcomeOf(reading: QuoteReading): Outcome {
  if (reading.kind === "quotes") return { kind: "ok" };
  const { why, pauseMs } = reading;
  return pauseMs > 0 ? { kind: "down", why, pauseMs } : { kind: "unclear", why };
}

const INTERNAL_ERROR: QuoteReading = {
  kind: "failed",
  why: "internal error",
  pauseMs: FAULT_PAUSE_MS,
};
