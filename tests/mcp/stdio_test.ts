import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { type Lab, startLab } from "../lab/lab.ts";
import { HAS_NODE, type InstalledPackage, installPackage } from "../support/installed_package.ts";
import { connectClient, ERAS } from "../support/mcp.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

/** The client leaves the timers of its `close()` behind: those that end a process that stays. */
const options = {
  ignore: !HAS_NODE || Deno.build.os !== "linux",
  sanitizeOps: false,
  sanitizeResources: false,
};

type Connected = Client & AsyncDisposable & { pid: number };

/** Connects the official client to `mcp` of the package. */
async function connect(
  { commandOf }: InstalledPackage,
  lab: Lab,
  { era = ERAS[0], env }: { era?: typeof ERAS[number]; env?: Record<string, string> } = {},
): Promise<Connected> {
  const mode = era === "2025-11-25" ? "legacy" : { pin: era };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const command = commandOf(lab, ["mcp"], { PATH: Deno.env.get("PATH") ?? "", ...env });
  const transport = new StdioClientTransport({ ...command, stderr: "ignore" });
  await client.connect(transport);
  const pid = transport.pid ?? 0;
  return Object.assign(client, { pid, [Symbol.asyncDispose]: () => client.close() });
}

const check = (...names: string[]) => ({
  name: "check_domain",
  arguments: { names, tlds: ["com"] },
});

/** The text of the error that checking the names returns. */
async function errorOf(client: Connected, names: readonly string[]): Promise<string> {
  const { isError, content } = await client.callTool(check(...names));
  assertEquals(isError, true);
  const [first] = content;
  return first?.type === "text" ? first.text : "";
}

for (const era of ERAS) {
  Deno.test({
    name: `mcp of the package has the tools and answers that HTTP has, at ${era}`,
    ...options,
    async fn() {
      await using lab = await startLab();
      await using service = await startService(lab, { env: { RATE_LIMIT: "60" } });
      await using installed = await installPackage();
      await using local = await connect(installed, lab, { era });
      await using remote = await connectClient(`${service.url}/mcp/`, era);
      assertEquals((await local.listTools()).tools, (await remote.listTools()).tools);
      assertEquals(local.getInstructions(), remote.getInstructions());
      assertEquals(local.getServerVersion()?.name, "local/domain-availability");
      const { structuredContent } = await local.callTool(check("free-for-you", "taken"));
      const { results } = structuredContent as { results: { domain: string; state: string }[] };
      assertEquals(results.map(({ domain, state }) => `${domain} ${state}`), [
        "free-for-you.com available",
        "taken.com taken",
      ]);
      await assertRejects(
        () => local.callTool({ name: "constructor", arguments: {} }),
        Error,
        "Tool constructor not found",
      );
    },
  });
}

Deno.test({
  name: "mcp of the package rejects what exceeds the limit that HTTP has, in a later process too",
  ...options,
  async fn() {
    await using lab = await startLab();
    await using installed = await installPackage();
    const limited = { env: { RATE_LIMIT: "10" } };
    {
      await using client = await connect(installed, lab, limited);
      await client.callTool(check("a-a", "b-b", "c-c", "d-d", "e-e"));
      const many = Array.from({ length: 11 }, (_, n) => `name-${n}`);
      assertMatch(await errorOf(client, many), /^Send at most 10 names per call/);
    }
    await using client = await connect(installed, lab, limited);
    const error = await errorOf(client, ["f-f", "g-g", "h-h", "i-i", "j-j"]);
    assertMatch(error, /This call costs 5 requests, and \d are left: send fewer names/);
    assertEquals(lab.requests.some(({ path }) => path.includes("f-f")), false);
  },
});

Deno.test({
  name: "mcp of the package exits once its client has closed stdin, with look-ups under way",
  ...options,
  async fn() {
    await using lab = await startLab();
    await using installed = await installPackage();
    lab.script("stuck.com", { dns: "silent", rdap: "free" });
    const client = await connect(installed, lab);
    const call = client.callTool(check("stuck")).catch(() => {});
    await until("the lab is asked", () => lab.dnsQueries.length > 0);
    await client.close();
    await call;
    // The client itself signals a process that stays; the launcher has ended once it is gone.
    await until("the process has ended", () => !isRunning(client.pid));
  },
});

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
