// @ts-check
/**
 * What results are called and how they are explained: the page, its table without scripts, the command line, MCP and
 * llms.txt share it. A member added to `STATES` does not compile until it has an entry here.
 */

/** @import { Meaning } from "../src/rules/evidence.ts" */
/** @import { Likely, Source, State } from "../src/rules/verdict.ts" */

/**
 * What is read of a row of `/check`.
 * @typedef {object} DomainRow
 * @property {string} domain
 * @property {string} tld
 * @property {State} state
 * @property {readonly string[]} [status]
 * @property {string} source
 * @property {number} responseMs
 * @property {string} checkedAt
 * @property {string | undefined} [reason]
 * @property {string | undefined} [error]
 * @property {string | undefined} [requirements] who may register, where there are conditions
 * @property {Likely | undefined} [likely] what an unknown name most likely is
 * @property {number | undefined} [retryAfter] seconds, where a busy registry is the reason
 * @property {RegistrarPrice | undefined} [offer]
 * @property {readonly ShownEntry[] | undefined} [evidence] if it was asked for
 *
 * @typedef {object} ShownEntry what is read of an entry of `evidence`; a service of another version may have other words
 * @property {string} witness
 * @property {string} host
 * @property {string} said
 * @property {string} means
 * @property {string} askedAt
 * @property {number} ms
 * @property {boolean} cached
 * @property {{ readonly found: string, readonly testedAt?: string | undefined } | undefined} [canary]
 * @property {{ readonly text: string } | undefined} [rule]
 * @property {true | undefined} [unlisted]
 *
 * @typedef {object} RegistrarPrice in US dollars, as `/check` returns it
 * @property {string} registrar
 * @property {number} price
 * @property {number | undefined} [renewal] for each further year
 * @property {number | undefined} [years]
 *
 * @typedef {object} StateEntry
 * @property {string} word
 * @property {string} icon one character, for terminals; the page draws `#icon-<state>`
 * @property {number} sgr the code of its colour on terminals
 * @property {boolean} isAvailable whether the name can be registered
 * @property {string} meaning for documents
 * @property {(row: Pick<DomainRow, "source" | "reason" | "error" | "requirements">) => string} explain how the state is known
 *
 * @typedef {Pick<StateEntry, "word" | "icon" | "sgr"> & { look: string }} LikelyEntry the page has its look in place of
 *   the state's: `#icon-<look>` and `data-state`
 */

/**
 * How it is known that a name is taken. Without a prototype: a service of another version may have other sources.
 * @type {Readonly<Record<Source, string>> & { readonly __proto__: null }}
 */
const TAKEN_BY = {
  __proto__: null,
  dns: "found in DNS",
  rdap: "registered, not in DNS",
  whois: "registered, not in DNS",
};

/**
 * @param {string} known
 * @returns {StateEntry["explain"]}
 */
function withRequirements(known) {
  return ({ requirements }) =>
    requirements === undefined ? known : `${known}; only for: ${requirements}`;
}

/** Each state, in the order in which states are counted. @type {Readonly<Record<State, StateEntry>>} */
export const STATE_ENTRIES = {
  available: {
    word: "Available",
    icon: "✓",
    sgr: 32,
    isAvailable: true,
    meaning: "not in the registry; a registrar can still refuse it or ask more",
    explain: withRequirements("not in the registry"),
  },
  premium: {
    word: "Premium",
    icon: "$",
    sgr: 33,
    isAvailable: true,
    meaning: "available, at a higher price",
    explain: withRequirements("not in the registry, premium price"),
  },
  taken: {
    word: "Taken",
    icon: "✗",
    sgr: 31,
    isAvailable: false,
    meaning: "registered",
    explain: ({ source }) =>
      TAKEN_BY[/** @type {Source} */ (source.replace("+cache", ""))] ?? "registered",
  },
  reserved: {
    word: "Reserved",
    icon: "⊘",
    sgr: 35,
    isAvailable: false,
    meaning: "cannot be registered; `reason` explains",
    explain: ({ reason }) => reason ?? "reserved by the registry",
  },
  unknown: {
    word: "Unknown",
    icon: "?",
    sgr: 36,
    isAvailable: false,
    meaning: "not determined, so not available; `error` explains",
    explain: ({ error }) => error ?? "no reason was given",
  },
};

/**
 * What an unknown name most likely is: a word and a look, but no state, so nothing counts, sorts or filters by it.
 * Without a prototype: a service of another version may have other words.
 * @type {Readonly<Record<Likely, LikelyEntry>> & { readonly __proto__: null }}
 */
export const LIKELY_ENTRIES = {
  __proto__: null,
  available: { word: "Probably available", icon: "≈", sgr: 94, look: "likely-available" },
  taken: { word: "Probably taken", icon: "≉", sgr: 91, look: "likely-taken" },
};

const ORDERED_STATES = /** @type {readonly State[]} */ (Object.keys(STATE_ENTRIES));

/**
 * The state of a row. A page that stays open while the service is updated may get one that it does not know.
 * @param {Pick<DomainRow, "state">} row
 * @returns {State}
 */
export function readState({ state }) {
  return Object.hasOwn(STATE_ENTRIES, state) ? state : "unknown";
}

/**
 * The entry of what an unknown row most likely is; undefined if that is not known.
 * @param {Pick<DomainRow, "state" | "likely">} row
 * @returns {LikelyEntry | undefined}
 */
export function likelyEntryOf(row) {
  if (readState(row) !== "unknown") return undefined;
  return LIKELY_ENTRIES[/** @type {Likely} */ (row.likely)];
}

/**
 * How the state of a row is known, in one sentence.
 * @param {Pick<DomainRow, "state" | "source" | "reason" | "error" | "requirements">} row
 */
export function explain(row) {
  return STATE_ENTRIES[readState(row)].explain(row);
}

/**
 * The same with the response time and the age of the result, part by part.
 * @param {Omit<DomainRow, "domain" | "tld">} row
 * @param {number} now
 */
export function evidenceOf(row, now) {
  if (readState(row) === "unknown") return [explain(row)];
  return [explain(row), ...(row.offer ? [registrarPriceOf(row.offer)] : []), ...timesOf(row, now)];
}

/** The words of an evidence entry's `means`, each with its meaning. @type {Readonly<Record<Meaning, string>>} */
export const MEANINGS = {
  delegated: "DNS has name servers for the name",
  not_delegated: "the resolver answered without name servers",
  blind: "the resolver does not show a name that is registered, so its answer does not count",
  invalid: "no DNS query can carry such a name",
  registered: "a record of exactly this name",
  not_found: "no such name",
  premium: "not registered, at a premium price",
  reserved: "not registered, and reserved, blocked or auctioned",
  unread: "no such name, with a text that no rule reads",
  limited: "the registry asked for fewer requests",
  no_answer: "no answer in time, or a server error",
  unclear: "an answer that is neither a record nor a well-formed 404",
  not_asked: "no query was sent: by a rule, for a pause or a full queue, or the client left",
  not_in_service: "the server is switched off, has not passed a test, or cannot be reached",
  no_server: "no server is known for this TLD",
  sells: "the registrar sells the name",
  sells_premium: "the registrar sells the name at a premium price",
  refuses: "the registrar sells names of this TLD, but not this one",
  failed: "no answer that can be used",
  for_sale: "the holder offers the name for sale",
  parked: "the name servers are those of a parking or auction house",
};

/**
 * Who was asked, what the answer means, and how it came.
 * @param {Omit<ShownEntry, "said">} entry
 * @param {number} now
 */
export function wordsOfEntry(entry, now) {
  const { witness, host, means, askedAt, ms, cached, canary, rule, unlisted } = entry;
  const [kind = "", registrar] = witness.split(":");
  const who = registrar === undefined ? kind.toUpperCase() : `Registrar ${registrar}`;
  const tested = canary?.testedAt === undefined ? "" : `, ${ageOf(canary.testedAt, now)}`;
  const about = [
    cached ? "cached" : timeOf(ms),
    ageOf(askedAt, now),
    ...(canary === undefined ? [] : [`test of its “not found”: ${canary.found}${tested}`]),
    ...(rule === undefined ? [] : [`rule: ${rule.text}`]),
    ...(unlisted === undefined ? [] : ["IANA does not list this server"]),
  ];
  return {
    who: `${who} ${host}`.trim(),
    meaning: Object.hasOwn(MEANINGS, means) ? MEANINGS[/** @type {Meaning} */ (means)] : means,
    about: about.join(" · "),
  };
}

/**
 * What a registrar asks for a name.
 * @param {RegistrarPrice} price
 */
export function registrarPriceOf({ registrar, price, renewal, years = 1 }) {
  const term = years === 1 ? "" : ` for ${years} years`;
  const then = renewal === undefined ? "" : `, then $${renewal.toFixed(2)} a year`;
  return `$${price.toFixed(2)}${term} at ${registrar}${then}`;
}

/**
 * How many rows there are of each state, such as "7 available, 11 taken".
 * @param {(state: State) => number} countOf
 */
export function countsInWords(countOf) {
  return ORDERED_STATES.filter((state) => countOf(state) > 0)
    .map((state) => `${countOf(state)} ${STATE_ENTRIES[state].word.toLowerCase()}`)
    .join(", ");
}

/**
 * What is read of an answer of `/v1/ens/check`.
 * @typedef {object} EthAnswer
 * @property {string} name
 * @property {boolean} available
 * @property {string | undefined} [owner]
 * @property {EthPrice | undefined} [registrationPrice]
 * @property {string | undefined} [expiresAt]
 * @property {string | undefined} [graceEndsAt] until then only the owner of an expired name can renew it
 * @property {string | undefined} [premiumEndsAt]
 * @property {string} source
 * @property {number} responseMs
 * @property {string} checkedAt
 *
 * @typedef {Pick<EthAnswer, "owner" | "expiresAt" | "graceEndsAt" | "premiumEndsAt"> & { checkedAt?: string }} EthFacts
 *   what the explanation of a state needs
 *
 * @typedef {{ eth: string, usdEstimate: number, premiumWei?: string | undefined }} EthPrice
 */

/** The states of a .eth name: its contracts reserve none, and a failed check has no answer. */
/** @typedef {Exclude<State, "reserved" | "unknown">} EthState */

/**
 * The state of a .eth name.
 * @param {Pick<EthAnswer, "available" | "registrationPrice">} answer
 * @returns {EthState}
 */
export function ethStateOf({ available, registrationPrice }) {
  if (!available) return "taken";
  return Number(registrationPrice?.premiumWei ?? 0) > 0 ? "premium" : "available";
}

/**
 * How the state of a .eth name is known, in one sentence.
 * @param {Pick<EthAnswer, "available" | "registrationPrice"> & EthFacts} answer
 */
export function explainEth(answer) {
  const { owner, expiresAt, graceEndsAt, premiumEndsAt, checkedAt } = answer;
  switch (ethStateOf(answer)) {
    case "available":
      return "not registered";
    case "premium": {
      const end = premiumEndsAt ? ` until ${premiumEndsAt.slice(0, 10)}` : "";
      return `not registered, premium falls daily${end}`;
    }
    case "taken": {
      const held = owner === undefined ? "registered" : `held by ${owner}`;
      const isExpired = Date.parse(expiresAt ?? "") < Date.parse(checkedAt ?? "");
      // Until then only its owner can renew it.
      const graceEnd = isExpired ? graceEndsAt?.slice(0, 10) : undefined;
      return graceEnd === undefined ? held : `expired, in grace until ${graceEnd}: ${held}`;
    }
  }
}

/**
 * The same with a shortened owner, the response time and the age of the result, part by part.
 * @param {EthAnswer} answer
 * @param {number} now
 */
export function ethEvidenceOf(answer, now) {
  const owner = answer.owner?.replace(/^(.{6}).+(.{4})$/, "$1…$2");
  return [explainEth({ ...answer, owner }), ...timesOf(answer, now)];
}

/**
 * The price of a .eth name, such as "0.002 ETH ≈ $5 a year".
 * @param {EthPrice} price
 */
export function ethPriceOf({ eth, usdEstimate, premiumWei = "0" }) {
  const shown = Number(eth).toLocaleString("en", { maximumSignificantDigits: 3 });
  const premium = Number(premiumWei) / 1e18;
  if (premium === 0) return `${shown} ETH ≈ $${usdEstimate} a year`;
  // The estimate is that of the price without the premium, which gives the rate. The premium is paid once.
  const usd = usdEstimate / (Number(eth) - premium) * Number(eth);
  const dollars = usd.toLocaleString("en", { maximumSignificantDigits: 3 });
  return `${shown} ETH ≈ $${dollars} for the first year`;
}

/**
 * How long an answer took, unless it was cached, and how old it is.
 * @param {Pick<DomainRow, "source" | "responseMs" | "checkedAt">} answer
 * @param {number} now
 */
function timesOf({ source, responseMs, checkedAt }, now) {
  const took = source.endsWith("+cache") ? [] : [timeOf(responseMs)];
  return [...took, ageOf(checkedAt, now)];
}

/** @param {number} ms */
function timeOf(ms) {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/**
 * How old a result is.
 * @param {string} checkedAt
 * @param {number} now
 */
export function ageOf(checkedAt, now) {
  const seconds = Math.round((now - Date.parse(checkedAt)) / 1_000);
  if (!(seconds >= 10)) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  return `${Math.floor(seconds / 3_600)} h ago`;
}

/** The first characters of a spreadsheet formula, also in their full-width forms. */
const FORMULA = /^[=+\-@＝＋－＠]/;

/** A text as a cell of CSV (RFC 4180), safe to open in a spreadsheet: quoted where it must be, and never a formula. @param {string} text */
export function csvCell(text) {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
