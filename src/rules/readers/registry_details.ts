/**
 * Reads what a registry's record of a domain (RFC 9083 §5.3) says about the registration, into a closed type.
 *
 * A record may hold names, addresses and telephone numbers of people at any depth, so nothing is copied as it is: dates,
 * words of a table, host names, one flag, a number; and the name of the registrar, read from that entity alone and only if
 * it looks like neither an address nor a telephone number.
 */
import { isObject, type JsonObject } from "./http_message.ts";
import { cleanText } from "./statements.ts";

/** What a registry's record says about a registration; dates are ISO 8601 in UTC. */
export interface RegistryDetails {
  readonly registrar?: RegistrarOfRecord;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly expiresAt?: string;
  readonly status: readonly StatusWord[];
  readonly nameServers: readonly string[];
  /** Whether the delegation is signed; absent if the record does not tell. */
  readonly dnssec?: boolean;
}

/** The registrar that a record names; a record without its name has its number. */
interface RegistrarOfRecord {
  readonly name?: string | undefined;
  /** Its number at IANA. */
  readonly ianaId?: number | undefined;
}

/** The status words of a domain in RDAP (RFC 8056, RFC 9083 §10.2.2). */
export const STATUS_WORDS = [
  "active",
  "inactive",
  "locked",
  "add period",
  "auto renew period",
  "renew period",
  "transfer period",
  "redemption period",
  "pending create",
  "pending delete",
  "pending renew",
  "pending restore",
  "pending transfer",
  "pending update",
  "client delete prohibited",
  "client hold",
  "client renew prohibited",
  "client transfer prohibited",
  "client update prohibited",
  "server delete prohibited",
  "server hold",
  "server renew prohibited",
  "server transfer prohibited",
  "server update prohibited",
] as const;

/** A word of `STATUS_WORDS`. */
export type StatusWord = typeof STATUS_WORDS[number];

/** By its letters: registries write `client hold`, `clientHold` and `CLIENT_HOLD`. */
const WORDS: ReadonlyMap<string, StatusWord> = new Map([
  ...STATUS_WORDS.map((word): [string, StatusWord] => [lettersOf(word), word]),
  // EPP's word.
  ["ok", "active"],
]);

/** The zone of a domain has 13 name servers at most, by the size of a DNS answer. */
const MAX_NAME_SERVERS = 13;
/** Of the parts of a record that are read; none has more. */
const MAX_PARTS = 100;
const MAX_REGISTRAR_LENGTH = 100;

const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z0-9-]{2,63}$/;
const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i;
/** RFC 3339 demands a zone; `Date` would read a time without one as the host's local time. */
const ZONELESS_END = /T[\d:.]+$/i;

/** The roles that say nothing about a person. */
const REGISTRAR_ROLES = new Set(["registrar", "sponsor"]);
/** An e-mail address or a URL; or six digits with nothing but punctuation between, as in a telephone number. */
const CONTACT = /@|:\/\/|\d(?:[^\p{L}\d]*\d){5}/u;

/** Reads the record; what is missing or unreadable is left out. */
export function readDetails(record: JsonObject): RegistryDetails {
  return detailsOf({
    registrar: readRegistrar(record),
    createdAt: dateOf(record, CREATED),
    updatedAt: dateOf(record, UPDATED),
    expiresAt: dateOf(record, EXPIRES),
    status: listOf(record.status),
    nameServers: objectsOf(record.nameservers).map(({ ldhName }) => ldhName),
    dnssec: readDnssec(record.secureDNS),
  });
}

/** What was read of a record, in any form; status and name servers in its own words. */
type ReadRecord = {
  readonly [Fact in keyof Required<RegistryDetails>]: Fact extends "status" | "nameServers"
    ? readonly unknown[]
    : RegistryDetails[Fact] | undefined;
};

/** The details of what is there, and can be. */
export function detailsOf(
  { registrar, createdAt, updatedAt, expiresAt, dnssec, ...read }: ReadRecord,
): RegistryDetails {
  // A registration that ends before it begins has a wrong date, and which of the two is not known.
  const isPossible = !createdAt || !expiresAt || createdAt <= expiresAt;
  const nameServers = new Set(read.nameServers.flatMap((name) => hostName(name) ?? []));
  return {
    ...(registrar && { registrar }),
    ...(isPossible && createdAt && { createdAt }),
    ...(updatedAt && { updatedAt }),
    ...(isPossible && expiresAt && { expiresAt }),
    status: statusWords(read.status),
    nameServers: [...nameServers].slice(0, MAX_NAME_SERVERS),
    ...(dnssec !== undefined && { dnssec }),
  };
}

/** The words of the table among those of a record. */
function statusWords(words: readonly unknown[]): StatusWord[] {
  const known = words.flatMap((word) =>
    typeof word === "string" && word.length <= 50 ? WORDS.get(lettersOf(word)) ?? [] : []
  );
  return [...new Set(known)];
}

function lettersOf(word: string): string {
  return word.replace(/[^a-z]/gi, "").toLowerCase();
}

/** A host's name in lower case without the root's dot; undefined if it is none. */
function hostName(text: unknown): string | undefined {
  if (typeof text !== "string" || text.length > 254) return undefined;
  const name = text.toLowerCase().replace(/\.$/, "");
  return HOST_NAME.test(name) ? name : undefined;
}

/** Years that a date of a registration can have: some registries write 9999 for "never", and 0001 for no date. */
const FIRST_YEAR = 1980;
const LAST_YEAR = 2200;

/** The events "registration", "last changed" and "expiration" (RFC 9083 §10.2.3), and what registries call them besides. */
const CREATED = /^(?:domain )?(?:registration|registered|created|creation)(?: date)?$/i;
const UPDATED = /^(?:last (?:changed?|updated?|modified)|updated|changed|modified)(?: date)?$/i;
const EXPIRES = /^(?:domain |record )?(?:expir(?:ation|y|es|ed))(?: date)?$/i;

/** The date of the first event of this kind that has one that can be. */
function dateOf({ events }: JsonObject, kind: RegExp): string | undefined {
  for (const { eventAction, eventDate } of objectsOf(events)) {
    if (typeof eventAction !== "string" || typeof eventDate !== "string") continue;
    const date = kind.test(eventAction) ? isoDate(eventDate) : undefined;
    if (date !== undefined) return date;
  }
}

/** The time in UTC of a text as RFC 3339 has it; undefined if the calendar or a registration cannot have it. */
export function isoDate(text: string): string | undefined {
  const time = TIME.exec(text);
  if (time === null || !isDay(time.slice(1).map(Number))) return undefined;
  const date = new Date(time[0].replace(ZONELESS_END, "$&Z"));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Whether the calendar has the day: `Date` reads February 30 as March 2. */
function isDay([year = 0, month = 0, day = 0]: readonly number[]): boolean {
  const isPossible = year >= FIRST_YEAR && year <= LAST_YEAR;
  return isPossible && new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}

/** The flag, or where it is missing whether there are the records of a signed delegation. */
function readDnssec(secureDns: unknown): boolean | undefined {
  if (!isObject(secureDns)) return undefined;
  const { delegationSigned, dsData, keyData } = secureDns;
  if (typeof delegationSigned === "boolean") return delegationSigned;
  return [dsData, keyData].some((data) => listOf(data).length > 0) || undefined;
}

/**
 * The registrar, from an entity that is nothing else: some registries list a person who is both in one entity. Without a card it
 * may have that of an organisation below it.
 */
function readRegistrar({ entities }: JsonObject): RegistrarOfRecord | undefined {
  for (const entity of objectsOf(entities)) {
    const roles = listOf(entity.roles);
    const isRegistrar = roles.includes("registrar") &&
      roles.every((role) => typeof role === "string" && REGISTRAR_ROLES.has(role));
    if (!isRegistrar) continue;
    const below = entity.vcardArray === undefined ? objectsOf(entity.entities) : [];
    const name = readName(entity.vcardArray) ??
      below.map(({ vcardArray }) => readName(vcardArray, "org")).find((name) => name);
    const ianaId = readIanaId(entity.publicIds);
    if (name === undefined && ianaId === undefined) continue;
    return { ...(name !== undefined && { name }), ...(ianaId !== undefined && { ianaId }) };
  }
}

/** The name on a jCard (RFC 7095), unless it is that of a person; `kind`: the only kind that is read. */
function readName(vcard: unknown, kind?: "org"): string | undefined {
  const properties = listOf(listOf(vcard)[1]).map(listOf);
  const valueOf = (name: string) => properties.find(([property]) => property === name)?.[3];
  const name = valueOf("fn");
  const kinds = [valueOf("kind")].flat().map((word) =>
    typeof word === "string" ? word.toLowerCase() : ""
  );
  const isRead = kind === undefined ? !kinds.includes("individual") : kinds.includes(kind);
  return isRead && typeof name === "string" ? registrarName(name) : undefined;
}

/** A registrar's name, unless it looks like an address or a telephone number. */
export function registrarName(text: string): string | undefined {
  const words = cleanText(text);
  const isName = words !== "" && words.length <= MAX_REGISTRAR_LENGTH && !CONTACT.test(words);
  return isName ? words : undefined;
}

function readIanaId(publicIds: unknown): number | undefined {
  const row = objectsOf(publicIds).find(({ type }) => type === "IANA Registrar ID");
  const { identifier = "" } = row ?? {};
  const id = typeof identifier === "number" ? `${identifier}` : identifier;
  return typeof id === "string" && /^\d{1,5}$/.test(id) ? Number(id) : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_PARTS) : [];
}

function objectsOf(value: unknown): readonly JsonObject[] {
  return listOf(value).filter(isObject);
}
