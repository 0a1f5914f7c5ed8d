/**
 * Reads what a registry's record of a domain (RFC 9083 §5.3) says about the registration, into a closed type.
 *
 * A record may hold names, addresses and telephone numbers of people at any depth, so nothing is copied as it is: dates,
 * words of a table, host names, one flag, a number; and the name of the registrar, read from that entity alone and only if
 * it looks like neither an address nor a telephone number.
 */
import { isObject, type JsonObject } from "./parse_json.ts";
import { quoteText } from "./statements.ts";

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

/** The registrar that a record names. */
interface RegistrarOfRecord {
  readonly name: string;
  /** Its number at IANA. */
  readonly ianaId?: number;
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
  const registrar = readRegistrar(record);
  const created = dateOf(record, "registration");
  const updatedAt = dateOf(record, "last changed");
  const expires = dateOf(record, "expiration");
  // A registration that ends before it begins has a wrong date, and which of the two is not known.
  const isPossible = created === undefined || expires === undefined || created <= expires;
  const [createdAt, expiresAt] = isPossible ? [created, expires] : [];
  const dnssec = readDnssec(record.secureDNS);
  return {
    ...(registrar && { registrar }),
    ...(createdAt && { createdAt }),
    ...(updatedAt && { updatedAt }),
    ...(expiresAt && { expiresAt }),
    status: [...new Set(listOf(record.status).flatMap(readStatus))],
    nameServers: readNameServers(record),
    ...(dnssec !== undefined && { dnssec }),
  };
}

function readStatus(word: unknown): StatusWord[] {
  if (typeof word !== "string" || word.length > 50) return [];
  const known = WORDS.get(lettersOf(word));
  return known === undefined ? [] : [known];
}

function lettersOf(word: string): string {
  return word.replace(/[^a-z]/gi, "").toLowerCase();
}

function readNameServers({ nameservers }: JsonObject): readonly string[] {
  const names = objectsOf(nameservers).flatMap(({ ldhName }) => {
    if (typeof ldhName !== "string" || ldhName.length > 254) return [];
    const name = ldhName.toLowerCase().replace(/\.$/, "");
    return HOST_NAME.test(name) ? [name] : [];
  });
  return [...new Set(names)].slice(0, MAX_NAME_SERVERS);
}

/** Years that a date of a registration can have: some registries write 9999 for "never", and 0001 for no date. */
const FIRST_YEAR = 1980;
const LAST_YEAR = 2200;

/** The date of the first event of this kind that has one that can be. */
function dateOf({ events }: JsonObject, action: string): string | undefined {
  for (const { eventAction, eventDate } of objectsOf(events)) {
    const time = eventAction === action && typeof eventDate === "string" && TIME.exec(eventDate);
    if (!time || !isDay(time.slice(1).map(Number))) continue;
    const date = new Date(time[0].replace(ZONELESS_END, "$&Z"));
    if (!Number.isNaN(date.getTime())) return date.toISOString();
  }
}

/** Whether the calendar has the day: `Date` reads February 30 as March 2. */
function isDay([year = 0, month = 0, day = 0]: readonly number[]): boolean {
  const isPossible = year >= FIRST_YEAR && year <= LAST_YEAR;
  return isPossible && new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}

function readDnssec(secureDns: unknown): boolean | undefined {
  const isSigned = isObject(secureDns) ? secureDns.delegationSigned : undefined;
  return typeof isSigned === "boolean" ? isSigned : undefined;
}

/** The registrar, from an entity that is nothing else: some registries list a person who is both in one entity. */
function readRegistrar({ entities }: JsonObject): RegistrarOfRecord | undefined {
  for (const entity of objectsOf(entities)) {
    const roles = listOf(entity.roles);
    const isRegistrar = roles.includes("registrar") &&
      roles.every((role) => REGISTRAR_ROLES.has(String(role)));
    const name = isRegistrar ? readName(entity.vcardArray) : undefined;
    if (name === undefined) continue;
    const ianaId = readIanaId(entity.publicIds);
    return { name, ...(ianaId !== undefined && { ianaId }) };
  }
}

/** The name on a jCard (RFC 7095), unless it is that of a person. */
function readName(vcard: unknown): string | undefined {
  const properties = listOf(listOf(vcard)[1]).map(listOf);
  const valueOf = (name: string) => properties.find(([property]) => property === name)?.[3];
  const name = valueOf("fn");
  if (typeof name !== "string" || String(valueOf("kind")).toLowerCase() === "individual") {
    return undefined;
  }
  const words = quoteText(name);
  const isName = words !== "" && words.length <= MAX_REGISTRAR_LENGTH && !CONTACT.test(words);
  return isName ? words : undefined;
}

function readIanaId(publicIds: unknown): number | undefined {
  const row = objectsOf(publicIds).find(({ type }) => type === "IANA Registrar ID");
  const id = String(row?.identifier);
  return /^\d{1,5}$/.test(id) ? Number(id) : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_PARTS) : [];
}

function objectsOf(value: unknown): readonly JsonObject[] {
  return listOf(value).filter(isObject);
}
