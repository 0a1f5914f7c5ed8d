import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { operations } from "../../src/api/operations.ts";
import { fetchText } from "../support/fetch_text.ts";
import { IS_LONG_RUN } from "../support/long_run.ts";
import { mcpPost, toolCall } from "../support/mcp.ts";
import { onLab } from "../support/on_lab.ts";
import { postJson } from "../support/post_json.ts";

/** The longest URL that Deno reads has about 65,500 characters. */
const LONGEST = 60_000;

/** Texts that make expressions backtrack, loops nest, and normalisation reorder. */
// deno-fmt-ignore -- a table
const PATTERNS = [
  ["a", "-", "b"], ["", ".", "b"], ["xn--", "a-", "!"], ["", "xn--a ", ""], ["", "@", ""],
  ["http://", "http://", ""], ["a", " ", "b"], ["a", "\u0301", "b"], ["a", "\u0301\u0323", "b"],
  ["", "é-", "!"], ["", "ä,", ""], ["", "\ufdfa ", ""],
] as const;

/** A pattern, repeated until it fills a URL. */
function longText([start, repeated, end]: typeof PATTERNS[number]): string {
  const count = Math.floor(LONGEST / encodeURIComponent(repeated).length);
  return `${start}${repeated.repeat(count)}${end}`;
}

const PATHS = [
  ...["/check?name=", "/check?name=taken&tld=", "/check?name=taken&depth=", "/tlds?type="],
  ...["/register?domain=", "/register?domain=a.com&registrar="],
  ...["/v1/ens/check?name=", "/v1/ens/metadata?name=", "/search?q=", "/?q=", "/static/", "/"],
];

const HEADERS = [
  ...["accept", "accept-encoding", "authorization", "if-none-match", "origin"],
  ...["x-forwarded-for", "x-request-id"],
];

Deno.test("a long text of a client, in a URL, a header or a body, is never a fault", () =>
  onLab(async ({ url, events }) => {
    const ask = async (path: string, init?: RequestInit) => {
      const { status } = await fetchText(`${url}${path}`, init);
      assert(status < 500, `${status}: ${path.slice(0, 60)}`);
    };
    for (const text of PATTERNS.map(longText)) {
      for (const path of PATHS) await ask(`${path}${encodeURIComponent(text)}`);
      const ascii = text.replaceAll(/[^ -~]/g, "x");
      for (const name of HEADERS) {
        await ask("/check?name=taken&tld=com", { headers: { [name]: ascii } });
        await ask("/static/app.js", { headers: { [name]: ascii } });
      }
      const input = { names: [text.slice(0, 20_000)], tlds: ["com"] };
      await ask("/check", postJson(input));
      await ask("/mcp/", mcpPost(toolCall("check_domain", input)));
      await ask("/mcp/", mcpPost(toolCall(text.slice(0, 20_000), {})));
    }
    assertEquals(events.filter(({ level }) => level === "error"), []);
  }, { env: { RATE_LIMIT: "100000", TRUSTED_PROXIES: "1" } }));

const text = (maxLength: number) => fc.string({ unit: "binary", maxLength });

/** Known and unknown parameters, repeated, empty, badly encoded or not encoded. */
const queries = fc.array(
  fc.tuple(
    fc.oneof(fc.constantFrom("name", "tld", "type", "domain", "registrar", "__proto__"), text(12)),
    fc.oneof(
      fc.constantFrom("", "taken", "com", ".COM", "gTLD", "a.com", "porkbun", "alice.eth", "%00"),
      text(80),
      fc.webPath(),
    ),
    fc.constantFrom(encodeURIComponent, encodeURI),
  ),
  { maxLength: 5 },
).map((pairs) =>
  pairs.map(([name, value, encode]) => {
    // Lone surrogates become the replacement character, as in a browser.
    const safe = (text: string) => encode(text.toWellFormed()).replace(/[#&]/g, "");
    return `${safe(name)}=${value === "%00" ? value : safe(value)}`;
  }).join("&")
);

Deno.test("arbitrary query strings get documented answers only, and never a 5xx", () =>
  onLab(async ({ get }) => {
    const statuses = new Set<number>();
    const paths = operations.filter(({ textHeaders }) => !textHeaders).map(({ path }) => path);
    const isDocumented = async (path: string, query: string) => {
      const { status } = await get(`${path}?${query}`);
      statuses.add(status);
      // Without a node, .eth names cannot be looked up.
      assert(status < 500 || path.startsWith("/v1/ens/"), `${path}?${query}: ${status}`);
    };
    const property = fc.asyncProperty(fc.constantFrom(...paths), queries, isDocumented);
    await fc.assert(property, { numRuns: IS_LONG_RUN ? 5_000 : 500 });
    assert(statuses.has(200) && statuses.has(400));
  }, { env: { RATE_LIMIT: "100000", TLDS: "com,net" } }));
