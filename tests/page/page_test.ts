import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import type { Services } from "../../src/wiring/services.ts";
import { changedApp } from "../support/changed_app.ts";
import { fetchText } from "../support/fetch_text.ts";
import { onLab, type World } from "../support/on_lab.ts";
import { rawBytes } from "../support/raw_get.ts";
import type { Json, RunningService } from "../support/service.ts";

const ALL_TLDS = BUILT_IN_TLDS.map(({ tld }) => tld).join(",");

/** Opens a path of the page: its status, its headers by name and its text. */
const openOn = ({ url }: RunningService) => async (path: string, sent: HeadersInit = {}) => {
  const { status, headers, text } = await fetchText(`${url}${path}`, { headers: sent });
  return { status, of: (name: string) => headers.get(name), text };
};

type Run = (page: World & { open: ReturnType<typeof openOn> }) => Promise<void>;

/** Runs a test on a service of the page. */
const withPage = (run: Run, env: Record<string, string> = {}) =>
  onLab((world) => run({ ...world, open: openOn(world) }), {
    env: { TLDS: "com,dev,xyz", ...env },
  });
const test = (name: string, run: Run) => Deno.test(name, () => withPage(run));

const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml; charset=utf-8",
};

test("GET /static/ serves the page's files with their types, gzipped if the client accepts that", async ({ open }) => {
  const files = [...Deno.readDirSync(new URL("../../static/", import.meta.url))];
  const names = files.filter(({ isFile }) => isFile).map(({ name }) => name);
  for (const name of names) {
    for (const encoding of ["gzip", "identity", "gzip;q=0, identity"]) {
      const { status, of, text } = await open(`/static/${name}`, { "accept-encoding": encoding });
      const isModule = name.endsWith(".js") && name !== "app.js";
      assertEquals(status, isModule ? 404 : 200, name);
      if (isModule) continue;
      assertEquals(of("content-encoding") === "gzip", encoding === "gzip", name);
      assertEquals(of("content-type"), TYPES[name.split(".").at(-1) ?? ""]);
      assertEquals(of("vary"), "Accept-Encoding");
      // Comments are for readers of the source.
      assertNotMatch(text, /^\s*(?:\/\/|\/\*\*?$)/m, name);
    }
  }
  // Every module is in the script, once, and it imports nothing.
  const { text: script } = await open("/static/app.js");
  assertNotMatch(script, /^(?:import|export)\b/m);
  for (const name of names.filter((name) => name.endsWith(".js"))) {
    assertEquals(script.split(`modules["${name}"] = {`).length, 2, name);
  }
});

test("documents name their files by the hash of the content, which browsers keep, and what has not changed is a 304", async ({ open, url }) => {
  const kept = "public, max-age=31536000, immutable";
  for (const path of ["/", "/search?q=a"]) {
    const { text } = await open(path, { accept: "text/html" });
    const paths = [...text.matchAll(/"(\/static\/[^"]*)"/g)].map(([, path = ""]) => path);
    assert(paths.length > 1, path);
    for (const file of paths) {
      assertMatch(file, /^\/static\/\w+\.[\w-]{16}\.\w+$/);
      const { status, of } = await open(file);
      assertEquals([status, of("cache-control")], [200, kept], file);
    }
  }
  // Of another version: that is not kept.
  const other = await open("/static/app.AAAAAAAAAAAAAAAA.js");
  assertEquals([other.status, other.of("cache-control")], [200, "private, no-cache"]);
  for (const path of ["/", "/?q=my-name", "/static/app.js", "/openapi.yaml"]) {
    const etag = (await open(path)).of("etag") ?? "";
    assertMatch(etag, /^W\/".+"$/);
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, "*"]) {
      const { status, of, text } = await open(path, { "if-none-match": known });
      assertEquals([status, text, of("etag")], [304, "", etag], known);
      assertMatch(of("x-ratelimit-remaining") ?? "", /^\d+$/);
    }
    assertEquals((await open(path, { "if-none-match": '"other"' })).status, 200);
    const { headers } = await fetch(`${url}${path}`, { method: "HEAD" });
    assertEquals(headers.get("etag"), etag, `HEAD ${path}`);
  }
});

Deno.test("the whole page is at most six files, less than 60 KB over the wire, headers included", () =>
  withPage(async ({ url, open }) => {
    const { text } = await open("/");
    const paths = ["/", "/tld-offers.json", ...new Set(text.match(/(?<=")\/static\/[^"]*(?=")/g))];
    assert(paths.length <= 6, `${paths}`);
    let bytes = 0;
    const headers = ["Host: x", "Accept-Encoding: gzip"];
    for (const path of paths) bytes += (await rawBytes(url, path, headers)).length;
    assert(bytes < 60_000, `${bytes} bytes`);
  }, { TLDS: ALL_TLDS }));

Deno.test("the page's own files are not rate-limited, and have the headers of the limit", () =>
  withPage(async ({ open }) => {
    const files = ["/static/app.js", "/tld-offers.json", "/static/none.js"];
    for (const path of ["/", "/?q=taken", ...files]) {
      const { of } = await open(path);
      assertEquals(of("x-ratelimit-remaining"), "2", path);
      assert(of("x-request-id"));
      assertEquals(of("x-content-type-options"), "nosniff");
    }
    assertEquals((await open("/tlds")).of("x-ratelimit-remaining"), "1");
  }, { RATE_LIMIT: "2" }));

test("the page has nothing inline, which its Content-Security-Policy forbids, and every URL in it exists", async ({ open }) => {
  const { of, text: html } = await open("/");
  const policy = of("content-security-policy") ?? "";
  assertMatch(policy, /default-src 'none'/);
  assertMatch(policy, /require-trusted-types-for 'script'/);
  assertNotMatch(policy, /unsafe|https?:|\*/);
  assertNotMatch(html, /<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/);
  assertNotMatch(html, /(?:src|href)="(?:https?:)?\/\//);
  const paths = [...html.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, path = ""]) => path);
  assert(paths.includes("/openapi.yaml"));
  for (const path of paths) assertEquals((await open(path)).status, 200, path);
});

Deno.test("GET /tld-offers.json returns TLDs, whether their registries are quick, prices and links, including affiliate links", () =>
  withPage(async ({ get }) => {
    const { body: { tlds, registrars, placeholder } } = await get("/tld-offers.json");
    const { body: listed } = await get("/tlds");
    // .io needs its WHOIS server, and CentralNic has few queries for all its TLDs.
    const isQuick = (tld: string) => tld === "com";
    const offered = listed.tlds.map(({ tld, prices }: Json) => (
      { tld, isQuick: isQuick(tld), prices }
    ));
    assertEquals(tlds, offered);
    assertEquals(tlds.map(({ prices }: Json) => prices.register), [11.08, 28.12, 2.04]);
    const urlsOf = (list: Json[]): string[] => list.map(({ url }) => url);
    for (const domain of ["free-for-you.dev", "a.xyz"]) {
      const { body } = await get(`/register?domain=${domain}`);
      const made = urlsOf(registrars).map((url) => url.replaceAll(placeholder, domain));
      assertEquals(made, urlsOf(body.registrars));
    }
  }, { TLDS: "com,io,xyz", AFFILIATE_NAMECHEAP: "https://go.example/{domain}?u={url}" }));

test("documents rendered for a request are gzipped if the client accepts that", async ({ open }) => {
  for (const path of ["/?q=mine", "/search?q=mine", "/docs"]) {
    for (const encoding of ["gzip", "identity"]) {
      const { of, text } = await open(path, { "accept-encoding": encoding });
      const what = `${path} ${encoding}`;
      assertEquals(of("content-encoding") ?? "identity", encoding, what);
      assertEquals(of("vary"), "Accept-Encoding", what);
      assertMatch(text, /<\/html>\s*$/, what);
    }
  }
});

test("GET /?q= draws a list as long as a window; a longer one is left to the script, because no limit counts the page", async ({ open }) => {
  for (const [count, drawn] of [[30, 30], [200, 0]] as const) {
    const names = Array.from({ length: count }, (_, n) => `name-${n}`).join();
    const { text } = await open(`/?q=${names}&tlds=all`);
    assertEquals(text.match(/<th scope="row">/g)?.length ?? 0, drawn);
  }
});

test("GET /?q= redirects a browser without scripts to the table, and escapes the text", async ({ open }) => {
  const { text: html } = await open("/?q=my-name");
  const redirect = /<meta http-equiv="refresh" content="0; url=\/search\?q=my-name"><\/noscript>/;
  assertMatch(html, redirect);
  assertMatch(html, /<title>my-name · Is the name available\?<\/title>/);
  const evil = `"><script>alert(1)</script>$&<!-- results -->`;
  for (const path of ["/", "/search"]) {
    const { text } = await open(`${path}?q=${encodeURIComponent(evil)}`);
    assertNotMatch(text, /<script>|alert\(1\)<\/script/);
    assertEquals(text.match(/<\/head>/g)?.length, 1);
  }
  // A text that is too long is cut before a name, not within it.
  const list = encodeURIComponent(`${"a.com, ".repeat(2_339)}brightfjord.com`);
  const { text: cut } = await open(`/search?q=${list}`);
  assertNotMatch(cut, /brightfj/);
  assertMatch(cut, /a\.com/);
});

test("GET /search shows each state with its evidence, and links and a price if available", async ({ open, lab }) => {
  lab.script("somename.dev", { dns: "nxdomain", rdap: "unavailable503" });
  lab.script("somename.xyz", { dns: "delegated", rdap: "registered" });
  const { status, of, text: html } = await open("/search?q=SomeName.com");
  assertEquals([status, of("content-type")], [200, "text/html; charset=utf-8"]);
  assertEquals(of("cache-control"), "no-store");
  assertNotMatch(html, /<script/);
  assertMatch(html, />SomeName\.com<\/textarea>/);
  assertMatch(html, /1 available, 1 taken, 2 unknown/);
  const rows = html.split("<tr").slice(2).map(wordsOf);
  assertEquals(rows.length, 4);
  const [com = "", dev = "", xyz = "", eth = ""] = rows;
  assertMatch(com, /Available somename\.com not in the registry · [\d.]+ m?s · just now/);
  assertMatch(com, /Porkbun Namecheap GoDaddy ≈ \$11\.08 · \$33 \/ 3 yr/);
  const link = /="https:\/\/porkbun\.com[^"]*somename\.com" rel="noopener nofollow" aria-label=/;
  assertMatch(html, link);
  assertMatch(dev, /Unknown somename\.dev The registry answered 503 Try again/);
  assertMatch(xyz, /Taken somename\.xyz found in DNS/);
  assertMatch(eth, /Unknown somename\.eth The name could not be checked/);
});

/** The words of a piece of HTML. */
const wordsOf = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

Deno.test("GET /search has the domain that was asked for first, under any TLD, or what to send instead", () =>
  withPage(async ({ open }) => {
    // deno-fmt-ignore -- a table
    const cases: [string, RegExp][] = [
      ["taken.co.uk", /^ Taken taken\.co\.uk found in DNS/],
      ["free-for-you.online", /^ Available free-for-you\.online not in the registry/],
      ["taken.eth", /^ \w+ taken\.eth/],
      ["free-for-you.zzz", /^ Unknown free-for-you\.zzz Unsupported TLD: \.zzz is no known TLD/],
      ["free-for-you.acme.com", /^ Unknown free-for-you\.acme\.com Unsupported TLD: .*send acme\.com itself/],
    ];
    for (const [typed, first] of cases) {
      const { text } = await open(`/search?${new URLSearchParams({ q: typed })}`);
      const [, row = ""] = text.slice(text.lastIndexOf("<tbody>")).split(/<tr[^>]*>/);
      assertMatch(wordsOf(row), first);
    }
  }, { ANY_TLD: "on" }));

Deno.test("GET /search looks a name up as a single one, however many TLDs are named", () =>
  withPage(async ({ services }) => {
    const isList: unknown[] = [];
    const checkDomain: Services["checkDomain"] = async (label, tld, waiter, options) => {
      isList.push(waiter?.isList);
      return await services.checkDomain(label, tld, waiter, options);
    };
    const { ask } = changedApp(services, { checkDomain });
    await (await ask("/search?q=taken&tlds=com,dev,xyz,zzz,org")).text();
    assertEquals(isList, Array(4).fill(false));
  }, { TLDS: "com,dev,xyz,org" }));

Deno.test("GET /search is rate-limited, and shows errors as a page", () =>
  withPage(async ({ open }) => {
    assertEquals((await open("/search?q=taken")).of("x-ratelimit-remaining"), "4");
    // deno-fmt-ignore -- a table
    const wrong: [string, number, RegExp][] = [
      ["/search?q=%26%26", 400, /Use letters a–z, digits and hyphens only/],
      ["/search?q=.com", 400, /Type the name before the dot/],
      ["/search?q=", 400, /Missing parameter: name/],
      ["/search?q=not+a+domain&details=1", 400, /Invalid domain: Add a TLD, such as example\.com/],
      ["/search", 429, /Too many requests/],
    ];
    for (const [path, status, message] of wrong) {
      const answer = await open(path);
      assertEquals(answer.status, status, path);
      assertEquals(answer.of("content-type"), "text/html; charset=utf-8");
      assertEquals(answer.of("retry-after") !== null, status === 429);
      assertMatch(answer.text, message);
    }
  }, { RATE_LIMIT: "5" }));

test("GET /search offers what can be checked when the text is not one name", async ({ open }) => {
  // deno-fmt-ignore -- a table
  const cases: [string, [string, string][]][] = [
    ["Café.dev", [["/search?q=cafe.dev", "cafe.dev"], ["/search?q=xn--caf-dma.dev", "xn--caf-dma.dev (café.dev)"]]],
    ["acme, taken.dev", [["/search?q=acme", "acme"], ["/search?q=taken.dev", "taken.dev"]]],
  ];
  for (const [typed, links] of cases) {
    const { status, text } = await open(`/search?${new URLSearchParams({ q: typed })}`);
    assertEquals(status, 200, typed);
    const [, list = ""] = /<ul class="chips">(\s*<li>.*?)<\/ul>/s.exec(text) ?? [];
    const found = list.matchAll(/href="([^"]*)"\s*>([^<]*)</g);
    assertEquals([...found].map(([, href = "", text = ""]) => [href, text]), links, typed);
  }
});

Deno.test("the page's footer and /docs name the operator, the contact and the privacy policy, without scripts too", async () => {
  const contact = 'Contact: <a href="mailto:ops@example.org">ops@example.org</a>';
  const privacy = '<a href="https://example.org/privacy?a=1&amp;b=$&amp;">Privacy</a>';
  const OPERATOR = {
    OPERATOR_NAME: "Ada & <Sons>",
    OPERATOR_CONTACT: "ops@example.org",
    PRIVACY_URL: "https://example.org/privacy?a=1&b=$&",
  };
  // deno-fmt-ignore -- a table
  const cases: [Record<string, string>, RegExp | string][] = [
    [OPERATOR, `Run by Ada &amp; &lt;Sons&gt; · ${contact} · ${privacy}`],
    // Words that are no address are no link.
    [{ OPERATOR_CONTACT: "the desk on floor 3" }, "Contact: the desk on floor 3"],
    [{ DENO_DEPLOY: "true" }, /Deno Deploy traces requests/],
    [{}, ""],
  ];
  for (const [env, shown] of cases) {
    await withPage(async ({ open }) => {
      for (const path of ["/", "/?q=taken", "/search?q=taken", "/docs"]) {
        const { text } = await open(path);
        assertNotMatch(text, /\{operator\}/, path);
        const isPage = path !== "/docs";
        if (shown === "") assertNotMatch(text, /<footer/, path);
        else if (typeof shown !== "string") assertMatch(text, shown, path);
        else {assert(
            text.includes(isPage ? `<footer class="quiet">${shown}</footer>` : shown),
            path,
          );}
      }
    }, env);
  }
});
