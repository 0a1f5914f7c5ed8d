import { assert, assertEquals, assertRejects } from "@std/assert";
import { startRegistryServer } from "./registry_server.ts";

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
