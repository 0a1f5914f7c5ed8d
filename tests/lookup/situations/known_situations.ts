import type { HttpBehaviour } from "../../lab/http_behaviour.ts";
import { bothWays, type Situation } from "./situation.ts";

const PAUSE_OF_A_SECOND: HttpBehaviour = {
  kind: "empty",
  status: 429,
  headers: { "retry-after": "1" },
};

function text(status: number, contentType: string, body: string): HttpBehaviour {
  return { kind: "text", status, contentType, body };
}

/** 95 situations in which checkers of domain names gave different answers, some of them wrong, by kind. */
// deno-fmt-ignore -- a table
export const KNOWN_SITUATIONS: Readonly<Record<string, readonly Situation[]>> = {
  DNS: [
    { what: "name servers", name: "harbour.com", dns: "delegated", rdap: "registered", truth: "taken", answer: "taken" },
    { what: "name servers, and the registry fails", name: "harbour.org", dns: "delegated", rdap: "error500", truth: "taken", answer: "taken" },
    { what: "name servers, and the registry denies the name, late", name: "harbour.net", dns: "delegated", delayMs: 300, truth: "taken", answer: "taken" },
    { what: "name servers of an IDN", name: "xn--hfen-loa.com", dns: "delegated", rdap: "registered", truth: "taken", answer: "taken" },
    { what: "registered, and only the addresses of its name servers are left in the zone", name: "glue.com", dns: "nodata", rdap: "registered", truth: "taken", answer: "taken" },
    { what: "registered, with signatures that do not validate", name: "unsigned.com", dns: "servfail", rdap: "registered", truth: "taken", answer: "taken" },
    { what: "registered, and DNS does not answer", name: "mute.org", dns: "silent", rdap: "registered", truth: "taken", answer: "taken" },
    { what: "denied, and the resolver answers an address for what does not exist", name: "search-page.com", dns: "rewritten", truth: "available", answer: "available" },
    { what: "denied, and the resolver fails", name: "failing-resolver.com", dns: "servfail", truth: "available", answer: "available" },
    // Without an answer of DNS, nothing confirms the registry's 404.
    { what: "denied, and DNS does not answer", name: "mute.com", dns: "silent", truth: "available", answer: "unknown" },
  ],
  "a registration without name servers": [
    { what: "com", name: "parked.com", rdap: "registered", truth: "taken", answer: "taken" },
    { what: "io, which IANA does not list", name: "parked.io", rdap: "registered", truth: "taken", answer: "taken" },
    { what: "me, which IANA does not list", name: "parked.me", rdap: "registered", truth: "taken", answer: "taken" },
    { what: "an IDN", name: "xn--gepckt-bua.net", rdap: "registered", truth: "taken", answer: "taken" },
    { what: "held by the registry", name: "on-hold.site", rdap: "serverHold", truth: "taken", answer: "taken" },
    { what: "in its redemption period", name: "redeemed.com", rdap: "redemption", truth: "taken", answer: "taken" },
    { what: "about to be deleted", name: "expiring.net", rdap: "pendingDelete", truth: "taken", answer: "taken" },
    { what: "with RDAP's status inactive", name: "sleeping.app", rdap: "registeredUndelegated", truth: "taken", answer: "taken" },
    { what: "without a status", name: "plain.com", rdap: "registeredNoStatus", truth: "taken", answer: "taken" },
    { what: "after a redirect on the same host", name: "next-door.net", firstRdap: "redirectLoop", rdap: "registered", truth: "taken", answer: "taken" },
    { what: "from a slow registry", name: "slow-record.org", rdap: "registered", delayMs: 500, truth: "taken", answer: "taken" },
  ],
  "each registry's own 404": [
    { what: "Verisign's, without a body", name: "meadow.com", truth: "available", answer: "available" },
    { what: "PIR's", name: "meadow.org", truth: "available", answer: "available" },
    { what: "Google's", name: "meadow.dev", truth: "available", answer: "available" },
    { what: "CentralNic's", name: "meadow.xyz", truth: "available", answer: "available" },
    { what: "Radix's", name: "meadow.tech", truth: "available", answer: "available" },
    { what: "one whose errorCode is a string", name: "meadow.bot", truth: "available", answer: "available" },
    { what: "that of io, which IANA does not list", name: "meadow.io", truth: "available", answer: "available" },
    { what: "that of me, which IANA does not list", name: "meadow.me", truth: "available", answer: "available" },
    { what: "for an IDN", name: "xn--wiesengrn-b7a.com", truth: "available", answer: "available" },
    { what: "from a slow registry", name: "slow-denial.org", delayMs: 500, truth: "available", answer: "available" },
  ],
  "names that are not sold, or not at the usual price": [
    { what: "the 404 says reserved", name: "crown.online", rdap: "reserved", truth: "reserved", answer: "reserved" },
    { what: "the 404 says GlobalBlock", name: "brand.app", rdap: "blockedBsa", truth: "reserved", answer: "reserved" },
    { what: "the 404 says Dropzone", name: "dropped.org", rdap: "dropzone", truth: "reserved", answer: "reserved" },
    { what: "only WHOIS says GlobalBlock", name: "brand.io", whois: "globalblock", truth: "reserved", answer: "available", byWhois: "reserved" },
    { what: "only WHOIS says Dropzone", name: "auctioned.org", whois: "dropzone", truth: "reserved", answer: "available", byWhois: "reserved" },
    { what: "a reserved word, and the 404 says nothing", name: "test.dev", truth: "reserved", answer: "reserved" },
    { what: "one letter, and the 404 says nothing", name: "d.dev", truth: "reserved", answer: "reserved" },
    // The registry has no WHOIS server, and no list has the name: only a registrar can tell.
    { what: "on no list, and the 404 says nothing", name: "kept-back.dev", truth: "reserved", answer: "available", byRegistrar: "unknown" },
    { what: "the 404 of Google's software says premium", name: "gold.app", rdap: "expiryAccessPeriod", truth: "reserved", answer: "reserved" },
    { what: "the 404 says platinum", name: "gold.info", rdap: "platinum", truth: "premium", answer: "premium" },
    { what: "a hyphen first, which the registry denies", name: "-first.com", truth: "reserved", answer: "refused" },
    { what: "hyphens third and fourth, which the registry denies", name: "ab--cd.com", truth: "reserved", answer: "refused" },
    { what: "an underscore, which the registry denies", name: "a_b.com", truth: "reserved", answer: "refused" },
    { what: "an A-label of nothing, which the registry denies", name: "xn--a.com", truth: "reserved", answer: "reserved" },
  ],
  "404s that prove nothing": [
    ...bothWays({ what: "a proxy's page", name: "proxy.org", rdap: "html404" }),
    ...bothWays({ what: "plain text", name: "words.ai", rdap: text(404, "text/plain", "No match") }),
    ...bothWays({ what: "no body, where a body is usual", name: "bare.biz", rdap: "empty404" }),
    ...bothWays({ what: "cut off", name: "cut-off.io", rdap: "cut" }),
    ...bothWays({ what: "another errorCode in the body", name: "wrong-code.site", rdap: "wrongErrorCode" }),
    ...bothWays({ what: "from a registry that denies every name", name: "denied.tv", hosts: { "rdap.nic.tv": "free" } }),
    ...bothWays({ what: "a router's, after a redirect", name: "routed.com", rdap: "redirectOffHost" }),
    ...bothWays({ what: "a proxy's page, and WHOIS is shut", name: "dark-proxy.org", rdap: "html404", isWhoisShut: true }),
  ],
  "a registry that moved": [
    { what: "the old server denies the name; registered", name: "moved-kept.online", rdap: "registered", hosts: { "rdap.radix.host": "free" }, movedTo: "http://rdap.new-home.lab/rdap/", truth: "taken", answer: "taken" },
    { what: "the old server denies the name; available", name: "moved-left.online", hosts: { "rdap.radix.host": "free" }, movedTo: "http://rdap.new-home.lab/rdap/", truth: "available", answer: "available" },
  ],
  "429s": [
    { what: "a pause of a second, then the record", name: "patient-kept.com", firstRdap: PAUSE_OF_A_SECOND, rdap: "registered", truth: "taken", answer: "taken" },
    { what: "a pause of a second, then a 404", name: "patient-left.com", firstRdap: PAUSE_OF_A_SECOND, truth: "available", answer: "available" },
    ...bothWays({ what: "a pause of 30 s, each time", name: "limited.org", rdap: "rateLimitedSeconds" }),
    ...bothWays({ what: "a pause of 30 s, each time, and WHOIS is shut", name: "dark-limited.org", rdap: "rateLimitedSeconds", isWhoisShut: true }),
  ],
  "other statuses": [
    ...bothWays({ what: "403", name: "forbidden.net", rdap: "forbidden403" }),
    ...bothWays({ what: "400 for a valid name", name: "bad-request.app", rdap: "badRequest400" }),
    ...bothWays({ what: "500", name: "crashed.xyz", rdap: "error500" }),
    ...bothWays({ what: "500, and WHOIS is shut", name: "dark-crashed.xyz", rdap: "error500", isWhoisShut: true }),
    ...bothWays({ what: "503 with a page", name: "maintained.dev", rdap: text(503, "text/html", "<p>Back soon</p>") }),
  ],
  "no answer": [
    ...bothWays({ what: "none within the time limit", name: "late.com", delayMs: 40_000 }),
    ...bothWays({ what: "none within the time limit, and WHOIS is shut", name: "dark-late.com", delayMs: 40_000, isWhoisShut: true }),
    ...bothWays({ what: "connections are reset", name: "reset.biz", rdap: "reset" }),
    ...bothWays({ what: "connections are accepted, and no byte follows", name: "hanging.bot", rdap: "silent" }),
  ],
  "200s that prove nothing": [
    ...bothWays({ what: "a portal's page", name: "portal.store", rdap: "html200" }),
    ...bothWays({ what: "the record of another name", name: "mistaken.online", rdap: "wrongName200" }),
    ...bothWays({ what: "no body", name: "hollow.tech", rdap: "empty200" }),
    ...bothWays({ what: "an error object", name: "contrary.me", rdap: "notFound200" }),
  ],
};
