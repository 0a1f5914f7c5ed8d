/**
 * The bare server behind a naive limiter: read the address's log, add to it, write it. Requests between the read and the
 * write are not counted, so it admits too many. `<port> <KV file> <body> <headers as JSON>`.
 */
const [port, path = "", body = "", headers = "{}"] = Deno.args;
const literal: Record<string, string> = JSON.parse(headers);
const kv = await Deno.openKv(path);

Deno.serve({ port: Number(port), hostname: "127.0.0.1", onListen() {} }, async (request) => {
  const key = ["rate", request.headers.get("x-forwarded-for") ?? ""];
  const now = Date.now();
  const { value } = await kv.get<number[]>(key);
  const log = (value ?? []).filter((at) => at > now - 60_000);
  if (log.length >= 60) return new Response(null, { status: 429 });
  await kv.set(key, [...log, now], { expireIn: 60_000 });
  return new Response(body, { headers: literal });
});
