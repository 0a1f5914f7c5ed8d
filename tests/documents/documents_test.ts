import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { documents } from "../../src/documents/documents.ts";
import { changedApp, versionAtSecondTry } from "../support/changed_app.ts";
import { withService } from "../support/with_service.ts";

async function fetchText(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

Deno.test("every document is served with its type, an ETag, links to the others and rate-limit headers", () =>
  withService(async ({ url }) => {
    for (const [path, { type }] of Object.entries(documents)) {
      const { status, headers, text } = await fetchText(`${url}${path}`);
      assertEquals([status, headers.get("content-type")], [200, type], path);
      assert(text.length > 0 && !text.includes("{base}"), path);
      assertMatch(headers.get("etag") ?? "", /^"[\w-]+"$/);
      assertMatch(headers.get("link") ?? "", /<\/openapi\.yaml>; rel="service-desc"/);
      assertMatch(headers.get("x-ratelimit-remaining") ?? "", /^\d+$/);
      assertEquals(headers.get("cache-control"), "no-store");
      assertEquals(headers.get("access-control-allow-origin"), "*");
    }
  }));

Deno.test("the page has the Link header to the documents", () =>
  withService(async ({ url }) => {
    const { headers } = await fetchText(`${url}/`);
    assertMatch(headers.get("link") ?? "", /<\/llms\.txt>; rel="describedby"/);
  }));

Deno.test("a document is answered 304 without a body when If-None-Match has its ETag", () =>
  withService(async ({ url }) => {
    const first = await fetchText(`${url}/openapi.yaml`);
    const etag = first.headers.get("etag") ?? "";
    for (const sent of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const { status, headers, text } = await fetchText(`${url}/openapi.yaml`, {
        headers: { "if-none-match": sent },
      });
      assertEquals([status, text, headers.get("etag")], [304, "", etag], sent);
      assertMatch(headers.get("x-ratelimit-remaining") ?? "", /^\d+$/);
    }
    const other = await fetchText(`${url}/openapi.yaml`, { headers: { "if-none-match": '"x"' } });
    assertEquals(other.status, 200);
  }));

Deno.test("documents answer HEAD and preflights, and 405 to other methods", () =>
  withService(async ({ url }) => {
    const head = await fetchText(`${url}/openapi.json`, { method: "HEAD" });
    assertEquals([head.status, head.text], [200, ""]);
    const post = await fetchText(`${url}/openapi.json`, { method: "POST" });
    assertEquals([post.status, post.headers.get("allow")], [405, "GET, HEAD, OPTIONS"]);
    const preflight = await fetchText(`${url}/docs`, {
      method: "OPTIONS",
      headers: { origin: "https://page.example", "access-control-request-method": "GET" },
    });
    assertEquals(preflight.status, 204);
  }));

Deno.test("a document has the host that the client used, and the scheme of a trusted proxy", async () => {
  const serverOf = async (url: string, headers: Record<string, string>) => {
    const { text } = await fetchText(`${url}/openapi.json`, { headers });
    return JSON.parse(text).servers[0].url;
  };
  await withService(async ({ url }) => {
    assertEquals(await serverOf(url, {}), url);
    assertEquals(await serverOf(url, { "x-forwarded-proto": "https" }), url);
  });
  await withService(async ({ url }) => {
    const https = url.replace("http:", "https:");
    assertEquals(await serverOf(url, { "x-forwarded-proto": "https" }), https);
    assertEquals(await serverOf(url, { "x-forwarded-proto": "javascript" }), url);
    assertEquals(await serverOf(url, {}), url);
  }, { TRUSTED_PROXIES: "1" });
});

Deno.test("a document has another ETag for each address of the service", () =>
  withService(async ({ services }) => {
    const { app } = changedApp(services, {});
    const etags = await Promise.all(["http://a.example", "http://b.example"].map(async (base) => {
      const response = await app.request(`${base}/llms.txt`);
      assert((await response.text()).includes(base));
      return response.headers.get("etag");
    }));
    assertNotEquals(etags[0], etags[1]);
  }));

Deno.test("documents answer 500 when they cannot be opened, and retry at the next request", () =>
  withService(async ({ services }) => {
    const { ask } = changedApp(services, versionAtSecondTry());
    const [failed, found] = [await ask("/openapi.json"), await ask("/openapi.json")];
    assertEquals([failed.status, (await failed.json()).error], [500, "internal_error"]);
    assertEquals([found.status, (await found.json()).info.version], [200, "1"]);
  }));

Deno.test("the reference page runs scripts of this service only, served with gzip or without", () =>
  withService(async ({ url }) => {
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
    for (const encoding of ["identity", "gzip;q=0", "br, gzip; q=0.0, *"]) {
      const plain = await fetchText(`${url}${script}`, {
        headers: { "accept-encoding": encoding },
      });
      assertEquals(plain.headers.get("content-encoding"), null);
      assert(plain.text === packed.text && plain.text.includes("rapi-doc"));
    }
  }));
