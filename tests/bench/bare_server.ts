/** Answers every request with its arguments: `<port> <body> <headers as JSON> <status>`. */
const [port, body = "", headers = "{}", status = "200"] = Deno.args;
const literal: Record<string, string> = JSON.parse(headers);

Deno.serve(
  { port: Number(port), hostname: "127.0.0.1", onListen() {} },
  () => new Response(body, { headers: literal, status: Number(status) }),
);
