/**
 * Runs the protocol's conformance suite on `/mcp/`, and on stdin and stdout of the package. The YAML files list the
 * scenarios that cannot pass, with reasons.
 */
import { assert, assertMatch } from "@std/assert";
import { parse, stringify } from "yaml";
import { type Lab, startLab } from "../lab/lab.ts";
import { ERAS } from "../support/mcp.ts";
import { startService } from "../support/service.ts";
import { startStdioBridge } from "./stdio_bridge.ts";

/** Run by Deno, because it needs a newer Node than this project. */
const SUITE = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";

/** What is about HTTP, and so not about stdin and stdout. */
const HTTP_ONLY: Record<typeof ERAS[number], string[]> = {
  // The headers Host and Origin.
  "2025-11-25": ["dns-rebinding-protection"],
  "2026-07-28": [
    "dns-rebinding-protection",
    // Headers that repeat the method, the tool and the revision.
    "http-header-validation",
    "server-stateless:sep-2575-http-server-header-mismatch-400",
  ],
};
/** What fails over HTTP alone, because it has no sessions. */
const STATELESS_ONLY = ["server-sse-multiple-streams"];

const TRANSPORTS = {
  async http(lab: Lab) {
    const service = await startService(lab);
    return { ...service, url: `${service.url}/mcp/` };
  },
  stdio: startStdioBridge,
};

for (const revision of ERAS) {
  for (const [transport, start] of Object.entries(TRANSPORTS)) {
    Deno.test(`the conformance suite passes at ${revision} over ${transport}, except the listed scenarios`, async () => {
      await using lab = await startLab();
      await using service = await start(lab);
      const listed = parse(
        await Deno.readTextFile(new URL(`conformance-${revision}.yaml`, import.meta.url)),
      );
      if (transport === "stdio") {
        const same = listed.server.filter((name: string) => !STATELESS_ONLY.includes(name));
        listed.server = [...same, ...HTTP_ONLY[revision]];
      }
      const known = await Deno.makeTempFile({ suffix: ".yaml" });
      await Deno.writeTextFile(known, stringify(listed));
      // deno-fmt-ignore -- a command line
      const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: [
          "run", "--allow-all", "--no-lock", "--no-config", SUITE, "server",
          "--url", service.url, "--suite", "all", "--spec-version", revision,
          "--expected-failures", known,
        ],
        env: { RES_OPTIONS: "", NO_COLOR: "1" },
        stdin: "null",
      }).output();
      await Deno.remove(known);
      const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
      assert(success, output.slice(output.indexOf("=== SUMMARY")));
      assertMatch(output, /✓ tools-list/);
    });
  }
}
