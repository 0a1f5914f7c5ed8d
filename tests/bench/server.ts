/** Answers every request as the service answers `<url>` from its cache. */
const [url = ""] = Deno.args;
const answer = await fetch(url, { headers: { "accept-encoding": "identity" } });
const body = await answer.text();
if (!body.includes("+cache")) throw new Error(`Cannot measure: not from the cache: ${body}`);
// Deno.serve adds these to every response.
const headers = [...answer.headers].filter(([name]) => !/^(?:date|content-length)$/.test(name));

Deno.serve({
  port: 0,
  hostname: "127.0.0.1",
  // deno-lint-ignore no-console -- the benchmark waits for this line
  onListen: ({ port }) => console.log(JSON.stringify({ event: "listening", port })),
}, () => new Response(body, { headers }));
