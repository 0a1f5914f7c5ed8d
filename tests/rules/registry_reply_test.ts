import { assertEquals, assertMatch } from "@std/assert";
import type { RdapAnswer } from "../../src/rules/answer.ts";
import { readReply, type RegistryReply } from "../../src/rules/readers/registry_reply.ts";
import { NO_DETAILS } from "../support/no_details.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

function read(reply: Partial<RegistryReply>, emptyNotFound = false): RdapAnswer {
  return readReply(
    {
      status: 404,
      contentType: "application/rdap+json",
      retryAfter: null,
      age: null,
      body: "",
      ...reply,
    },
    { domain: "name.dev", policy: { emptyNotFound }, askedAt: 7, now: NOW },
  );
}

function json(value: unknown): string {
  return JSON.stringify(value);
}

function assertFailed(answer: RdapAnswer, fault: string, why: RegExp): void {
  assertEquals(answer.kind, "failed");
  if (answer.kind !== "failed") return;
  assertEquals(answer.fault, fault);
  assertMatch(answer.why, why);
}

const CLEAN = { errorCode: 404, title: "Not Found", description: ["name.dev not found"] };

Deno.test("readReply() is registered for a 200 with the queried domain, for any status values", () => {
  for (const ldhName of ["name.dev", "NAME.DEV", "name.dev."]) {
    const body = json({ objectClassName: "domain", ldhName, status: ["inactive"] });
    const said = `200 domain ${ldhName}`;
    assertEquals(read({ status: 200, body }), {
      kind: "registered",
      askedAt: 7,
      details: { ...NO_DETAILS, status: ["inactive"] },
      said,
    });
  }
});

Deno.test("readReply() is unclear for a 200 without the queried domain", () => {
  assertFailed(
    read({ status: 200, body: json({ objectClassName: "domain", ldhName: "other.dev" }) }),
    "unclear",
    /another name/,
  );
  assertFailed(
    read({ status: 200, body: json({ objectClassName: "domain" }) }),
    "unclear",
    /another name/,
  );
  assertFailed(
    read({ status: 200, body: json({ objectClassName: "entity", ldhName: "name.dev" }) }),
    "unclear",
    /without a domain object/,
  );
  assertFailed(read({ status: 200, body: "<html>" }), "unclear", /not JSON/);
  assertFailed(read({ status: 200, body: "null" }), "unclear", /not JSON/);
  assertFailed(read({ status: 200, body: "7" }), "unclear", /not JSON/);
  assertFailed(read({ status: 200, body: "" }), "unclear", /not JSON/);
});

Deno.test("readReply() is notFound for a JSON 404 with errorCode 404, number or string", () => {
  const said = (path: string, line: string) => ({
    path,
    place: path.replace(/ \((?:text|list)\)$/, ""),
    lines: [line],
    isLegal: false,
  });
  const statements = [
    said("errorCode (number)", "404"),
    said("title (text)", "Not Found"),
    said("description (list)", "name.dev not found"),
    said("media type", "application/rdap+json"),
  ];
  assertEquals(read({ body: json(CLEAN) }), {
    kind: "notFound",
    askedAt: 7,
    statements,
    said: "404 Not Found | name.dev not found",
  });
  assertEquals(
    read({ body: json({ errorCode: "404" }), contentType: "application/json; charset=utf-8" }),
    {
      kind: "notFound",
      askedAt: 7,
      statements: [said("errorCode (text)", "404"), said("media type", "application/json")],
      said: "404",
    },
  );
  const contentType = "Application/RDAP+JSON ; charset=utf-8";
  assertEquals(read({ body: json({ errorCode: 404 }), contentType }).kind, "notFound");
});

Deno.test("readReply() accepts an empty 404 only from hosts known for it", () => {
  const type = "application/rdap+json";
  const mediaType = { path: "media type", place: "media type", lines: [type], isLegal: false };
  assertEquals(read({}, true), {
    kind: "notFound",
    askedAt: 7,
    statements: [mediaType],
    said: "404",
  });
  assertFailed(read({}, false), "unclear", /empty body/);
});

Deno.test("readReply() is unclear for a 404 of several caches, the last of which has kept it for an hour", () => {
  for (const age of ["3600, 3600", "301"]) {
    assertFailed(read({ body: json(CLEAN), age }), "unclear", /cache/);
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

Deno.test("readReply() is unclear for a 404 that is not RDAP", () => {
  assertFailed(read({ body: json(CLEAN), contentType: "text/html" }), "unclear", /not come from/);
  assertFailed(read({ body: json(CLEAN), contentType: "" }), "unclear", /not come from/);
  assertFailed(read({ body: "{" }), "unclear", /broken JSON/);
  assertFailed(read({ body: json({ errorCode: 400 }) }), "unclear", /a different error code/);
  assertFailed(read({ body: json({}) }), "unclear", /a different error code/);
  assertFailed(read({ body: json({ errorCode: [404] }) }), "unclear", /a different error code/);
  for (
    const member of [
      { objectClassName: "domain" },
      { objectClassName: "Domain" },
      { ldhName: "name.dev", status: ["active"] },
      { unicodeName: "name.dev" },
      { handle: "1" },
      { nameservers: [] },
      { secureDNS: {} },
    ]
  ) {
    assertFailed(read({ body: json({ ...CLEAN, ...member }) }), "unclear", /a domain object/);
  }
  const endless = { ...CLEAN, remarks: Array.from({ length: 97 }, (_, n) => ({ title: `t${n}` })) };
  assertFailed(read({ body: json(endless) }), "unclear", /too long/);
});

Deno.test("readReply() distinguishes limited, down and unclear", () => {
  assertFailed(read({ status: 429 }), "limited", /429 \(too many requests\)/);
  assertEquals(read({ status: 503 }), {
    kind: "failed",
    fault: "down",
    why: "The registry answered 503",
    said: "503",
  });
  assertFailed(read({ status: 500 }), "down", /500$/);
  assertFailed(read({ status: 403 }), "down", /403/);
  assertFailed(read({ status: 401 }), "down", /401/);
  assertFailed(read({ status: 400 }), "unclear", /400/);
  assertFailed(read({ status: 204 }), "unclear", /204/);
});

Deno.test("readReply() quotes the texts of a reply without legal notices, and of other bodies the status alone", () => {
  const saidBy = (reply: Partial<RegistryReply>) => read(reply).said ?? "";
  const notices = [{ title: "Terms of Service", description: ["All rights reserved"] }];
  const limited = { errorCode: 429, title: "Too Many Requests", description: ["Slow down"] };
  assertEquals(saidBy({ body: json({ ...CLEAN, notices }) }), "404 Not Found | name.dev not found");
  assertEquals(
    saidBy({ status: 429, body: json({ ...limited, notices }) }),
    "429 Too Many Requests | Slow down",
  );
  assertEquals(saidBy({ status: 503, body: "<p>Back soon</p>" }), "503");
  assertEquals(saidBy({ status: 500, body: "null" }), "500");
  // No quote has these members.
  const links = [{ href: "https://rdap.example/" }];
  const [lang, port43] = ["en", "whois.example"];
  const all = { ...CLEAN, links, lang, port43, holder: "Ada", isSold: false };
  assertEquals(
    saidBy({ body: json(all) }),
    "404 Not Found | name.dev not found | isSold (boolean): false",
  );
  assertEquals(saidBy({ body: json({ ...CLEAN, entities: [] }) }), "404");
  const longest = json({ ...CLEAN, title: "x".repeat(9_000) });
  for (const body of [longest, "\u{1f600}".repeat(9_000), "\ufdfa".repeat(9_000)]) {
    for (const status of [200, 404, 500]) {
      const said = saidBy({ status, body });
      assertEquals([said.length <= 200, said.isWellFormed()], [true, true]);
    }
  }
});

Deno.test("readReply() caps retryAfterMs at the longest cooldown of an hour", () => {
  const date = "Sat, 21 Nov 9999 12:00:30 GMT";
  for (const retryAfter of ["3601", "999999999", "251606999132", "9".repeat(400), date]) {
    const answer = read({ status: 429, retryAfter });
    assertFailed(answer, "limited", /429/);
    assertEquals(answer.kind === "failed" && answer.retryAfterMs, 3_600_000);
  }
});

Deno.test("readReply() returns the registry's Retry-After", () => {
  const waits = (retryAfter: string | null) => {
    const answer = read({ status: 429, retryAfter });
    return answer.kind === "failed" ? answer.retryAfterMs : undefined;
  };
  assertEquals(waits("120"), 120_000);
  assertEquals(waits("Sat, 21 Nov 2026 12:00:30 GMT"), 30_000);
  assertEquals(waits("Sat, 21 Nov 2026 11:00:00 GMT"), 0);
  assertEquals(waits("soon"), undefined);
  assertEquals(waits("-5"), undefined);
  assertEquals(waits(" "), undefined);
  assertEquals(waits(null), undefined);
});

Deno.test("readReply() gives no advice for a Retry-After that is over", () => {
  assertFailed(read({ status: 429, retryAfter: "0" }), "limited", /\(too many requests\)$/);
});

Deno.test("readReply() has where a 404 was redirected to as one of its statements", () => {
  const redirectedTo = "https://rdap.example/reserved/name.dev";
  const redirect = { path: "redirect", place: "redirect", lines: [redirectedTo], isLegal: false };
  for (const reply of [{ redirectedTo }, { redirectedTo, body: json(CLEAN) }]) {
    const answer = read(reply, true);
    assertEquals(answer.kind === "notFound" && answer.statements.at(-1), redirect);
  }
});

Deno.test("readReply() is unclear for an empty 404 of another type, where an empty one is usual", () => {
  for (const contentType of ["application/rdap+json", "application/json; charset=utf-8", ""]) {
    assertEquals(read({ contentType }, true).kind, "notFound");
  }
  assertFailed(read({ contentType: "text/html" }, true), "unclear", /empty body/);
});

Deno.test("readReply() is unclear for a 404 that a cache has kept for more than five minutes", () => {
  const body = json(CLEAN);
  for (const age of [null, "0", "300", "unreadable"]) {
    assertEquals(read({ age, body }).kind, "notFound");
  }
  assertFailed(read({ age: "301", body }), "unclear", /from a cache/);
  assertFailed(read({ age: "301" }, true), "unclear", /from a cache/);
});

Deno.test("readReply() is unclear for a 404 of which parsing loses something", () => {
  const clean = json(CLEAN);
  assertEquals(read({ body: clean }).kind, "notFound");
  for (
    const body of [
      clean.replace("{", '{"title":"Reserved",'),
      clean.replace("{", '{"tier":10000000000000001,'),
    ]
  ) {
    assertFailed(read({ body }), "unclear", /a member twice, or too long a number$/);
  }
});
