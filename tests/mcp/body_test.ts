import { assertEquals, assertMatch } from "@std/assert";
import { PING } from "../support/mcp.ts";
import { onLab } from "../support/on_lab.ts";

/** Sends the head of a POST and the start of its body; returns a response of known length, or all that comes. */
async function postHead(url: string, headers: readonly string[], start = ""): Promise<string> {
  const { host, port } = new URL(url);
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
  const ownHost = headers.some((header) => header.startsWith("Host:")) ? [] : [`Host: ${host}`];
  const type = "Content-Type: application/json";
  const head = ["POST /mcp/ HTTP/1.1", type, ...ownHost, ...headers];
  await connection.write(new TextEncoder().encode([...head, "", start].join("\r\n")));
  let text = "";
  for await (const chunk of connection.readable.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const [read, body = ""] = text.split("\r\n\r\n");
    const length = /content-length: (\d+)/i.exec(read ?? "")?.[1];
    if (length !== undefined && body.length >= Number(length)) break;
  }
  return text;
}

Deno.test("a request with too large a Content-Length, an invalid Host or Origin is refused before its body arrives", () =>
  onLab(async ({ url, get }) => {
    const large = await postHead(url, ["Content-Length: 65537"]);
    assertMatch(large, /^HTTP\/1\.1 413 [^]*send at most 64 KiB/);
    assertEquals((await get("/tlds")).headers.get("x-ratelimit-remaining"), "18");
    for (const header of ["Host: evil.example", "Origin: https://evil.example", "Host: x/y"]) {
      const answer = await postHead(url, [header, "Content-Length: 9"]);
      assertEquals(answer.split(" ")[1], header === "Host: x/y" ? "400" : "403", header);
    }
  }, { env: { RATE_LIMIT: "20" } }));

/** What a service that is reached on the same machine, and one behind a proxy, answer to a Host or an Origin. */
// deno-fmt-ignore -- a table
const SENDERS: readonly [header: string, local: number, proxied: number][] = [
  ["Host: localhost", 200, 200], ["Host: 127.0.0.1", 200, 200], ["Host: [::1]:80", 200, 200],
  ["Host: evil.example", 403, 200], ["Host: localhost.evil.example", 403, 200],
  ["Host: x/mcp/?", 400, 400],
  ["Origin: http://localhost:6274", 200, 200], ["Origin: http://127.0.0.1", 200, 200],
  ["Origin: http://evil.example", 403, 200], ["Origin: https://localhost.evil.example", 403, 200],
  ["Origin: null", 403, 200], ["Origin: nonsense", 403, 200],
];

Deno.test("Host and Origin must be local when the client is on the same machine, and may be any behind a proxy", async () => {
  const body = JSON.stringify(PING);
  const accept = "Accept: application/json, text/event-stream";
  const own = [accept, `Content-Length: ${body.length}`, "Connection: close"];
  for (const TRUSTED_PROXIES of ["0", "1"]) {
    await onLab(async ({ url }) => {
      for (const [header, local, proxied] of SENDERS) {
        const answer = await postHead(url, [...own, header], body);
        assertEquals(answer.split(" ")[1], `${TRUSTED_PROXIES === "0" ? local : proxied}`, header);
      }
    }, { env: { TRUSTED_PROXIES } });
  }
});
