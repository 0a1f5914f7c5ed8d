import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { BUILT_IN_TLDS } from "../../src/rules/tlds.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { type RunningService, startService } from "../support/service.ts";

const ALL_TLDS = BUILT_IN_TLDS.map(({ tld }) => tld).join(",");

async function withPage(
  run: (page: RunningService & { open: typeof fetch; port: number }, lab: Lab) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "com,dev,xyz", ...env } });
  const port = Number(new URL(service.url).port);
  await run({ ...service, port, open: (path, init) => fetch(`${service.url}${path}`, init) }, lab);
}

async function ownFiles(): Promise<string[]> {
  const names: string[] = [];
  for await (const { name, isFile } of Deno.readDir(new URL("../../static/", import.meta.url))) {
    if (isFile) names.push(name);
  }
  return names;
}

const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

Deno.test("every file of the page is served with its type, compressed where that is taken", () =>
  withPage(async ({ open }) => {
    for (const name of await ownFiles()) {
      const own = await Deno.readTextFile(new URL(`../../static/${name}`, import.meta.url));
      for (const encoding of ["gzip", "identity", "gzip;q=0, identity"]) {
        const response = await open(`/static/${name}`, {
          headers: { "accept-encoding": encoding },
        });
        assertEquals(response.status, 200, name);
        assertEquals(response.headers.get("content-type"), TYPES[name.split(".").at(-1) ?? ""]);
        assertEquals(response.headers.get("vary"), "Accept-Encoding");
        assertEquals(await response.text(), own, `${name} as ${encoding}`);
      }
    }
  }));

Deno.test("the whole page is less than 60 KB over the wire, heads and all", () =>
  withPage(async ({ port }) => {
    const paths = ["/", "/endings.json"];
    for (const name of await ownFiles()) if (name !== "index.html") paths.push(`/static/${name}`);
    let bytes = 0;
    for (const path of paths) bytes += await bytesOf(port, path);
    assert(bytes < 60_000, `${bytes} bytes`);
  }, { TLDS: ALL_TLDS }));

/** What an answer takes on the wire, head and all: fetch would only tell what it unpacked. */
async function bytesOf(port: number, path: string): Promise<number> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const head =
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`;
  await connection.write(new TextEncoder().encode(head));
  return (await new Response(connection.readable).bytes()).length;
}

Deno.test("a file that has not changed is answered 304 without a body", () =>
  withPage(async ({ open }) => {
    for (const path of ["/", "/static/app.js"]) {
      const first = await open(path);
      await first.body?.cancel();
      const etag = first.headers.get("etag") ?? "";
      assertMatch(etag, /^W\/".+"$/);
      assertEquals(first.headers.get("cache-control"), "private, no-cache");
      for (const known of [etag, etag.slice(2), `"other", ${etag}`, "*"]) {
        const again = await open(path, { headers: { "if-none-match": known } });
        assertEquals([again.status, await again.text()], [304, ""], known);
        assertEquals(again.headers.get("etag"), etag);
      }
      const changed = await open(path, { headers: { "if-none-match": '"other"' } });
      await changed.body?.cancel();
      assertEquals(changed.status, 200);
    }
  }));

Deno.test("the page's own files cost no request, and say how the limit stands", () =>
  withPage(async ({ open, get }) => {
    for (const path of ["/", "/?q=taken", "/static/app.js", "/endings.json", "/static/none.js"]) {
      const response = await open(path);
      await response.body?.cancel();
      assertEquals(response.headers.get("x-ratelimit-remaining"), "2", path);
      assert(response.headers.get("x-request-id"));
      assertEquals(response.headers.get("x-content-type-options"), "nosniff");
    }
    assertEquals((await get("/tlds")).headers.get("x-ratelimit-remaining"), "1");
  }, { RATE_LIMIT: "2" }));

Deno.test("a Host header that reads like a path of the page is counted all the same", () =>
  withPage(async ({ port, get }) => {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port });
    const request = "GET /check HTTP/1.1\r\nHost: x/static/?\r\nConnection: close\r\n\r\n";
    await connection.write(new TextEncoder().encode(request));
    const answer = await new Response(connection.readable).text();
    assertMatch(answer, /^HTTP\/1\.1 400 .*"error":"invalid_host"/s);
    assertEquals((await get("/tlds")).headers.get("x-ratelimit-remaining"), "0");
  }, { RATE_LIMIT: "2" }));

Deno.test("nothing in the page is inline, and its policy would refuse it", () =>
  withPage(async ({ open }) => {
    const response = await open("/");
    const policy = response.headers.get("content-security-policy") ?? "";
    assertStringIncludes(policy, "default-src 'none'");
    assertStringIncludes(policy, "require-trusted-types-for 'script'");
    assertNotMatch(policy, /unsafe|https?:|\*/);
    const html = await response.text();
    assertNotMatch(html, /<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/);
    assertNotMatch(html, /(?:src|href)="(?:https?:)?\/\//);
  }));

Deno.test("whatever the page refers to is there, and each of its modules is named for the first load", () =>
  withPage(async ({ open }) => {
    const html = await (await open("/")).text();
    const paths = [...html.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, path = ""]) =>
      path
    );
    assert(paths.includes("/static/app.js") && paths.includes("/openapi.yaml"));
    for (const path of paths.filter((path) => path !== "/search")) {
      const response = await open(path);
      await response.body?.cancel();
      assertEquals(response.status, 200, path);
    }
    const modules = (await ownFiles()).filter((name) => name.endsWith(".js"));
    assertEquals(modules.filter((name) => !paths.includes(`/static/${name}`)), []);
  }));

Deno.test("what is not there is 404, whichever way it is asked for, and other methods are 405", () =>
  withPage(async ({ get }) => {
    const paths = [
      "/static/",
      "/static/none.js",
      "/static/..%2fdeno.json",
      "/static/%2e%2e/deno.json",
      "/static/app.js%00",
      "/static/constructor",
      "/index.html",
    ];
    for (const path of paths) {
      const { status, body } = await get(path);
      assertEquals([status, body.error], [404, "not_found"], path);
    }
    for (const path of ["/", "/search", "/static/app.js"]) {
      const { status, body } = await get(path, { method: "POST" });
      assertEquals([status, body.error], [405, "method_not_allowed"], path);
    }
  }));

Deno.test("HEAD answers like GET, without a body", () =>
  withPage(async ({ open }) => {
    const { status, headers } = await open("/static/app.js", { method: "HEAD" });
    assertEquals([status, headers.get("content-type")], [200, TYPES.js]);
  }));

Deno.test("the page is told endings, prices and links once, affiliate links included", () =>
  withPage(async ({ get }) => {
    const { body } = await get("/endings.json");
    assertEquals(body.endings, [
      { tld: "com", type: "gTLD", price: 11.08 },
      { tld: "dev", type: "gTLD" },
      { tld: "xyz", type: "gTLD", price: 2.04 },
    ]);
    assertEquals(body.pricedAt, "Porkbun");
    for (const domain of ["free-for-you.dev", "a.xyz"]) {
      const { body: { registrars } } = await get(`/register?domain=${domain}`);
      const made = body.registrars.map(({ url }: { url: string }) =>
        url.replaceAll(body.placeholder, domain)
      );
      assertEquals(made, registrars.map(({ url }: { url: string }) => url));
    }
  }, { AFFILIATE_NAMECHEAP: "https://go.example/{domain}?u={url}" }));

Deno.test("a shared address leads a browser without scripts on to the table, and runs nothing of it", () =>
  withPage(async ({ open }) => {
    const html = await (await open("/?q=my-name")).text();
    assertStringIncludes(
      html,
      '<noscript><meta http-equiv="refresh" content="0; url=/search?q=my-name"></noscript>',
    );
    assertStringIncludes(html, "<title>my-name · Is the name free?</title>");
    const evil = `"><script>alert(1)</script>$&<!-- results -->`;
    for (const path of ["/", "/search"]) {
      const text = await (await open(`${path}?q=${encodeURIComponent(evil)}`)).text();
      assertNotMatch(text, /<script>|alert\(1\)<\/script/);
      assertEquals(text.match(/<\/head>/g)?.length, 1);
    }
  }));

Deno.test("the table shows each state with its evidence, and links and a price for what is free", () =>
  withPage(async ({ open }, lab) => {
    lab.script("somename.dev", { dns: "nxdomain", rdap: "unavailable503" });
    lab.script("somename.xyz", { dns: "delegated", rdap: "registered" });
    const response = await open("/search?q=Some+Name.com");
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("content-type"), "text/html; charset=utf-8");
    assertEquals(response.headers.get("cache-control"), "no-store");
    const html = await response.text();
    assertNotMatch(html, /<script/);
    assertStringIncludes(html, 'value="Some Name.com"');
    assertMatch(html, /1 free, 1 taken, 2 unclear/);
    const rows = html.split("<tr").slice(2).map((row) =>
      row.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")
    );
    assertEquals(rows.length, 4);
    assertMatch(
      rows[0] ?? "",
      /Free somename\.com registry says not found · [\d.]+ m?s · just now/,
    );
    assertMatch(rows[0] ?? "", /Porkbun ≈ \$11\.08 Namecheap GoDaddy/);
    assertMatch(
      html,
      /href="https:\/\/porkbun\.com[^"]*somename\.com" rel="noopener nofollow" aria-label=/,
    );
    assertMatch(rows[1] ?? "", /Could not tell somename\.dev The registry answered 503 Try again/);
    assertMatch(rows[2] ?? "", /Taken somename\.xyz found in DNS/);
    assertMatch(rows[3] ?? "", /Could not tell somename\.eth The name could not be checked/);
  }));

Deno.test("the table counts as a request, and says to a person what is wrong", () =>
  withPage(async ({ open }) => {
    const asked = await open("/search?q=taken");
    assertEquals(asked.headers.get("x-ratelimit-remaining"), "2");
    await asked.body?.cancel();
    // deno-fmt-ignore -- a table
    const wrong: [string, number, RegExp][] = [
      ["/search?q=b%C3%BCcher", 400, /Use letters a–z, digits and hyphens only/],
      ["/search?q=-a", 400, /Remove the hyphen/],
      ["/search", 429, /Too many requests/],
    ];
    for (const [path, status, message] of wrong) {
      const response = await open(path);
      assertEquals(response.status, status, path);
      assertEquals(response.headers.get("content-type"), "text/html; charset=utf-8");
      assertEquals(response.headers.has("retry-after"), status === 429);
      assertMatch(await response.text(), message);
    }
  }, { RATE_LIMIT: "3" }));

Deno.test("the table of nothing is the form, asked once more", () =>
  withPage(async ({ open }) => {
    const response = await open("/search?q=");
    assertEquals(response.status, 400);
    assertMatch(await response.text(), /Missing parameter: name/);
  }));
