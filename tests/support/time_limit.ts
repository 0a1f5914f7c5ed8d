/**
 * Gives every test a time limit. `deno test` has no flag for one, only each test's own `timeout` (Deno 2.9); a test that
 * sets it keeps it. `deno task test` preloads this file, and Deno runs it before each test file.
 */
const LIMIT_MS = Number(Deno.env.get("TEST_TIMEOUT_MS") ?? 180_000);

/** Where a test stands, as `file:line:column` on its function. Without it, Deno reports each test at this file. */
const LOCATION = Symbol.for("Deno.test.location");

/** The arguments of `Deno.test`, in any of its forms, with `timeout` among the options. */
function withTimeout(args: readonly unknown[]): unknown[] {
  const place = args.findIndex((arg) => typeof arg === "object");
  if (place >= 0) return args.with(place, { timeout: LIMIT_MS, ...args[place] as object });
  const afterName = typeof args[0] === "string" ? 1 : 0;
  return args.toSpliced(afterName, 0, { timeout: LIMIT_MS });
}

/** The arguments, with the location on the test's function: the line of the test file, which is the outermost caller. */
function withLocation(args: readonly unknown[]): readonly unknown[] {
  const run = args.findLast((arg) => typeof arg === "function") ??
    args.map((arg) => (arg as { fn?: unknown } | undefined)?.fn).find((fn) => fn !== undefined);
  const location = new Error().stack?.match(/file:\/\/\S+:\d+:\d+/g)?.at(-1);
  if (typeof run === "function") Object.assign(run, { [LOCATION]: location });
  return args;
}

Object.assign(Deno, {
  test: new Proxy(Deno.test, {
    apply: (test, self, args) => Reflect.apply(test, self, withTimeout(withLocation(args))),
  }),
});
