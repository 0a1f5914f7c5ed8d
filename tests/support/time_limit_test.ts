import { assertMatch } from "@std/assert";

/** Deno loads its timers at their first use, which a test that is ended meanwhile would break for those after it. */
const TESTS = `
await new Promise((resolve) => setTimeout(resolve));
const pause = () => new Promise((resolve) => setTimeout(resolve, 500));
Deno.test("by name", pause);
Deno.test({ name: "as an object", fn: pause });
Deno.test("with options", { permissions: "inherit" }, pause);
Deno.test(async function asFunction() { await pause(); });
Deno.test("a loop", () => { for (const end = Date.now() + 500; Date.now() < end;); });
Deno.test({ name: "own limit", timeout: 30_000, fn: pause });
`;

Deno.test("time_limit.ts fails each test that runs too long, keeps a test's own limit, and reports a test where it stands", async () => {
  const file = await Deno.makeTempFile({ suffix: "_test.ts" });
  try {
    await Deno.writeTextFile(file, TESTS);
    const preload = new URL("time_limit.ts", import.meta.url);
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "--allow-env", "--no-check", "--no-config", `--preload=${preload}`, file],
      env: { TEST_TIMEOUT_MS: "200", NO_COLOR: "1" },
    }).output();
    const report = new TextDecoder().decode(stdout);
    for (const name of ["by name", "as an object", "with options", "asFunction", "a loop"]) {
      assertMatch(report, new RegExp(`^${name} \\.\\.\\. FAILED`, "m"));
    }
    assertMatch(report, /error: Test timed out after 200ms/);
    assertMatch(report, new RegExp(`^by name => \\S*${file.split("/").at(-1)}:4:6$`, "m"));
    assertMatch(report, /^own limit \.\.\. ok/m);
  } finally {
    await Deno.remove(file);
  }
});
