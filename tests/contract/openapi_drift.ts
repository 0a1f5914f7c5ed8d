/** The service behind Prism: every response matches the service's own OpenAPI document, headers included. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { examplesOf } from "../../src/api/examples.ts";
import { operations } from "../../src/api/operations.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import type { Services } from "../../src/wiring/services.ts";
import { INVALID_QUERIES } from "../api/invalid_queries.ts";
import { startChain } from "../lab/chain/chain.ts";
import { startLab } from "../lab/lab.ts";
import { changedApp } from "../support/changed_app.ts";
import { freePort } from "../support/process.ts";
import { type Json, startService } from "../support/service.ts";
import { until } from "../support/until.ts";
import { npmTool } from "./npm_tool.ts";

/** The type of Prism's own response in place of one that is not as documented. */
const PROBLEM = "application/problem+json";

/**
 * Starts Prism as a proxy of the service at `url`, with the document that the service serves: it passes on documented
 * responses and reports others.
 */
async function startPrism(url: string) {
  const port = freePort();
  const document = await Deno.makeTempFile({ suffix: ".yaml" });
  const response = await fetch(`${url}/openapi.yaml`);
  await Deno.writeTextFile(document, await response.text());
  // Requests are passed on unchecked: the test is whether the service rejects invalid ones as documented.
  const tool = await npmTool("prism", [
    ...["proxy", document, url, "--errors", "--validate-request", "false"],
    ...["--port", `${port}`, "--host", "127.0.0.1"],
  ]);
  const child = tool.spawn();
  // A full pipe would block it.
  const output = Promise.all([child.stdout, child.stderr].map((one) => new Response(one).text()));
  const connect = () =>
    Deno.connect({ hostname: "127.0.0.1", port }).then((one) => (one.close(), true), () => false);
  await until("Prism listens", connect);

  /** GETs a path; throws where the answer is not as documented. */
  async function get(path: string): Promise<{ status: number; body: Json }> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    const text = await response.text();
    if (response.headers.get("content-type")?.startsWith(PROBLEM)) {
      throw new Error(`${path} is not answered as documented: ${text}`);
    }
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  }

  return {
    get,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await output;
      await Deno.remove(document);
    },
  };
}

/** Two fast registries, because some of the arbitrary names are valid. */
const TWO_TLDS = { TLDS: "com,net" };

async function behindPrism(
  run: (prism: Awaited<ReturnType<typeof startPrism>>) => Promise<void>,
  { env = {}, change = () => ({}) }: {
    env?: Record<string, string>;
    /** Replaces parts of the service by failing ones. */
    change?: (services: Services) => Partial<Services>;
  } = {},
): Promise<void> {
  await using lab = await startLab();
  await using chain = await startChain();
  await using service = await startService(lab, { env: { ...chain.env, ...env } });
  const { app } = changedApp(service.services, change(service.services));
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    app.fetch,
  );
  await using prism = await startPrism(`http://127.0.0.1:${server.addr.port}`);
  await run(prism);
}

Deno.test("every operation answers its examples and other names of the lab as documented", () =>
  behindPrism(async ({ get }) => {
    for (const { name, path } of operations) {
      for (const { input } of examplesOf(name)) {
        const sent = new URLSearchParams(input as Record<string, string>);
        assertEquals((await get(`${path}?${sent}`)).status, 200, path);
      }
    }
    for (const name of ["mixed", "undelegated", "reserved", "premium", "html", "tos-trap"]) {
      assertEquals((await get(`/check?name=${name}&tld=xyz`)).status, 200, name);
    }
    assertEquals((await get("/register?domain=a.com")).body.registrars.length, 3);
    assertEquals((await get("/tlds")).body.count, BUILT_IN_TLDS.length);
  }));

Deno.test("every error of an invalid query is as documented", () =>
  behindPrism(async ({ get }) => {
    for (const [path, error] of INVALID_QUERIES) {
      const { status, body } = await get(path);
      assertEquals([status, body.error], [400, error], path);
    }
    const unknown = await get("/v1/ens/metadata?name=freename");
    assertEquals([unknown.status, unknown.body.error], [404, "not_found"]);
  }));

Deno.test("rejections by the rate limit are as documented, on every path", () =>
  behindPrism(async ({ get }) => {
    // `/health` has a counter of its own.
    for (const path of ["/tlds", "/health"]) await get(path).catch(() => {});
    for (const { path, isUncounted } of operations) {
      const { status, body } = await get(path);
      const expected = isUncounted ? [200, undefined] : [429, "rate_limit_exceeded"];
      assertEquals([status, body.error], expected, path);
    }
  }, { env: { RATE_LIMIT: "1" } }));

Deno.test("errors of the service and of upstreams are as documented, on every path that has them", async () => {
  await behindPrism(async ({ get }) => {
    for (const path of ["/v1/ens/check", "/v1/ens/metadata"]) {
      const { status, body } = await get(`${path}?name=alice`);
      assert(status === 500 && ["check_failed", "metadata_failed"].includes(body.error), path);
    }
  }, { env: { ETH_RPC_URLS: "http://127.0.0.1:1" } });
  const broken = () => {
    throw new Error("broken");
  };
  await behindPrism(async ({ get }) => {
    const paths = [
      "/check?name=taken&tld=com",
      "/tlds",
      "/register?domain=a.com",
      "/v1/ens/check?name=alice",
      "/v1/ens/metadata?name=alice",
      "/health",
    ];
    for (const path of paths) {
      const { status, body } = await get(path);
      assertEquals([status, body.error], [500, "internal_error"], path);
    }
    const ready = await get("/health/ready");
    assertEquals([ready.status, ready.body.error], [503, "service_unavailable"]);
  }, {
    change: (services) => ({
      tlds: { enabled: broken, fresh: broken },
      timestamp: broken,
      ens: { check: broken, profile: broken, renew: broken },
      health: { ...services.health, checks: broken },
      isReady: () => Promise.resolve(false),
    }),
  });
});

/** Arbitrary parameters: known and unknown names, repeated, empty, badly encoded or not encoded. */
const queries = fc.array(
  fc.tuple(
    fc.oneof(
      fc.constantFrom("name", "tld", "type", "domain", "registrar", "__proto__", "constructor"),
      fc.string({ unit: "binary", maxLength: 12 }),
    ),
    fc.oneof(
      fc.constantFrom(
        ...["", "taken", "com", ".COM", "gTLD", "a.com", "porkbun", "alice.eth", "%", "%00"],
      ),
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.webPath(),
    ),
    fc.constantFrom(encodeURIComponent, encodeURI),
  ),
  { maxLength: 5 },
).map((pairs) =>
  pairs.map(([name, value, encode]) => {
    // Lone surrogates become the replacement character, as in a browser.
    const safe = (text: string) => encode(text.toWellFormed()).replace(/[#&]/g, "");
    return `${safe(name)}=${value === "%" ? value : safe(value)}`;
  }).join("&")
);

Deno.test("5,000 arbitrary query strings get documented answers only, and never a 5xx", () =>
  behindPrism(async ({ get }) => {
    const paths = operations.map(({ path }) => path);
    const statuses = new Map<number, number>();
    const property = fc.asyncProperty(
      fc.constantFrom(...paths),
      queries,
      async (path, query) => {
        const { status } = await get(`${path}?${query}`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        assert(status < 500, `${path}?${query} is answered ${status}`);
      },
    );
    await fc.assert(property, { numRuns: 5_000 });
    // Both accepted and rejected queries must have occurred.
    assert((statuses.get(200) ?? 0) > 100 && (statuses.get(400) ?? 0) > 100);
  }, { env: TWO_TLDS }));

Deno.test("startPrism() reports an answer that is not as documented", () =>
  behindPrism(async ({ get }) => {
    await assertRejects(() => get("/tlds"), Error, "is not answered as documented");
  }, {
    change: () => ({
      prices: () => Promise.resolve(new Map([["com", { usd: 1, asOf: "today" }]])),
    }),
  }));
