import { assertEquals, assertMatch } from "@std/assert";
import type { RdapAnswer } from "../../src/rules/answer.ts";
import type { Reply } from "../../src/sources/http.ts";
import { createRdapQuestion } from "../../src/sources/rdap.ts";
import { NO_DETAILS } from "../support/answers.ts";

const BASE = "https://rdap.example/v1/";
const NOT_FOUND = { errorCode: 404, title: "Not Found" };
const DOMAIN = { objectClassName: "domain", ldhName: "NAME.COM" };

/** The answer to a reply whose final URL is `url`. */
function answerTo({ status, body, url }: { status: number; body: unknown; url: string }) {
  const headers = new Headers({ "content-type": "application/rdap+json" });
  const reply: Reply = { kind: "reply", status, headers, body: JSON.stringify(body), url };
  const question = createRdapQuestion({ get: () => Promise.resolve(reply), now: () => 1e12 });
  return question(BASE, "name.com");
}

function kindOf(answer: RdapAnswer): string {
  return answer.kind === "failed" ? answer.fault : answer.kind;
}

Deno.test("the RDAP question accepts a 404 only from a path that ends in the domain, and reports a redirect to another", async () => {
  const urls: [string, string][] = [
    [`${BASE}domain/name.com`, "notFound"],
    ["https://rdap.example/moved/domain/name.com", "notFound"],
    ["https://rdap.example/v2/domain/NAME.COM?lang=en", "notFound"],
    ["https://rdap.example/v1/domain/other.com", "unclear"],
    ["https://rdap.example/v1/domain/another-name.com", "unclear"],
    ["https://rdap.example/v1/domain/name.com/", "unclear"],
    ["https://rdap.example/error?for=/domain/name.com", "unclear"],
    ["https://rdap.example/error#/domain/name.com", "unclear"],
  ];
  for (const [url, kind] of urls) {
    const answer = await answerTo({ status: 404, body: NOT_FOUND, url });
    assertEquals([kindOf(answer), answer.said], [kind, "404 Not Found"], url);
    if (answer.kind === "failed") assertMatch(answer.why, /^The registry redirected to [^\n]+$/);
  }
});

Deno.test("the RDAP question accepts a 200 for the domain, and an error, from any path of the registry", async () => {
  const url = "https://rdap.example/objects/D1";
  assertEquals(await answerTo({ status: 200, body: DOMAIN, url }), {
    kind: "registered",
    askedAt: 1e12,
    details: NO_DETAILS,
    said: "200 domain NAME.COM",
  });
  assertEquals(kindOf(await answerTo({ status: 503, body: {}, url })), "down");
  assertEquals(kindOf(await answerTo({ status: 200, body: NOT_FOUND, url })), "unclear");
});
