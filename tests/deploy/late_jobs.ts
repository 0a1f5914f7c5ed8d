/** A service that registers one job before `Deno.serve`, and one more after each request, which says what became of it. */
const schedule = "0 3 * * *";
let count = 0;

/** The promise of a job that was taken stays pending. */
async function outcome(): Promise<string> {
  const taken = new Promise<string>((resolve) => setTimeout(resolve, 50, "taken"));
  try {
    return await Promise.race([
      taken,
      Deno.cron(`late-${++count}`, schedule, () => {}).then(() => "over"),
    ]);
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
}, async () => new Response(await outcome()));
