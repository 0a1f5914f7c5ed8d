/** What the protocol's own conformance suite says of `/mcp/`. The files beside this one say what it cannot pass, and why. */
import { assert, assertMatch } from "@std/assert";
import { startLab } from "../lab/lab.ts";
import { ERAS } from "../support/mcp.ts";
import { startService } from "../support/service.ts";

/** Run by Deno, for it wants a newer Node than we ask for. */
const SUITE = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";

for (const revision of ERAS) {
  Deno.test(`the conformance suite passes at ${revision}, but for what is listed with its reason`, async () => {
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
    const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assert(success, said.slice(said.indexOf("=== SUMMARY")));
    assertMatch(said, /✓ tools-list/);
  });
}
