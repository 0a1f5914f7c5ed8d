import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { type HttpBehaviour, RDAP_JSON } from "../../lab/http_behaviour.ts";
import { type RdapBehaviour, rdapBehaviours } from "../../lab/rdap_behaviours.ts";
import { type Registry, registryOf } from "../../lab/registries.ts";
import { pausing, type Reply, type Situation, type Truth } from "./situation.ts";

type Members = Readonly<Record<string, unknown>>;

/** The members of a registry's usual 404, or of its record; Verisign's 404 has none. */
function bodyOf(domain: string, reply: "free" | "registered"): Members {
  const registry = registryOf(domain.slice(domain.lastIndexOf(".") + 1)) as Registry;
  const behaviour: HttpBehaviour = rdapBehaviours[reply](registry, domain);
  return behaviour.kind === "json" ? behaviour.body as Members : {};
}

/** The name's usual 404 with these members. */
function denying(domain: string, members: Members = {}): HttpBehaviour & { kind: "json" } {
  return { kind: "json", status: 404, body: { ...bodyOf(domain, "free"), ...members } };
}

/** The name's record with these members. */
function recording(domain: string, members: Members = {}): HttpBehaviour & { kind: "json" } {
  return { kind: "json", status: 200, body: { ...bodyOf(domain, "registered"), ...members } };
}

function text(status: number, body: string | Uint8Array, headers: Record<string, string> = {}) {
  return { kind: "text", status, contentType: RDAP_JSON, body, headers } as const;
}

/** The bytes of the name's usual 404 in some encoding. */
function coded(domain: string, encoding: string, encode: (json: string) => string | Uint8Array) {
  const body = encode(JSON.stringify(bodyOf(domain, "free")));
  return text(404, body, encoding === "" ? {} : { "content-encoding": encoding });
}

/** A response byte by byte: this head, and the JSON of the name's usual 404, as `frame` sends it. */
function raw(
  domain: string,
  head: readonly string[],
  frame: (json: string) => string = (json) => json,
): HttpBehaviour {
  const json = JSON.stringify(bodyOf(domain, "free"));
  const lines = head.map((line) => line.replace("{length}", `${json.length}`));
  return { kind: "raw", bytes: [...lines, "", frame(json)].join("\r\n") };
}

const TYPE = `content-type: ${RDAP_JSON}`;
const LENGTH = "content-length: {length}";

function chunk(json: string): string {
  return `${json.length.toString(16)}\r\n${json}\r\n`;
}

/** A name of which this is true, and about which its registry answers in this way. */
const of = (truth: Truth) =>
(
  what: string,
  name: string,
  rdap: (domain: string) => HttpBehaviour,
  answer: Reply = "unknown",
): Situation => ({ what, name, rdap: rdap(name), truth, answer });
const [left, kept] = [of("available"), of("taken")];

/** A name whose registry redirects to this URL, where the lab gives a clean 404. */
function redirected(what: string, name: string, to: (domain: string) => string, status = 302) {
  return left(what, name, (domain) => ({ kind: "redirect", status, location: to(domain) }));
}

/** A name about which its registry answers in one of the lab's ways: a free one of which that proves nothing, unless it tells the truth. */
function answered(rdap: RdapBehaviour, tld: string, told?: Truth): Situation {
  const name = `${rdap.toLowerCase()}.${tld}`;
  return { what: rdap, name, rdap, truth: told ?? "available", answer: told ?? "unknown" };
}

const GOOGLE = "http://pubapi.registry.google/rdap/";

/** Relatives of the known situations that no list had, by kind. */
// deno-fmt-ignore -- a table
export const FURTHER_SITUATIONS: Readonly<Record<string, readonly Situation[]>> = {
  DNS: [
    { what: "the resolver shows a referral", name: "referred.com", dns: "referral", truth: "taken", answer: "taken" },
    { what: "the only name server is the root", name: "null-server.com", dns: { kind: "delegated", nameServers: ["."] }, truth: "taken", answer: "taken" },
    { what: "name servers after a while", name: "slow-servers.com", dns: { kind: "delegated", delayMs: 300 }, truth: "taken", answer: "taken" },
    { what: "a resolver that refers to the TLD's own servers", name: "upward.com", dns: "upwardReferral", truth: "available", answer: "available" },
    { what: "a resolver that refers to the TLD's own servers; registered", name: "upward-kept.com", dns: "upwardReferral", rdap: "registered", truth: "taken", answer: "taken" },
    { what: "no data, and a 404", name: "no-data.com", dns: "nodata", truth: "available", answer: "available" },
    { what: "refused, and a 404", name: "refused.com", dns: "refused", truth: "available", answer: "available" },
    { what: "no DNS message, and a 404", name: "noise.com", dns: "garbage", truth: "available", answer: "unknown" },
    { what: "the answer to another query, and a 404", name: "crossed.com", dns: "wrongId", truth: "taken", answer: "unknown" },
    { what: "a reserved word", name: "test.com", dns: "delegated", rdap: "registered", truth: "taken", answer: "taken" },
  ],
  "what the lab's registries answer": [
    ...(["cutHeader", "garbage", "oversized", "gzipBomb"] as const).map((rdap) => answered(rdap, "com")),
    ...(["tosTrap", "redirectSameHost", "redirectOtherName", "redirectUserinfo", "redirectLoop"] as const).map((rdap) => answered(rdap, "dev")),
    answered("premium", "online", "premium"),
    answered("globalblock", "app", "reserved"),
  ],
  "the JSON of a 404": [
    left("begins with a byte order mark", "marked.dev", (d) => coded(d, "", (json) => `\ufeff${json}`), "available"),
    left("ends with empty lines", "spaced.dev", (d) => coded(d, "", (json) => `${json}\r\n\r\n`), "available"),
    left("has errorCode 404.0", "decimal.dev", (d) => coded(d, "", (json) => json.replace(":404", ":404.0")), "available"),
    left("has a space in its errorCode", "padded.dev", (d) => denying(d, { errorCode: " 404" })),
    left("is UTF-16", "wide.dev", (d) => coded(d, "", (json) => new Uint8Array(Uint16Array.from(json, (one) => one.charCodeAt(0)).buffer))),
    left("is about another name", "mixed-up.dev", (d) => denying(d, { description: ["other-name.dev not found"] })),
  ],
  "the HTTP of a 404": [
    left("the type in capitals, with a charset", "typed.dev", (d) => ({ ...denying(d), contentType: 'Application/RDAP+JSON; Charset="UTF-8"' }), "available"),
    left("no type", "untyped.dev", (d) => raw(d, ["HTTP/1.1 404 Not Found", LENGTH])),
    left("two types", "two-typed.dev", (d) => raw(d, ["HTTP/1.1 404 Not Found", TYPE, "content-type: text/html", LENGTH])),
    left("gzip", "zipped.dev", (d) => coded(d, "gzip", gzipSync), "available"),
    left("Brotli", "pressed.dev", (d) => coded(d, "br", brotliCompressSync), "available"),
    left("an encoding that was not asked for", "deflated.dev", (d) => coded(d, "deflate", deflateSync)),
    left("gzip announced and not sent", "unzipped.dev", (d) => coded(d, "gzip", (json) => json)),
    left("gzip cut off", "half-zipped.dev", (d) => coded(d, "gzip", (json) => gzipSync(json).subarray(0, 60))),
    left("after an early hint", "hinted.dev", (d) => raw(d, ["HTTP/1.1 103 Early Hints", "link: </a>", "", "HTTP/1.1 404 Not Found", TYPE, LENGTH]), "available"),
    left("no reason phrase", "reasonless.dev", (d) => raw(d, ["HTTP/1.1 404", TYPE, LENGTH]), "available"),
    left("HTTP/1.0, which ends with the connection", "ancient.dev", (d) => raw(d, ["HTTP/1.0 404 Not Found", TYPE]), "available"),
    left("chunks", "chunked.dev", (d) => raw(d, ["HTTP/1.1 404 Not Found", TYPE, "transfer-encoding: chunked"], (json) => `${chunk(json)}0\r\n\r\n`), "available"),
    left("chunks without the last one", "unfinished.dev", (d) => raw(d, ["HTTP/1.1 404 Not Found", TYPE, "transfer-encoding: chunked"], chunk)),
    left("a length that is too short", "short.dev", (d) => raw(d, ["HTTP/1.1 404 Not Found", TYPE, "content-length: 20"])),
    left("two lengths", "two-lengths.dev", (d) => raw(d, ["HTTP/1.1 404 Not Found", TYPE, "content-length: 20", LENGTH])),
    left("a header of 2 MB", "heavy.dev", (d) => raw(d, ["HTTP/1.1 404 Not Found", `x: ${"y".repeat(2_000_000)}`, TYPE, LENGTH])),
  ],
  "Verisign's 404, which has no body": [
    left("without a type", "typeless.com", (d) => raw(d, ["HTTP/1.1 404 Not Found", "content-length: 0"], () => "")),
    left("in chunks", "no-chunks.com", (d) => raw(d, ["HTTP/1.1 404 Not Found", TYPE, "transfer-encoding: chunked"], () => "0\r\n\r\n"), "available"),
    left("with JSON for once", "wordy.com", () => text(404, '{"errorCode":404,"title":"Not Found"}')),
    left("with an empty line", "blank.com", () => text(404, "\n")),
    left("with a length and no byte", "promised.com", (d) => raw(d, ["HTTP/1.1 404 Not Found", TYPE, "content-length: 300"], () => "")),
    left("in chunks that do not begin", "no-end.com", (d) => raw(d, ["HTTP/1.1 404 Not Found", TYPE, "transfer-encoding: chunked"], () => "")),
  ],
  "a 404's JSON under another status": [203, 204, 206, 300, 304, 401, 406, 410, 421, 451, 502, 511].map((status) =>
    left(`${status}`, `status-${status}.dev`, (d) => ({ ...denying(d), status }))
  ),
  redirects: [
    redirected("301 on the same host", "r301.dev", (d) => `${GOOGLE}moved/domain/${d}`, 301),
    redirected("308 on the same host, relative", "r308.dev", (d) => `../moved/domain/${d}`, 308),
    redirected("to the name in capitals", "loud.dev", (d) => `${GOOGLE}moved/domain/${d.toUpperCase()}`),
    redirected("300, which leaves the choice to the client", "r300.dev", (d) => `${GOOGLE}moved/domain/${d}`, 300),
    redirected("to another host, without a scheme", "schemeless.dev", (d) => `//router.lab/domain/${d}`),
    redirected("to a host whose name begins alike", "alike.dev", (d) => `http://pubapi.registry.google.router.lab/rdap/domain/${d}`),
    redirected("to another port", "port.dev", (d) => `http://pubapi.registry.google:8080/rdap/moved/domain/${d}`),
    redirected("to an address of this machine", "loopback.dev", (d) => `http://127.0.0.1/domain/${d}`),
    redirected("to backslashes", "slashes.dev", (d) => `http:\\\\router.lab\\domain\\${d}`),
    redirected("to a search", "searched.dev", (d) => `${GOOGLE}domains?name=${d}`),
    redirected("to the help page", "helped.dev", () => `${GOOGLE}help`),
    redirected("to data in the URL", "data.dev", () => `data:${RDAP_JSON},{"errorCode":404}`),
    redirected("to nowhere", "nowhere.dev", () => ""),
  ],
  pauses: [
    { what: "503 and a second, then a 404", name: "back-left.com", firstRdap: pausing(503, "1"), truth: "available", answer: "available" },
    { what: "503 and a second, then the record", name: "back-kept.com", firstRdap: pausing(503, "1"), rdap: "registered", truth: "taken", answer: "taken" },
    { what: "503 and a minute", name: "back-later.com", firstRdap: pausing(503, "60"), truth: "available", answer: "unknown" },
    { what: "429 and no time, then a 404", name: "at-once.com", firstRdap: pausing(429, "0"), truth: "available", answer: "unknown" },
    { what: "429 and a time that has passed", name: "past.com", firstRdap: pausing(429, "Sun, 06 Nov 1994 08:49:37 GMT"), truth: "available", answer: "unknown" },
    { what: "429 with a 404's JSON", name: "two-faced.dev", rdap: { ...denying("two-faced.dev"), status: 429 }, truth: "taken", answer: "unknown" },
  ],
  records: [
    kept("a page's type", "typed-record.dev", (d) => ({ ...recording(d), contentType: "text/html" }), "taken"),
    kept("of 200 KB", "long.dev", (d) => recording(d, { remarks: [{ description: ["x".repeat(200_000)] }] }), "taken"),
    kept("of 300 KB", "longer.dev", (d) => recording(d, { remarks: [{ description: ["x".repeat(300_000)] }] })),
    kept("cut off", "cut-record.dev", (d) => text(200, JSON.stringify(bodyOf(d, "registered")).slice(0, -1))),
    kept("under status 203", "second-hand.dev", (d) => ({ ...recording(d), status: 203 })),
    { ...kept("of an IDN, in its own letters only", "xn--kln-sna.com", (d) => recording(d, { ldhName: "köln.com" })), byWhois: "taken" },
  ],
  IDNs: [
    { what: "under a TLD that sells none", name: "xn--bcher-kva.ai", truth: "reserved", answer: "reserved" },
    { what: "under a TLD that sells it", name: "xn--bcher-kva.org", truth: "available", answer: "available" },
    { what: "the 404 has its letters in capitals", name: "xn--rger-koa.dev", rdap: denying("xn--rger-koa.dev", { description: ["ÄRGER.DEV not found"] }), truth: "available", answer: "available" },
    { what: "letters of two scripts", name: "xn--pple-43d.com", truth: "reserved", answer: "reserved" },
    { what: "an A-label of nothing, and the registry is down", name: "xn--a.net", rdap: "unavailable503", truth: "reserved", answer: "unknown" },
  ],
  "names that the registry withholds, or sells at a price of its own": [
    { what: "the 404 says reserved under a TLD that is not built in", name: "jailbreaks.fun", rdap: "reserved", truth: "reserved", answer: "reserved" },
    { what: "only WHOIS says premium", name: "gold.io", whois: "premium", truth: "premium", answer: "available", byWhois: "premium" },
    // No row says that these WHOIS servers are needed, so they are not asked.
    { what: "only WHOIS would say GlobalBlock", name: "some-brand.ai", whois: "globalblock", truth: "reserved", answer: "available", byRegistrar: "unknown" },
    { what: "only WHOIS would say reserved", name: "kept-back.tech", whois: "reserved", truth: "reserved", answer: "available", byRegistrar: "unknown" },
  ],
};
