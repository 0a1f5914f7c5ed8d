import { assert, assertEquals, assertMatch } from "@std/assert";
import { aiCatalog, apiCatalog, serverCard, serverJson } from "../../src/documents/catalogs.ts";
import { startLab } from "../lab/lab.ts";
import { type Json, startService } from "../support/service.ts";

const BASE = "https://domains.example.com";

/** As in the schemas of cards and of server.json. */
const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

Deno.test("serverCard() names the MCP server after its host in reverse order", () => {
  const nameAt = (base: string) => (serverCard(base, "1.0.0") as Json).name;
  assertEquals(nameAt(BASE), "com.example.domains/domain-availability");
  assertEquals(nameAt("http://localhost:8000"), "localhost/domain-availability");
  for (const base of ["http://127.0.0.1:8000", "http://[::1]", "http://my_service"]) {
    assertEquals(nameAt(base), "local/domain-availability");
  }
  assertMatch(nameAt(BASE), NAME);
});

Deno.test("serverCard() and serverJson() agree, each in the form of its schema", () => {
  const card: Json = serverCard(BASE, "1.2.3");
  const registry: Json = serverJson(BASE, "1.2.3");
  assertMatch(card.$schema, /\/schemas\/v1\/server-card\.schema\.json$/);
  assertMatch(registry.$schema, /\/schemas\/2025-12-11\/server\.schema\.json$/);
  for (const field of ["name", "version", "title", "description", "websiteUrl"]) {
    assertEquals(card[field], registry[field]);
  }
  assert(card.description.length <= 100 && card.title.length <= 100);
  assertEquals(registry.remotes, [{ type: "streamable-http", url: `${BASE}/mcp/` }]);
  assertEquals(card.remotes[0].url, `${BASE}/mcp/`);
});

Deno.test("aiCatalog() links to the card", () => {
  const { specVersion, entries: [entry] }: Json = aiCatalog(BASE);
  assertEquals([specVersion, entry], ["1.0", {
    identifier: "urn:air:domains.example.com:mcp:domain-availability",
    type: "application/mcp-server-card+json",
    url: `${BASE}/mcp/server-card`,
  }]);
});

Deno.test("every link of apiCatalog() answers with its declared type", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  const { linkset: [links] }: Json = apiCatalog(service.url);
  assertEquals(links.anchor, `${service.url}/`);
  const targets = Object.values<Json>(links).flatMap((value) => Array.isArray(value) ? value : []);
  assert(targets.length >= 6);
  for (const { href, type } of targets) {
    const response = await fetch(href);
    await response.body?.cancel();
    assertEquals([response.status, response.headers.get("content-type")?.split(";")[0]], [
      200,
      type,
    ]);
  }
});

Deno.test("the card is the same at both of its paths, for any origin", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  const at = async (path: string) => {
    const response = await fetch(`${service.url}${path}`);
    assertEquals(response.headers.get("access-control-allow-origin"), "*");
    return await response.text();
  };
  assertEquals(await at("/mcp/server-card"), await at("/.well-known/mcp/server-card.json"));
});

Deno.test("robots.txt disallows look-ups and allows the rest", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  const robots = await (await fetch(`${service.url}/robots.txt`)).text();
  for (const path of ["/check", "/register", "/v1/", "/mcp"]) {
    assert(robots.includes(`\nDisallow: ${path}\n`), path);
  }
  assert(robots.startsWith("User-agent: *\n") && robots.includes("\nAllow: /\n"));
});
