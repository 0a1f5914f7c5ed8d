/** What a registry's HTTP answer to a domain query says (RFC 9083), and above all what it does not. */
import type { RdapAnswer } from "./answer.ts";
import type { HostPolicy } from "./host_policies.ts";
import { parseJson } from "./parse_json.ts";
import { readRetryAfterMs } from "./retry_after.ts";
import { collectStatements } from "./wording.ts";

/** The parts of an HTTP answer that carry meaning. */
export interface RegistryReply {
  status: number;
  contentType: string;
  retryAfter: string | null;
  body: string;
}

/** What was asked, when, and of what kind of host. */
export interface RegistryQuestion {
  domain: string;
  policy: Pick<HostPolicy, "emptyNotFound">;
  /** When the question was sent, in ms since 1970. */
  askedAt: number;
  /** The present in ms since 1970, to understand a Retry-After date. */
  now: number;
}

type Json = Record<string, unknown>;

const JSON_TYPES = ["application/rdap+json", "application/json"];
/** Statuses that come before the registry looked at the name. */
const FAULTS: ReadonlyMap<number, "limited" | "down"> = new Map([
  [401, "down"],
  [403, "down"],
  [429, "limited"],
]);

/** Members of an RDAP domain object (RFC 9083 §5.3) that no error message has: such a 404 describes a registration. */
const OF_A_DOMAIN = ["ldhName", "unicodeName", "handle", "nameservers", "secureDNS"];

/** Reads a registry's reply; what is not exactly a registration or a well-formed 404 is unclear. */
export function readReply(reply: RegistryReply, question: RegistryQuestion): RdapAnswer {
  if (reply.status === 200) return readFound(reply, question);
  if (reply.status === 404) return readNotFound(reply, question);
  const fault = reply.status >= 500 ? "down" : FAULTS.get(reply.status) ?? "unclear";
  const retryAfterMs = readRetryAfterMs(reply.retryAfter, question.now);
  const why = `The registry answered ${reply.status}${
    fault === "limited" ? " (too many requests)" : ""
  }`;
  if (retryAfterMs === undefined) return { kind: "failed", fault, why };
  const advice = `try again in ${Math.ceil(retryAfterMs / 1_000)} s`;
  return { kind: "failed", fault, why: `${why}; ${advice}`, retryAfterMs };
}

function readFound(
  reply: RegistryReply,
  { domain, askedAt }: Pick<RegistryQuestion, "domain" | "askedAt">,
): RdapAnswer {
  const json = readObject(reply.body);
  if (json === undefined) {
    return unclear("The registry answered 200 with something that is not JSON");
  }
  if (json.objectClassName !== "domain") {
    return unclear("The registry answered 200 without a domain in it");
  }
  // Verisign writes upper case, some hosts a trailing dot.
  const name = typeof json.ldhName === "string"
    ? json.ldhName.toLowerCase().replace(/\.$/, "")
    : "";
  if (name !== domain) return unclear("The registry answered for another name");
  return { kind: "registered", askedAt };
}

function readNotFound(reply: RegistryReply, { policy, askedAt }: RegistryQuestion): RdapAnswer {
  if (reply.body === "") {
    return policy.emptyNotFound
      ? { kind: "notFound", askedAt, said: [] }
      : unclear("The registry answered 404 with an empty body");
  }
  const type = reply.contentType.replace(/;.*/s, "").trim().toLowerCase();
  if (!JSON_TYPES.includes(type)) return unclear("The 404 did not come from an RDAP service");
  const json = readObject(reply.body);
  if (json === undefined) return unclear("The registry answered 404 with broken JSON");
  if (json.errorCode !== 404 && json.errorCode !== "404") {
    return unclear("The registry's 404 has another error code");
  }
  const objectClass = String(json.objectClassName).toLowerCase();
  if (objectClass === "domain" || OF_A_DOMAIN.some((member) => Object.hasOwn(json, member))) {
    return unclear("The registry answered 404 with a domain in it");
  }
  const said = collectStatements(json);
  if (said === undefined) return unclear("The registry's 404 is too long for an error message");
  return { kind: "notFound", askedAt, said };
}

function readObject(body: string): Json | undefined {
  const value = parseJson(body);
  return typeof value === "object" && value !== null ? value as Json : undefined;
}

function unclear(why: string): RdapAnswer {
  return { kind: "failed", fault: "unclear", why };
}
