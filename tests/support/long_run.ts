/** Whether this run has the time for long properties: `deno task test:all` sets `TEST_LONG`, `deno task test` does not. */
export const IS_LONG_RUN = Deno.env.get("TEST_LONG") === "1";
