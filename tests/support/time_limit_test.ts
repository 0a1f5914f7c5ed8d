import { assertMatch } from "@std/assert";

const TESTS = `
const second = () => new Promise((resolve) => setTimeout(resolve, 1_000));
Deno.test("by name", second);
Deno.test({ name: "as an object", fn: second });
Deno.test("with options", { permissions: "inherit" }, second);
Deno.test(async function asFunction() { await second(); });
Deno.test("a loop", () => { for (const end = Date.now() + 1_000; Date.now() < end;); });
Deno.test({ name: "own limit", timeout: 30_000, fn: second });
`;

Deno.test("time_limit.ts fails each test that runs too long, and keeps a test's own limit", async () => {
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
    assertMatch(report, /^own limit \.\.\. ok/m);
  } finally {
    await Deno.remove(file);
  }
});
