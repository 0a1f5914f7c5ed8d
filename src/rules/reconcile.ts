/**
 * Weighs what WHOIS and registrars say against the verdict on DNS and RDAP, as one pure function. Neither can make a
 * name available: they take `available` away, or add a price. A WHOIS record also proves "taken" where RDAP has no
 * usable answer.
 *
 * | verdict by RDAP    | WHOIS says          | result                                       |
 * | ------------------ | ------------------- | -------------------------------------------- |
 * | taken, reserved    | anything            | unchanged                                    |
 * | available, premium | record of the name  | unknown: two servers of the registry differ  |
 * | available, premium | reserved            | reserved                                     |
 * | available, premium | premium             | premium                                      |
 * | available, premium | words no phrase has | unknown                                      |
 * | unknown            | record of the name  | taken                                        |
 * | unknown            | the same, server untested | unknown, likely taken                  |
 * | unknown, RDAP down | no such name        | unknown, probably available                  |
 * | unknown, no RDAP   | no such name        | unknown, likely available                    |
 * | unknown, RDAP down or none, TLD sells at the third level | no such name | reserved, or unknown if that is disputed |
 * | unknown, no RDAP   | reserved            | reserved                                     |
 * | available, premium | needed, not asked   | unknown, likely available                    |
 * | unknown, to be asked again | needed, not asked | the same, asked again when both can be |
 * | any                | no answer, no server in service | unchanged                        |
 *
 * | verdict with WHOIS | registrars          | result                                       |
 * | ------------------ | ------------------- | -------------------------------------------- |
 * | available, premium | one says premium    | premium, with its offer if it has one        |
 * | available, premium | one sells it        | the same with the offer                      |
 * | available, premium | none sells it, one refuses | unknown                               |
 * | any other          | anything            | unchanged: a registrar may resell what is taken |
 */
import type { RegistrarAnswer, WhoisAnswer } from "./answer.ts";
import {
  decideByLevel,
  PREMIUM,
  REGISTERED,
  RESERVED,
  stateOf,
  unknown as unknownVerdict,
  type UnknownCause,
  type Verdict,
} from "./verdict.ts";

/** What further witnesses say; a witness that was not asked is absent. */
export interface FurtherAnswers {
  readonly whois?: WhoisAnswer | undefined;
  readonly registrars?: readonly RegistrarAnswer[];
}

/** The verdict in view of what further witnesses say. */
export function reconcile(verdict: Verdict, { whois, registrars = [] }: FurtherAnswers): Verdict {
  const weighed = whois === undefined ? verdict : weighWhois(verdict, whois);
  return weighed.available ? weighRegistrars(weighed, registrars) : weighed;
}

/** Whether a verdict can change by what WHOIS says. */
export function mayWhoisChange(verdict: Verdict): boolean {
  return verdict.available || (stateOf(verdict) === "unknown" && verdict.cause !== "cancelled");
}

function weighWhois(verdict: Verdict, whois: WhoisAnswer): Verdict {
  if (!mayWhoisChange(verdict)) return verdict;
  switch (whois.kind) {
    case "registered":
      if (verdict.available) return DISPUTED;
      if (whois.test !== undefined) return { ...verdict, likely: "taken" };
      return { ...REGISTERED, source: "whois" };
    case "reserved":
      if (!verdict.available && verdict.cause !== "unlisted") return verdict;
      return {
        ...RESERVED,
        source: "whois",
        reason: `The registry's WHOIS says: "${whois.words}"`,
      };
    case "premium":
      return verdict.available ? PREMIUM : verdict;
    case "unread":
      return verdict.available
        ? unknown(
          "whois_unread",
          `The registry's WHOIS answers otherwise than about a random name: "${whois.words}"`,
        )
        : verdict;
    case "notFound":
      if (verdict.cause !== "unlisted" && !isRegistryMissing(verdict)) return verdict;
      if (whois.level !== undefined) return decideByLevel(whois.level);
      return verdict.cause === "unlisted"
        ? withoutRdap(verdict)
        : { ...verdict, error: `${verdict.error}; its WHOIS has no record, so probably available` };
    case "missing": {
      const retryAfter = Math.ceil(whois.retryAfterMs / 1_000);
      if (verdict.available) return withoutNeeded(whois.fault, retryAfter);
      // Asked again before WHOIS has a turn, the name would be unknown again.
      if ((verdict.retryAfter ?? Infinity) >= retryAfter) return verdict;
      const error = `${verdict.error}; its WHOIS, which is needed, in ${retryAfter} s`;
      return { ...verdict, error, retryAfter };
    }
    case "failed":
    case "absent":
      return verdict;
    default:
      whois satisfies never;
      return UNREADABLE_WITNESS;
  }
}

/** The verdict where only the registry's WHOIS server or availability service denies the name, unprotected. */
function withoutRdap(verdict: Verdict): Verdict {
  const error = `${verdict.error}; the registry's WHOIS has no record, so probably available`;
  return { ...verdict, error, likely: "available" };
}

/** The verdict where the registry denies the name and a witness that is needed did not answer. */
function withoutNeeded(fault: MissingFault, retryAfter: number): Verdict {
  return {
    ...unknown(
      "whois_missing",
      `The registry has no such name, but its WHOIS server, which tells the names that it withholds, ${
        WHOIS_FAULTS[fault]
      }`,
    ),
    likely: "available",
    retryAfter,
  };
}

type MissingFault = Extract<WhoisAnswer, { kind: "missing" }>["fault"];

const WHOIS_FAULTS: Readonly<Record<MissingFault, string>> = {
  limited: "refuses our queries",
  down: "did not answer",
  unclear: "has trouble",
  unasked: "could not be asked yet",
};

/** Whether RDAP gave no answer: only then does WHOIS say more than RDAP. */
function isRegistryMissing({ cause }: Verdict): boolean {
  return String(cause).startsWith("registry");
}

function weighRegistrars(verdict: Verdict, answers: readonly RegistrarAnswer[]): Verdict {
  let premium: Verdict | undefined;
  let sold: Verdict | undefined;
  let refused: Verdict | undefined;
  for (const answer of answers) {
    switch (answer.kind) {
      case "sells":
        if (answer.offer.premium) return { ...PREMIUM, offer: answer.offer };
        sold ??= { ...verdict, offer: answer.offer };
        break;
      case "premium":
        premium = PREMIUM;
        break;
      case "refuses":
        refused ??= notSold(answer.registrar);
        break;
      case "failed":
        break;
      default:
        answer satisfies never;
        return UNREADABLE_WITNESS;
    }
  }
  return premium ?? sold ?? refused ?? verdict;
}

const DISPUTED = unknown(
  "whois",
  "The registry's RDAP server has no such name, but its WHOIS server has a record of it",
);

/** The verdict for a value outside its union, which can only be data of another version. */
const UNREADABLE_WITNESS = unknown(
  "unreadable",
  "A witness's answer for this name is not readable",
);

/** The verdict of a renewal that would be available: it must not be cached before a registrar was asked. */
export const REGISTRARS_NOT_ASKED: Verdict = unknown("registrar", "No registrar was asked");

function notSold(registrar: string): Verdict {
  return unknown(
    "registrar",
    `The registry has no such name, but ${registrar} does not sell it: it may be reserved, blocked, or just registered`,
  );
}

function unknown(cause: UnknownCause, error: string): Verdict {
  return { ...unknownVerdict("rdap", cause, error), status: ["unknown", "undelegated"] };
}
