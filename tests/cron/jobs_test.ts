import { assert, assertEquals, assertMatch } from "@std/assert";
import { JOBS } from "../../cron/jobs.ts";

Deno.test("every job has a unique name that Deno accepts", () => {
  assertEquals(new Set(JOBS.map(({ name }) => name)).size, JOBS.length);
  for (const { name } of JOBS) assertMatch(name, /^[A-Za-z0-9_-]{1,64}$/);
});

Deno.test("every job ticks at least ten minutes apart and has valid retry pauses", () => {
  assertEquals(JOBS.map(({ name, schedule }) => [name, schedule]), [
    ["refresh_tlds", "23 4 * * *"],
    ["warm_popular", "*/10 * * * *"],
    ["probe_registries", "7 * * * *"],
    ["refresh_prices", "41 5 * * *"],
  ]);
  for (const { retryAfterMs } of JOBS) {
    assert(retryAfterMs.length <= 5 && retryAfterMs.every((ms) => ms <= 3_600_000));
  }
});
