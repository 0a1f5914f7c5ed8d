import { assertEquals, assertMatch } from "@std/assert";
import { postMcp } from "../support/mcp.ts";
import { until } from "../support/until.ts";
import { withService } from "../support/with_service.ts";

const PING = { jsonrpc: "2.0", id: 7, method: "ping" };

/** Sends the head of a POST and the start of its body. */
async function startPost(
  url: string,
  headers: readonly string[],
  start = "",
): Promise<Deno.TcpConn> {
  const { host, port } = new URL(url);
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
  const isHostSent = headers.some((header) => header.startsWith("Host:"));
  const lines = ["POST /mcp/ HTTP/1.1", ...(isHostSent ? [] : [`Host: ${host}`]), ...headers];
  await connection.write(new TextEncoder().encode([...lines, "", start].join("\r\n")));
  return connection;
}

/** Reads a whole response, and closes its connection. */
async function answerOn(connection: Deno.TcpConn): Promise<string> {
  let text = "";
  for await (const chunk of connection.readable.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const [head = "", body = ""] = text.split("\r\n\r\n");
    const length = /content-length: (\d+)/i.exec(head)?.[1];
    if (length !== undefined && body.length >= Number(length)) break;
  }
  return text;
}

Deno.test("a request with too large a Content-Length, an invalid Host or Origin is refused before its body arrives", () =>
  withService(async ({ url, get }) => {
    const answer = async (...headers: string[]) => await answerOn(await startPost(url, headers));
    const large = await answer("Content-Length: 65537");
    assertMatch(large, /^HTTP\/1\.1 413 [^]*send at most 65536 bytes/);
    assertEquals((await get("/tlds")).headers.get("x-ratelimit-remaining"), "18");
    const length = "Content-Length: 9";
    assertMatch(await answer("Host: evil.example", length), /^HTTP\/1\.1 403 /);
    assertMatch(await answer("Origin: https://evil.example", length), /^HTTP\/1\.1 403 /);
    assertMatch(await answer("Host: x/y", length), /^HTTP\/1\.1 400 /);
  }, { RATE_LIMIT: "20" }));

Deno.test("a body over the limit of concurrent bodies is 503 with Retry-After, one that misses its deadline 408, and each gives its place back", () =>
  withService(async ({ url }) => {
    const ping = () => postMcp(`${url}/mcp/`, PING);
    const slow = await Promise.all(
      Array.from({ length: 32 }, () => startPost(url, ["Content-Length: 9"], "{")),
    );
    await until("a body is refused", async () => (await ping()).status === 503);
    const { headers, body } = await ping();
    assertEquals([headers.get("retry-after"), body], ["1", {
      jsonrpc: "2.0",
      error: {
        code: -32_000,
        message: "Too many bodies are being read: retry in 1 s",
        data: { error: "service_unavailable", retryAfter: 1 },
      },
      id: null,
    }]);
    slow.pop()?.close();
    await until("a disconnect gives the place back", async () => (await ping()).status === 200);
    for (const answer of await Promise.all(slow.map(answerOn))) {
      assertMatch(answer, /^HTTP\/1\.1 408 [^]*\r\nx-ratelimit-remaining: \d+\r\n/);
      assertMatch(
        answer,
        /"error":\{"code":-32001,"message":"The body did not arrive in time"\}/,
      );
    }
    assertEquals((await ping()).status, 200);
  }));
