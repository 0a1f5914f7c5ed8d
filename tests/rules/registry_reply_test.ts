import { assertEquals, assertMatch } from "@std/assert";
import type { RdapAnswer, RdapFault } from "../../src/rules/answer.ts";
import { readReply, type RegistryReply } from "../../src/rules/readers/registry_reply.ts";
import { NO_DETAILS } from "../support/answers.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const RDAP = "application/rdap+json";

function read(reply: Partial<RegistryReply>, emptyNotFound = false): RdapAnswer {
  return readReply(
    { status: 404, contentType: RDAP, retryAfter: null, age: null, body: "", ...reply },
    { domain: "name.dev", policy: { emptyNotFound }, askedAt: 7, now: NOW },
  );
}

const json = (value: unknown) => JSON.stringify(value);
const CLEAN = { errorCode: 404, title: "Not Found", description: ["name.dev not found"] };
const BODY = json(CLEAN);

Deno.test("readReply() is registered for a 200 with the queried domain, for any status values", () => {
  for (const ldhName of ["name.dev", "NAME.DEV", "name.dev."]) {
    const body = json({ objectClassName: "domain", ldhName, status: ["inactive"] });
    assertEquals(read({ status: 200, body }), {
      kind: "registered",
      askedAt: 7,
      details: { ...NO_DETAILS, status: ["inactive"] },
      said: `200 domain ${ldhName}`,
    });
  }
});

/** A statement of one line at a path. */
function at(path: string, line: string) {
  const place = path.replace(/ \((?:text|list)\)$/, "");
  return { path, place, lines: [line], isLegal: false };
}

Deno.test("readReply() is notFound for a JSON 404 with errorCode 404, number or string, and for an empty one where it is allowed", () => {
  const clean = [at("errorCode (number)", "404"), at("title (text)", "Not Found")];
  clean.push(at("description (list)", "name.dev not found"));
  const body = json({ errorCode: "404" });
  const text = { body, contentType: "Application/JSON ; charset=utf-8" };
  const code = [at("errorCode (text)", "404"), at("media type", "application/json")];
  const type = at("media type", RDAP);
  const of = (said: string, ...statements: ReturnType<typeof at>[]) =>
    ({ kind: "notFound", askedAt: 7, statements, said }) as const;
  assertEquals(read({ body: BODY }), of("404 Not Found | name.dev not found", ...clean, type));
  assertEquals(read(text), of("404", ...code));
  assertEquals(read({}, true), of("404", type));
});

const found = (body: string) => ({ status: 200, body });
const bodies = (...values: object[]) => values.map((value) => ({ body: json(value) }));
const statuses = (...values: number[]) => values.map((status) => ({ status }));
const DOMAIN = { objectClassName: "domain" };
const MEMBERS: object[] = [DOMAIN, { objectClassName: "Domain" }, { ldhName: "name.dev" }];
MEMBERS.push({ handle: "1" }, { unicodeName: "name.dev" }, { nameservers: [] }, { secureDNS: {} });
// The last is any Korean word of two syllables, in its old charset.
const INEXACT = ['{"title":"Reserved",', '{"tier":10000000000000001,', '{"a":"\ufffd\ufffd",'];

/** Replies that say nothing of the name, by why. */
const UNCLEAR: [why: RegExp, replies: Partial<RegistryReply>[]][] = [
  [/another name/, [{ ...DOMAIN, ldhName: "other.dev" }, DOMAIN].map(json).map(found)],
  [/without a domain object/, [found(json({ ldhName: "name.dev" }))]],
  [/not JSON/, ["<html>", "null", "7", ""].map(found)],
  [/empty body/, [{}]],
  [/not come from/, ["text/html", ""].map((contentType) => ({ body: BODY, contentType }))],
  [/a different error code/, bodies({ errorCode: 400 }, {}, { errorCode: [404] })],
  [/a domain object/, MEMBERS.flatMap((member) => bodies({ ...CLEAN, ...member }))],
  [/too long/, bodies({ ...CLEAN, remarks: Array(97).fill({ title: "one" }) })],
  [
    /no JSON in UTF-8, or has/,
    ["", ...INEXACT].map((start) => ({ body: BODY.replace("{", start) })),
  ],
  // For more than five minutes; of several caches one for an hour.
  [/from a cache/, ["301", "3600, 10", "10, 3600"].map((age) => ({ body: BODY, age }))],
  [/answered \d+$/, statuses(400, 204)],
];

const FAILURES: [fault: RdapFault, why: RegExp, replies: Partial<RegistryReply>[]][] = [
  ...UNCLEAR.map((row): typeof FAILURES[number] => ["unclear", ...row]),
  ["limited", /429 \(too many requests\)$/, statuses(429)],
  ["down", /answered \d+$/, statuses(503, 500, 403, 401)],
];

Deno.test("readReply() is limited, down or unclear for every other reply, with the registry's Retry-After, at most the longest cooldown of an hour", () => {
  for (const [fault, why, replies] of FAILURES) {
    for (const answer of replies.map((reply) => read(reply))) {
      assertEquals(answer.kind === "failed" && answer.fault, fault);
      assertMatch(answer.kind === "failed" ? answer.why : "", why);
    }
  }
  const waits = (retryAfter: string | null) => {
    const answer = read({ status: 429, retryAfter });
    return answer.kind === "failed" ? answer.retryAfterMs : undefined;
  };
  assertEquals(["0", "120", "3601"].map(waits), [0, 120_000, 3_600_000]);
  assertEquals(["soon", null].map(waits), [undefined, undefined]);
});

Deno.test("readReply() accepts an empty 404 only from hosts known for it, of an RDAP type or none, and from no old cache, and has where a 404 was redirected to as one of its statements", () => {
  for (const contentType of [RDAP, "application/json; charset=utf-8", ""]) {
    assertEquals(read({ contentType }, true).kind, "notFound");
  }
  assertEquals(read({ contentType: "text/html" }, true).kind, "failed");
  assertEquals(read({ age: "301" }, true).kind, "failed");
  for (const age of [null, "0", "300", "unreadable"]) {
    assertEquals(read({ age, body: BODY }).kind, "notFound");
  }
  const redirectedTo = "https://rdap.example/reserved/name.dev";
  const redirect = at("redirect", redirectedTo);
  for (const reply of [{ redirectedTo }, { redirectedTo, body: BODY }]) {
    const answer = read(reply, true);
    assertEquals(answer.kind === "notFound" && answer.statements.at(-1), redirect);
  }
});

Deno.test("readReply() reads members of odd types as none, and quotes no member's name but one that a program has chosen", () => {
  const odd = { toString: 1, valueOf: 1 };
  assertEquals(read({ body: json({ ...CLEAN, objectClassName: odd }) }).kind, "notFound");
  const registered = { objectClassName: "domain", ldhName: "name.dev" };
  const publicIds = [{ type: "IANA Registrar ID", identifier: odd }];
  const entities = [{ roles: ["registrar"], publicIds }];
  assertEquals(read({ status: 200, body: json({ ...registered, entities }) }).kind, "registered");
  const said = read({ body: json({ ...CLEAN, "Jane Doe": true, isSold: false }) }).said;
  assertEquals([said?.includes("Jane"), said?.includes("isSold (boolean): false")], [false, true]);
});

Deno.test("readReply() quotes the texts of a reply without legal notices, and of other bodies the status alone", () => {
  const notices = [{ title: "Terms of Service", description: ["All rights reserved"] }];
  const limited = { errorCode: 429, title: "Too Many Requests", description: ["Slow down"] };
  // No quote has these members, but for the last.
  const links = [{ href: "https://rdap.example/" }];
  const unquoted = { links, lang: "en", port43: "whois.example", holder: "Ada", isSold: false };
  const cleanly = "404 Not Found | name.dev not found";
  const replies: [reply: Partial<RegistryReply>, said: string][] = [
    [{ body: json({ ...CLEAN, notices }) }, cleanly],
    [{ status: 429, body: json({ ...limited, notices }) }, "429 Too Many Requests | Slow down"],
    [{ status: 503, body: "<p>Back soon</p>" }, "503"],
    [{ status: 500, body: "null" }, "500"],
    [{ body: json({ ...CLEAN, ...unquoted }) }, `${cleanly} | isSold (boolean): false`],
    [{ body: json({ ...CLEAN, entities: [] }) }, "404"],
  ];
  for (const [reply, said] of replies) assertEquals(read(reply).said, said);
  for (const status of [404, 500]) {
    const { said = "" } = read({ status, body: json({ ...CLEAN, title: "x".repeat(9_000) }) });
    assertEquals(said.length, 200);
  }
});
