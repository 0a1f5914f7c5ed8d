/**
 * A service that registers one job before `Deno.serve` and one more after each request. `/caught` reports what became of
 * it; after `/uncaught` a refusal is not caught.
 */
const schedule = "0 3 * * *";
let count = 0;

function register(): Promise<void> {
  return Deno.cron(`late-${++count}`, schedule, () => {});
}

/** The promise of a job that was taken stays pending. */
async function outcome(): Promise<string> {
  const taken = new Promise<string>((resolve) => setTimeout(resolve, 50, "taken"));
  try {
    return await Promise.race([taken, register().then(() => "over")]);
  } catch (error) {
    return String(error);
  }
}

Deno.cron("in_time", schedule, () => {});
Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  // deno-lint-ignore no-console -- as log.ts does
  onListen: ({ port }) => console.error(JSON.stringify({ event: "listening", port })),
}, async (request) => {
  if (request.url.endsWith("/caught")) return new Response(await outcome());
  // Outside the handler, whose faults Deno.serve catches.
  setTimeout(register);
  return new Response("registering");
});
