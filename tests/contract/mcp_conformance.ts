/** Runs the protocol's conformance suite on `/mcp/`. The YAML files list the scenarios that cannot pass, with reasons. */
import { assert, assertMatch } from "@std/assert";
import { startLab } from "../lab/lab.ts";
import { ERAS } from "../support/mcp.ts";
import { startService } from "../support/service.ts";

/** Run by Deno, because it needs a newer Node than this project. */
const SUITE = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";

for (const revision of ERAS) {
  Deno.test(`the conformance suite passes at ${revision}, except the listed scenarios`, async () => {
    await using lab = await startLab();
    await using service = await startService(lab);
    const known = new URL(`conformance-${revision}.yaml`, import.meta.url).pathname;
    // deno-fmt-ignore -- a command line
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run", "--allow-all", "--no-lock", "--no-config", SUITE, "server",
        "--url", `${service.url}/mcp/`, "--suite", "all", "--spec-version", revision,
        "--expected-failures", known,
      ],
      env: { RES_OPTIONS: "", NO_COLOR: "1" },
      stdin: "null",
    }).output();
    const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assert(success, output.slice(output.indexOf("=== SUMMARY")));
    assertMatch(output, /✓ tools-list/);
  });
}
