import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { documents } from "../../src/documents/documents.ts";
import { fetchText } from "../support/fetch_text.ts";
import { onLab, testsOnLab } from "../support/on_lab.ts";

const test = testsOnLab();

test("every document is served with its type, an ETag, links to the others and rate-limit headers, and to HEAD without a body", async ({ url }) => {
  for (const [path, { type }] of Object.entries(documents)) {
    const { status, headers, text } = await fetchText(`${url}${path}`);
    assertEquals([status, headers.get("content-type")], [200, type], path);
    assert(text.length > 0 && !/\{base\}|\{mcpName\}/.test(text), path);
    assertMatch(headers.get("etag") ?? "", /^W\/"[\w-]+"$/);
    assertMatch(headers.get("link") ?? "", /<\/openapi\.yaml>; rel="service-desc"/);
    assertMatch(headers.get("x-ratelimit-remaining") ?? "", /^\d+$/);
    assertEquals(headers.get("cache-control"), "no-store");
    assertEquals(headers.get("vary"), "Accept-Encoding");
    assertEquals(headers.get("access-control-allow-origin"), "*");
    const head = await fetchText(`${url}${path}`, { method: "HEAD" });
    assertEquals([head.status, head.text], [200, ""]);
  }
  const { headers } = await fetchText(`${url}/`);
  assertMatch(headers.get("link") ?? "", /<\/llms\.txt>; rel="describedby"/);
});

Deno.test("a document has the host that the client used, another ETag for each, and the scheme of a trusted proxy", async () => {
  const read = async (url: string, proto?: string) => {
    const sent = proto === undefined ? {} : { headers: { "x-forwarded-proto": proto } };
    const { text, headers } = await fetchText(`${url}/openapi.json`, sent);
    return { base: JSON.parse(text).servers[0].url, etag: headers.get("etag") };
  };
  await onLab(async ({ url }) => {
    assertEquals([(await read(url)).base, (await read(url, "https")).base], [url, url]);
    const other = url.replace("127.0.0.1", "localhost");
    assertEquals((await read(other)).base, other);
    assertNotEquals((await read(other)).etag, (await read(url)).etag);
  });
  await onLab(async ({ url }) => {
    const bases = await Promise.all(
      ["https", "javascript", undefined].map(async (proto) => (await read(url, proto)).base),
    );
    assertEquals(bases, [url.replace("http:", "https:"), url, url]);
  }, { env: { TRUSTED_PROXIES: "1" } });
});

test("the reference page runs scripts of this service only", async ({ url }) => {
  const page = await fetchText(`${url}/docs`);
  const policy = page.headers.get("content-security-policy") ?? "";
  assertMatch(policy, /default-src 'none'; script-src 'self';/);
  const scripts = [...page.text.matchAll(/<script[^>]*>(?<inline>[^<]*)/g)];
  assertEquals(scripts.map(({ groups }) => groups?.inline), [""]);
  assertEquals(/(?:src|href|url)="(?!\/|data:,")/.test(page.text), false);
  const [, script = ""] = /src="([^"]+)"/.exec(page.text) ?? [];
  const packed = await fetchText(`${url}${script}`);
  assertEquals(packed.headers.get("content-type"), "text/javascript; charset=utf-8");
  assertMatch(packed.headers.get("cache-control") ?? "", /^private, .*immutable$/);
  assert(packed.text.includes("rapi-doc"));
});
