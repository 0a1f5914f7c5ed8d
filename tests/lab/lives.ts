/** Names that go through their lives at registries of seven kinds, by a clock of days since the start. */
import { GODADDY, NOMINET } from "./back_ends.ts";
import { startDirectedLab } from "./directed_lab.ts";
import type { HttpBehaviour } from "./http_behaviour.ts";
import { ianaTable } from "./iana_table.ts";
import { rdapBehaviours } from "./rdap_behaviours.ts";
import { notFoundReply, registeredReply } from "./registry_replies.ts";
import { REGISTRIES, type Registry, registryOf } from "./registries.ts";
import type { WhoisBehaviour } from "./whois_behaviours.ts";
import { startWhoisServer } from "./whois_server.ts";

/** What a registry shows of a name from a day on. */
export interface Moment {
  /** Days since the start. */
  from: number;
  /** `record`: with these statuses; absent: the usual ones. */
  rdap: "record" | "free" | "expiryAccessPeriod";
  statuses?: readonly string[];
  /** Whether DNS has name servers for it. */
  isDelegated?: true;
  /** Whether the registry has moved the expiry a year ahead. */
  isRenewed?: true;
  whois?: WhoisBehaviour;
}

/** A name and its life; it expires on the fifth day. */
export interface Life {
  domain: string;
  moments: readonly Moment[];
  /** When the registry deletes it for good. */
  purgedOn: number;
  /** From when on it can be registered. */
  freeFrom: number;
}

/** The day on which each name expires. */
export const EXPIRES_ON = 5;

const REGISTERED = { from: 0, rdap: "record", isDelegated: true } as const;
/** Renewed by the registry at expiry, deleted by its registrar on day 20, purged 35.5 days later. */
const GENERIC: readonly Moment[] = [
  REGISTERED,
  { from: 5, rdap: "record", statuses: ["auto renew period"], isDelegated: true, isRenewed: true },
  { from: 20, rdap: "record", statuses: ["redemption period", "pending delete"], isRenewed: true },
  { from: 50.5, rdap: "record", statuses: ["pending delete"], isRenewed: true },
];

/** One name of each kind but .eth. */
export const LIVES: readonly Life[] = [
  {
    domain: "one-life.com",
    moments: [...GENERIC, { from: 55.5, rdap: "free" }],
    purgedOn: 55.5,
    freeFrom: 55.5,
  },
  {
    domain: "one-life.org",
    moments: [
      ...GENERIC,
      { from: 55.5, rdap: "free", whois: "dropzone" },
      { from: 56.4, rdap: "free" },
    ],
    purgedOn: 55.5,
    freeFrom: 56.4,
  },
  {
    domain: "one-life.app",
    moments: [
      ...GENERIC,
      { from: 55.5, rdap: "expiryAccessPeriod" },
      { from: 65.5, rdap: "free" },
    ],
    purgedOn: 55.5,
    freeFrom: 65.5,
  },
  {
    domain: "one-life.uk",
    moments: [
      REGISTERED,
      { from: 35, rdap: "record", statuses: ["inactive"] },
      { from: 97.5, rdap: "free" },
    ],
    purgedOn: 97.5,
    freeFrom: 97.5,
  },
  {
    domain: "one-life.se",
    moments: [
      REGISTERED,
      { from: 15, rdap: "record", statuses: ["server hold"] },
      { from: 75.5, rdap: "free" },
    ],
    purgedOn: 75.5,
    freeFrom: 75.5,
  },
  {
    domain: "one-life.io",
    moments: [...GENERIC, { from: 55.5, rdap: "free" }],
    purgedOn: 55.5,
    freeFrom: 55.5,
  },
];

/** TLDs that are not built in, at hosts of their own. */
const FURTHER: readonly Registry[] = [
  { host: "rdap.uk.lab", backEnd: NOMINET, bases: { uk: "/uk/" }, latencyMs: 0 },
  { host: "rdap.se.lab", backEnd: GODADDY, bases: { se: "/" }, latencyMs: 0 },
];

const DAY_MS = 86_400_000;
/** Names that a test of a registry asks for. */
const KNOWN = /^(?:google|nic|amazon|taken)\./;

/** Starts a lab of these registries; `now` is its clock. */
export async function startLives({ start, now }: { start: number; now: () => number }) {
  const registries = LIVES.map(({ domain }) => registryAt(tldOf(domain)));
  const momentOf = (domain: string): Moment | undefined => {
    const life = LIVES.find((life) => life.domain === domain);
    const day = (now() - start) / DAY_MS;
    if (life !== undefined) return life.moments.findLast(({ from }) => from <= day);
    return KNOWN.test(domain) ? REGISTERED : undefined;
  };

  function reply(registry: Registry, domain: string): HttpBehaviour {
    const moment = momentOf(domain);
    if (moment === undefined || moment.rdap === "free") return notFoundReply(registry, domain);
    if (moment.rdap !== "record") return rdapBehaviours[moment.rdap](registry, domain);
    const dateOf = (day: number) => new Date(start + day * DAY_MS).toISOString();
    const expires = EXPIRES_ON + (moment.isRenewed ? 365 : 0);
    const found = registeredReply(registry, domain, moment.statuses);
    const events = [
      { eventAction: "registration", eventDate: dateOf(-1_000) },
      { eventAction: "last changed", eventDate: dateOf(moment.from) },
      { eventAction: "expiration", eventDate: dateOf(expires) },
    ];
    return { ...found, body: { ...found.body as object, events } };
  }

  const requests: string[] = [];
  const moved = Object.fromEntries(LIVES.map(({ domain }, place) => {
    const tld = tldOf(domain);
    const { host, bases } = registries[place] ?? registryAt(tld);
    return [tld, `http://${host}${bases[tld]}`];
  }));
  const lab = await startDirectedLab({
    isDelegated: (name) => momentOf(name)?.isDelegated === true,
    answer({ host }, domain) {
      const registry = registries.find((one) => one.host === host);
      requests.push(domain);
      return registry === undefined ? { kind: "empty", status: 404 } : reply(registry, domain);
    },
  }, ianaTable(REGISTRIES, { moved }).services);
  const whois = await startWhoisServer({
    answer(domain) {
      const { rdap, whois } = momentOf(domain) ?? { rdap: "free" };
      return whois ?? (rdap === "record" ? "record" : "denial");
    },
  });
  return {
    lab: { ...lab, whoisServer: whois.address },
    /** The domains that registries were asked for. */
    requests,
    async [Symbol.asyncDispose]() {
      await Promise.all([lab[Symbol.asyncDispose](), whois.close()]);
    },
  };
}

function tldOf(domain: string): string {
  return domain.slice(domain.indexOf(".") + 1);
}

function registryAt(tld: string): Registry {
  const registry = FURTHER.find(({ bases }) => tld in bases) ?? registryOf(tld);
  if (registry === undefined) throw new Error(`Cannot find a registry of ${tld}`);
  return registry;
}
