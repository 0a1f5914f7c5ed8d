/** Sends a GET with path and headers as given, which `fetch` would normalise, and returns the whole response as it came. */
export async function rawBytes(url: string, path: string, headers: readonly string[]) {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(url).port) });
  const lines = [`GET ${path} HTTP/1.1`, ...headers, "Connection: close", "", ""];
  await connection.write(new TextEncoder().encode(lines.join("\r\n")));
  return await new Response(connection.readable).bytes();
}

/** The same as text. */
export async function rawGet(...request: Parameters<typeof rawBytes>): Promise<string> {
  return new TextDecoder().decode(await rawBytes(...request));
}
