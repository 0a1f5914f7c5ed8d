import { assert, assertEquals } from "@std/assert";
import { mcpPost, toolCall } from "../support/mcp.ts";
import { withService } from "../support/with_service.ts";

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
  withService(async ({ url, events }) => {
    const ask = async (path: string, init?: RequestInit) => {
      const response = await fetch(`${url}${path}`, init);
      await response.body?.cancel();
      assert(response.status < 500, `${response.status}: ${path.slice(0, 60)}`);
    };
    const json = { "content-type": "application/json" };
    for (const text of PATTERNS.map(longText)) {
      for (const path of PATHS) await ask(`${path}${encodeURIComponent(text)}`);
      const ascii = text.replaceAll(/[^ -~]/g, "x");
      for (const name of HEADERS) {
        await ask("/check?name=taken&tld=com", { headers: { [name]: ascii } });
        await ask("/static/app.js", { headers: { [name]: ascii } });
      }
      const body = JSON.stringify({ names: [text.slice(0, 20_000)], tlds: ["com"] });
      await ask("/check", { method: "POST", headers: json, body });
      const names = [text.slice(0, 20_000)];
      await ask("/mcp/", mcpPost(toolCall("check_domain", { names, tlds: ["com"] })));
      await ask("/mcp/", mcpPost(toolCall(text.slice(0, 20_000), {})));
    }
    assertEquals(events.filter(({ level }) => level === "error"), []);
  }, { RATE_LIMIT: "100000", TRUSTED_PROXIES: "1" }));
