/** What a registry's HTTP answer to a domain query says (RFC 9083), and above all what it does not. */
import type { Notice, RdapAnswer } from "./answer.ts";
import type { HostManners } from "./hosts.ts";
import { isStandingNotice, readNotices } from "./notices.ts";
import { readRetryAfterMs } from "./retry_after.ts";

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
  manners: Pick<HostManners, "emptyNotFound">;
  /** Milliseconds since 1970, to understand a Retry-After date. */
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

/** Reads a registry's reply; whatever is not exactly a registration or a clean 404 is unclear. */
export function readReply(reply: RegistryReply, question: RegistryQuestion): RdapAnswer {
  if (reply.status === 200) return readFound(reply, question.domain);
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

function readFound(reply: RegistryReply, domain: string): RdapAnswer {
  const json = parseObject(reply.body);
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
  return { kind: "registered" };
}

function readNotFound(reply: RegistryReply, { domain, manners }: RegistryQuestion): RdapAnswer {
  if (reply.body === "") {
    return manners.emptyNotFound
      ? { kind: "notFound", notice: "plain", words: "" }
      : unclear("The registry answered 404 with an empty body");
  }
  const type = reply.contentType.replace(/;.*/s, "").trim().toLowerCase();
  if (!JSON_TYPES.includes(type)) return unclear("The 404 did not come from an RDAP service");
  const json = parseObject(reply.body);
  if (json === undefined) return unclear("The registry answered 404 with broken JSON");
  if (json.errorCode !== 404 && json.errorCode !== "404") {
    return unclear("The registry's 404 has another error code");
  }
  if (json.objectClassName === "domain") {
    return unclear("The registry answered 404 with a domain in it");
  }
  const texts = [lines(json.title), lines(json.description), ...noticeTexts(json.notices)];
  const notice: Notice = readNotices(texts, domain);
  return { kind: "notFound", notice, words: texts.filter((text) => text !== "").join(" | ") };
}

function noticeTexts(notices: unknown): string[] {
  return objects(notices).flatMap((notice) => {
    const title = lines(notice.title);
    const rels = objects(notice.links).flatMap((link) => strings(link.rel));
    return isStandingNotice(title, rels) ? [] : [title, lines(notice.description)];
  });
}

/** A text, which RDAP has as a list of its lines (RFC 9083 §4.3). */
function lines(value: unknown): string {
  return strings(value).join("\n");
}

function strings(value: unknown): string[] {
  return [value].flat().filter((item) => typeof item === "string");
}

function objects(value: unknown): Json[] {
  return [value].flat().filter(isObject);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}

function parseObject(body: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function unclear(why: string): RdapAnswer {
  return { kind: "failed", fault: "unclear", why };
}
