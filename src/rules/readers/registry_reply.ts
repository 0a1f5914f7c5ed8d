/** Parses a registry's HTTP answer to a domain query (RFC 9083). */
import type { RdapAnswer, RdapFault } from "../answer.ts";
import type { HostPolicy } from "../tables/hosts.ts";
import { type JsonObject, readExact, readObject, readRetryAfterMs } from "./http_message.ts";
import { readDetails } from "./registry_details.ts";
import { collectStatements, isQuotable, quote, quoteText, type Statement } from "./statements.ts";

/** The parts of an HTTP answer that carry meaning. */
export interface RegistryReply {
  status: number;
  contentType: string;
  retryAfter: string | null;
  /** For how many seconds a cache has kept the answer (RFC 9111 §5.1); null if none has. */
  age: string | null;
  body: string;
  /** The URL that answered, if the registry redirected to it. */
  redirectedTo?: string;
}

/** The query: domain, time and host policy. */
interface RegistryQuestion {
  domain: string;
  policy: Pick<HostPolicy, "emptyNotFound">;
  /** When the question was sent, in ms since 1970. */
  askedAt: number;
  /** The current time in ms since 1970, to parse a Retry-After date. */
  now: number;
}

const JSON_TYPES = ["application/rdap+json", "application/json"];
/** Statuses sent before the registry has looked up the name. */
const FAULTS: Readonly<Record<number, RdapFault>> = { 401: "down", 403: "down", 429: "limited" };

/** The oldest 404 that proves a name available, in seconds: as long as an available name is cached here. */
const OLDEST_SECONDS = 300;

/** Members of RDAP objects that no error has (RFC 9083 §5, §6): a 404 with one of them describes a registration. */
const RECORD_MEMBERS = "ldhName unicodeName handle nameservers secureDNS entities vcardArray".split(
  " ",
);

/** Whether a document describes a registration or a person. */
function isRecord(json: JsonObject): boolean {
  const { objectClassName: kind } = json;
  return typeof kind === "string" && kind.toLowerCase() === "domain" ||
    RECORD_MEMBERS.some((member) => Object.hasOwn(json, member));
}

/** Parses a registry's reply; anything but a registration or a well-formed 404 is a failure. */
export function readReply(reply: RegistryReply, question: RegistryQuestion): RdapAnswer {
  const answer = readByStatus(reply, question);
  return answer.kind === "failed" ? { ...answer, said: quoteReply(reply) } : answer;
}

/**
 * The reply in its own words: its status, and the texts of an RDAP error. Of any other body, which may be a record and so
 * hold a person's data, nothing is quoted.
 */
export function quoteReply({ status, body }: Pick<RegistryReply, "status" | "body">): string {
  const json = status === 200 ? undefined : readObject(body);
  const statements = json === undefined || isRecord(json) ? undefined : collectStatements(json);
  return quoteText(`${status} ${quoteOwn(statements ?? [])}`);
}

/** What the registry says of this answer: legal notices are the same in every one. */
function quoteOwn(statements: readonly Statement[]): string {
  return quote(statements.filter((one) => !one.isLegal && isQuotable(one)));
}

function readByStatus(reply: RegistryReply, question: RegistryQuestion): RdapAnswer {
  if (reply.status === 200) return readFound(reply, question);
  if (reply.status === 404) return readNotFound(reply, question);
  const fault = reply.status >= 500 ? "down" : FAULTS[reply.status] ?? "unclear";
  const retryAfterMs = readRetryAfterMs(reply.retryAfter, question.now);
  const words = fault === "limited" ? " (too many requests)" : "";
  const why = `The registry answered ${reply.status}${words}`;
  return { kind: "failed", fault, why, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

function readFound(reply: RegistryReply, { domain, askedAt }: RegistryQuestion): RdapAnswer {
  const json = readObject(reply.body);
  if (json === undefined) {
    return unclear("The registry answered 200 with a body that is not JSON");
  }
  if (json.objectClassName !== "domain") {
    return unclear("The registry answered 200 without a domain object");
  }
  // Verisign uses upper case, some hosts a trailing dot.
  const name = typeof json.ldhName === "string"
    ? json.ldhName.toLowerCase().replace(/\.$/, "")
    : "";
  if (name !== domain) return unclear("The registry answered for another name");
  const said = quoteText(`200 domain ${json.ldhName}`);
  return { kind: "registered", askedAt, details: readDetails(json), said };
}

function readNotFound(reply: RegistryReply, { policy, askedAt }: RegistryQuestion): RdapAnswer {
  // Of several caches each may add its own.
  const ages = (reply.age ?? "").split(",").map((age) => Number.parseInt(age, 10));
  if (ages.some((age) => age > OLDEST_SECONDS)) {
    return unclear("The registry's 404 came from a cache that has kept it for too long");
  }
  const type = reply.contentType.replace(/;.*/s, "").trim().toLowerCase();
  const isRdap = JSON_TYPES.includes(type);
  // A redirect is part of what a registry says: one that it gives for some names only means something.
  const besides = [
    statementOf("media type", type),
    ...(reply.redirectedTo === undefined ? [] : [statementOf("redirect", reply.redirectedTo)]),
  ];
  if (reply.body === "") {
    // A proxy's page may be empty too.
    return policy.emptyNotFound && (isRdap || type === "")
      ? { kind: "notFound", askedAt, statements: besides, said: "404" }
      : unclear("The registry answered 404 with an empty body");
  }
  if (!isRdap) return unclear("The 404 did not come from an RDAP service");
  const json = readExact(reply.body);
  if (json === undefined) {
    return unclear(
      "The registry's 404 is no JSON in UTF-8, or has a member twice or a long number",
    );
  }
  if (json.errorCode !== 404 && json.errorCode !== "404") {
    return unclear("The registry's 404 has a different error code");
  }
  if (isRecord(json)) return unclear("The registry answered 404 with a domain object");
  const statements = collectStatements(json);
  if (statements === undefined) {
    return unclear("The registry's 404 is too long for an error message");
  }
  const said = quoteText(`404 ${quoteOwn(statements)}`);
  return { kind: "notFound", askedAt, statements: [...statements, ...besides], said };
}

/** What is compared of a 404 beside its body. */
function statementOf(place: string, line: string): Statement {
  return { path: place, place, lines: [line], isLegal: false };
}

function unclear(why: string): RdapAnswer {
  return { kind: "failed", fault: "unclear", why };
}
