import { assertMatch } from "@std/assert";

const TESTS = `
const pause = () => new Promise((resolve) => setTimeout(resolve, 400));
Deno.test("by name", pause);
Deno.test({ name: "as an object", fn: pause });
Deno.test("with options", { permissions: "inherit" }, pause);
Deno.test(async function asFunction() { await pause(); });
Deno.test("a loop", () => { for (const end = Date.now() + 400; Date.now() < end;); });
Deno.test({ name: "own limit", timeout: 30_000, fn: pause });
`;

Deno.test("time_limit.ts fails each test that runs too long, keeps a test's own limit, and reports a test where it stands", async () => {
  const file = await Deno.makeTempFile({ suffix: "_test.ts" });
  try {
    await Deno.writeTextFile(file, TESTS);
    const preload = new URL("time_limit.ts", import.meta.url);
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "--allow-env", "--no-check", "--no-config", `--preload=${preload}`, file],
      env: { TEST_TIMEOUT_MS: "100", NO_COLOR: "1" },
    }).output();
    const report = new TextDecoder().decode(stdout);
    for (const name of ["by name", "as an object", "with options", "asFunction", "a loop"]) {
      assertMatch(report, new RegExp(`^${name} \\.\\.\\. FAILED`, "m"));
    }
    assertMatch(report, /error: Test timed out after 100ms/);
    assertMatch(report, new RegExp(`^by name => \\S*${file.split("/").at(-1)}:3:6$`, "m"));
    assertMatch(report, /^own limit \.\.\. ok/m);
  } finally {
    await Deno.remove(file);
  }
});
