/** Answers every request with its arguments: `<port> <body> <headers as JSON>`. */
const [port, body = "", headers = "{}"] = Deno.args;
const literal: Record<string, string> = JSON.parse(headers);

Deno.serve(
  { port: Number(port), hostname: "127.0.0.1", onListen() {} },
  () => new Response(body, { headers: literal }),
);
