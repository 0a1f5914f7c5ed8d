/** Runs the protocol's conformance suite on `/mcp/`. The YAML files list the scenarios that cannot pass, with reasons. */
import { assertEquals, assertMatch } from "@std/assert";
import { ERAS } from "../support/mcp.ts";
import { testsOnLab } from "../support/on_lab.ts";
import { outcome } from "../support/outcome.ts";

const test = testsOnLab();

/** Run by Deno, because it needs a newer Node than this project. */
const SUITE = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";

for (const revision of ERAS) {
  test(`the conformance suite passes at ${revision}, except the listed scenarios`, async ({ url }) => {
    const known = new URL(`conformance-${revision}.yaml`, import.meta.url).pathname;
    // deno-fmt-ignore -- a command line
    const args = [
      "run", "--allow-all", "--no-lock", "--no-config", SUITE, "server",
      "--url", `${url}/mcp/`, "--suite", "all", "--spec-version", revision,
      "--expected-failures", known,
    ];
    const env = { RES_OPTIONS: "", NO_COLOR: "1" };
    const { code, out, err } = await outcome(new Deno.Command(Deno.execPath(), { args, env }));
    const output = out + err;
    assertEquals(code, 0, output.slice(output.indexOf("=== SUMMARY")));
    assertMatch(output, /✓ tools-list/);
  });
}
