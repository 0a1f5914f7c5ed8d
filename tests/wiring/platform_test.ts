import { assertEquals } from "@std/assert";
import { createFetch } from "../../src/wiring/platform.ts";

const read = (file: string) => Deno.readTextFile(new URL(`../lab/tls/${file}`, import.meta.url));

Deno.test("createFetch() fetches by HTTP/2 from an origin that answers 426 on HTTP/1.1, and asks it so from then on", async () => {
  const [cert, key] = await Promise.all([read("localhost.pem"), read("localhost.key.pem")]);
  const versions: string[] = [];
  const server = Deno.serve({ port: 0, cert, key, onListen: () => {} }, ({ headers }) => {
    // HTTP/2 has no such header.
    const isUpgraded = !headers.has("host");
    versions.push(isUpgraded ? "2" : "1.1");
    return isUpgraded
      ? new Response("a record")
      : new Response("", { status: 426, headers: { upgrade: "h2" } });
  });
  const { fetch, close } = createFetch({ caCerts: [cert] });
  try {
    for (let times = 0; times < 2; times++) {
      const response = await fetch(`https://localhost:${server.addr.port}/domain/held.example`, {});
      assertEquals([response.status, await response.text()], [200, "a record"]);
    }
    assertEquals(versions, ["1.1", "2", "2"]);
  } finally {
    close();
    await server.shutdown();
  }
});
