import { assert, assertEquals, assertRejects } from "@std/assert";
import { useNoSystemDns } from "./lab_env.ts";
import type { HttpBehaviour } from "./http_behaviour.ts";
import { type RegistryRequest, startRegistryServer } from "./registry_server.ts";

useNoSystemDns();

const URL_OF_A_NAME = "http://rdap.verisign.com/com/v1/domain/x.com";

const CIVIL: readonly [
  string,
  HttpBehaviour,
  [status: number, type: string | null, body: string],
][] = [
  ["json", { kind: "json", status: 200, body: { a: 1 } }, [
    200,
    "application/rdap+json",
    `{"a":1}`,
  ]],
  ["json of a type", { kind: "json", status: 404, body: [], contentType: "application/json" }, [
    404,
    "application/json",
    "[]",
  ]],
  ["text", { kind: "text", status: 503, contentType: "text/html", body: "<p>" }, [
    503,
    "text/html",
    "<p>",
  ]],
  ["empty", { kind: "empty", status: 404 }, [404, null, ""]],
  ["delayed", { kind: "empty", status: 204, delayMs: 1 }, [204, null, ""]],
  ["redirect", { kind: "redirect", status: 302, location: "http://x.lab/" }, [302, null, ""]],
];
for (const [name, behaviour, expected] of CIVIL) {
  Deno.test(`startRegistryServer() answers in full: ${name}`, async () => {
    await using server = await startRegistryServer({ answer: () => behaviour });
    using client = Deno.createHttpClient({ proxy: { url: server.url } });
    for (const init of [{ url: URL_OF_A_NAME, client }, { url: `${server.url}/x` }]) {
      const response = await fetch(init.url, { ...init, redirect: "manual" });
      const body = await response.text();
      assertEquals([response.status, response.headers.get("content-type"), body], expected);
    }
  });
}

Deno.test("startRegistryServer() sends the headers and the location it is given", async () => {
  await using server = await startRegistryServer({
    answer: ({ path }) =>
      path === "/moved"
        ? { kind: "redirect", status: 307, location: "http://x.lab/y" }
        : { kind: "json", status: 429, body: {}, headers: { "retry-after": "3" } },
  });
  const limited = await fetch(server.url);
  const moved = await fetch(`${server.url}/moved`, { redirect: "manual" });
  await Promise.all([limited.text(), moved.text()]);
  assertEquals(limited.headers.get("retry-after"), "3");
  assertEquals(moved.headers.get("location"), "http://x.lab/y");
});

Deno.test("startRegistryServer() distinguishes hosts, as a proxy and by its own address", async () => {
  const seen: RegistryRequest[] = [];
  await using server = await startRegistryServer({
    answer(request) {
      seen.push(request);
      return { kind: "empty", status: 200 };
    },
  });
  using client = Deno.createHttpClient({ proxy: { url: server.url } });
  await (await fetch("http://RDAP.nic.tv/domain/x.tv?a=b", { client })).text();
  await (await fetch("http://other.lab:81/", { client, method: "HEAD" })).text();
  await (await fetch(`${server.url}/pricing`, { headers: { accept: "a/b" } })).text();
  assertEquals(seen.map(({ host, path, method }) => [host, path, method]), [
    ["rdap.nic.tv", "/domain/x.tv?a=b", "GET"],
    ["other.lab:81", "/", "HEAD"],
    [new URL(server.url).host, "/pricing", "GET"],
  ]);
  assertEquals(seen[2]?.headers.accept, "a/b");
  assertEquals(server.requests.map(({ host }) => host), seen.map(({ host }) => host));
});

for (const kind of ["cutHeader", "garbage", "reset"] as const) {
  Deno.test(`startRegistryServer() gives no answer at all: ${kind}`, async () => {
    await using server = await startRegistryServer({ answer: () => ({ kind }) });
    await assertRejects(() => fetch(server.url), TypeError);
  });
}

Deno.test("startRegistryServer() sends bytes as they are: raw", async () => {
  const bytes = "HTTP/1.1 404 Not Found\r\nx-lab: 1\r\n\r\nbody";
  await using server = await startRegistryServer({ answer: () => ({ kind: "raw", bytes }) });
  const response = await fetch(server.url);
  assertEquals([response.status, response.headers.get("x-lab")], [404, "1"]);
  assertEquals(await response.text(), "body");
});

Deno.test("startRegistryServer() promises more than it sends: cut", async () => {
  await using server = await startRegistryServer({ answer: () => ({ kind: "cut" }) });
  const response = await fetch(server.url);
  assertEquals(response.status, 404);
  await assertRejects(() => response.text(), TypeError, "error reading a body");
});

Deno.test("startRegistryServer() drips without end after a complete head", async () => {
  await using server = await startRegistryServer({ answer: () => ({ kind: "drip", everyMs: 1 }) });
  const response = await fetch(server.url);
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size >= 3) break;
  }
  assertEquals([response.status, size], [404, 3]);
});

Deno.test("startRegistryServer() sends more than a client should read: oversized", async () => {
  await using server = await startRegistryServer({
    answer: () => ({ kind: "oversized", bytes: 100_000 }),
  });
  const body = await (await fetch(server.url)).text();
  assert(body.length > 100_000);
  assertEquals(JSON.parse(body).errorCode, 404);
});

Deno.test("startRegistryServer() sends a little that decodes to a lot: gzipBomb", async () => {
  await using server = await startRegistryServer({
    answer: () => ({ kind: "gzipBomb", bytes: 1_000_000 }),
  });
  const [hostname = "", port] = new URL(server.url).host.split(":");
  using connection = await Deno.connect({ hostname, port: Number(port) });
  await connection.write(new TextEncoder().encode("GET / HTTP/1.0\r\n\r\n"));
  let sent = 0;
  for await (const chunk of connection.readable) sent += chunk.length;
  const body = await (await fetch(server.url)).text();
  assert(sent < 10_000 && body.length > 1_000_000, `${sent} bytes became ${body.length}`);
});

Deno.test("startRegistryServer() rejects CONNECT, and records it", async () => {
  await using server = await startRegistryServer({
    answer: () => ({ kind: "empty", status: 200 }),
  });
  using client = Deno.createHttpClient({ proxy: { url: server.url } });
  await assertRejects(() => fetch("https://rdap.nic.tv/", { client }), TypeError);
  assertEquals(server.requests.map(({ method, host }) => [method, host]), [
    ["CONNECT", "rdap.nic.tv:443"],
  ]);
});

Deno.test("peak() counts the requests of a host that were open at once", async () => {
  const allOpen = Promise.withResolvers<void>();
  let open = 0;
  const server = await startRegistryServer({
    answer() {
      if (++open === 3) allOpen.resolve();
      return { kind: "silent" };
    },
  });
  using client = Deno.createHttpClient({ proxy: { url: server.url } });
  const hosts = ["a.lab", "a.lab", "b.lab"];
  const fetches = hosts.map((host) => fetch(`http://${host}/`, { client }));
  const settled = Promise.allSettled(fetches);
  await allOpen.promise;
  assertEquals(["a.lab", "b.lab", "c.lab"].map(server.peak), [2, 1, 0]);
  assert(server.requests.every(({ endedAt }) => endedAt === undefined));
  await server.close();
  assertEquals((await settled).map(({ status }) => status), Array(3).fill("rejected"));
  assert(server.requests.every(({ at, endedAt = 0 }) => endedAt >= at));
});

Deno.test("close() cancels delayed answers", async () => {
  const asked = Promise.withResolvers<void>();
  const server = await startRegistryServer({
    answer() {
      asked.resolve();
      return { kind: "empty", status: 200, delayMs: 60_000 };
    },
  });
  const rejected = assertRejects(() => fetch(server.url), TypeError);
  await asked.promise;
  await server.close();
  await rejected;
});
