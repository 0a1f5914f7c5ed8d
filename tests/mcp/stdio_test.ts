import { existsSync } from "node:fs";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { assertEquals } from "@std/assert";
import { serveMcpOnStdio } from "../../src/mcp/stdio.ts";
import type { Lab } from "../lab/lab.ts";
import { type InstalledPackage, testsOfPackage } from "../support/installed_package.ts";
import { connectClient, ERAS, LIST, metaOf, PING, postMcp, toolCall } from "../support/mcp.ts";
import { answersOnStdio } from "../support/mcp_stdio.ts";
import { onLab } from "../support/on_lab.ts";
import { outcome } from "../support/outcome.ts";
import { type Json, startService } from "../support/service.ts";
import { until, within } from "../support/until.ts";

/** The client leaves the timers of its `close()` behind: those that end a process that stays. */
const test = testsOfPackage({ sanitizeOps: false, sanitizeResources: false });

/** Connects the official client to `mcp` of the package. */
async function connect({ commandOf }: InstalledPackage, lab: Lab, era: typeof ERAS[number]) {
  const command = commandOf(lab, ["mcp"], { PATH: Deno.env.get("PATH") ?? "" });
  const transport = new StdioClientTransport({ ...command, stderr: "ignore" });
  return Object.assign(await connectClient(transport, era), { pid: transport.pid ?? 0 });
}

const check = (...names: string[]) => ({
  name: "check_domain",
  arguments: { names, tlds: ["com"] },
});

for (const era of ERAS) {
  test(
    `serves MCP with the tools and answers that HTTP has, at ${era}`,
    async ({ installed, lab }) => {
      await using service = await startService(lab, { env: { RATE_LIMIT: "60" } });
      await using local = await connect(installed, lab, era);
      await using remote = await connectClient(`${service.url}/mcp/`, era);
      assertEquals((await local.listTools()).tools, (await remote.listTools()).tools);
      const limit = / An IP address may send 60 [^.]+\./;
      assertEquals(local.getInstructions(), remote.getInstructions()?.replace(limit, ""));
      assertEquals(local.getServerVersion()?.name, remote.getServerVersion()?.name);
      const { structuredContent } = await local.callTool(check("free-for-you", "taken"));
      const { available: [free], taken } = structuredContent as Json;
      assertEquals([free.domain, taken], ["free-for-you.com", ["taken.com"]]);
    },
  );
}

test(
  "exits as mcp once its client has closed stdin, with look-ups under way, and answers what was sent before",
  async ({ installed, lab }) => {
    lab.script("stuck.com", { dns: "silent", rdap: "free" });
    const client = await connect(installed, lab, ERAS[0]);
    const call = client.callTool(check("stuck")).catch(() => {});
    await until("the lab is asked", () => lab.dnsQueries.length > 0);
    await client.close();
    await call;
    // The client itself signals a process that stays; the launcher has ended once it is gone.
    await until("the process has ended", () => !existsSync(`/proc/${client.pid}`));

    const { command, ...rest } = installed.commandOf(lab, ["mcp"]);
    const streams = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
    const child = new Deno.Command(command, { ...rest, ...streams }).spawn();
    await new Blob([`${JSON.stringify(LIST)}\n`]).stream().pipeTo(child.stdin);
    const { code, out } = await outcome(child);
    const { id, result } = JSON.parse(out);
    assertEquals([code, id, result.tools[0].name], [0, 1, "check_domain"]);
  },
);

Deno.test("serveMcpOnStdio() answers each request read before the end of stdin, a slow call too, whatever the limit of HTTP", () =>
  onLab(async ({ lab, services }) => {
    lab.script("late.com", { dns: "nxdomain", rdap: "free", delayMs: 300 });
    const names = ["late", ...Array.from({ length: 29 }, (_, n) => `name-${n}`)];
    const call = { ...toolCall("check_domain", { names, tlds: ["com"] }), id: "slow" };
    const long = JSON.stringify({ ...PING, id: "long" }).replace(",", `,${" ".repeat(70_000)}`);
    const answers = await answersOnStdio(services, [call, LIST, PING, PING, long]);
    assertEquals(answers.map(({ id }) => id).toSorted(), [1, 7, 7, "long", "slow"]);
    const { available, count } = answers.find(({ id }) => id === "slow")?.result.structuredContent;
    assertEquals([available[0].domain, count], ["late.com", 30]);
  }, { env: { RATE_LIMIT: "10" } }));

Deno.test("serveMcpOnStdio() waits for no answer to a cancelled call or an open subscription", () =>
  onLab(async ({ lab, services }) => {
    lab.script("stuck.com", { dns: "silent", rdap: "free" });
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    const call = toolCall("check_domain", { names: ["stuck.com"] });
    assertEquals((await answersOnStdio(services, [call, cancel, PING])).map(({ id }) => id), [7]);
    const params = { _meta: metaOf("2026-07-28"), notifications: { toolsListChanged: true } };
    const listen = { jsonrpc: "2.0", id: 3, method: "subscriptions/listen", params };
    const answers = await answersOnStdio(services, [listen]);
    assertEquals(answers.at(-1)?.id, 3);
  }));

Deno.test("serveMcpOnStdio() ends when it is stopped, or when the client reads no more", () =>
  onLab(async ({ services }) => {
    const stop = new AbortController();
    const open = () => new TransformStream<Uint8Array, Uint8Array>();
    const serve = (stdin: ReadableStream<Uint8Array>, stdout: WritableStream<Uint8Array>) =>
      serveMcpOnStdio(services, {
        stdin,
        stdout,
        reports: { debug() {}, error() {} },
        stop: stop.signal,
      });
    const [silent, talking, late] = [open(), open(), open()];
    const stopped = serve(silent.readable, open().writable);
    const fail = () => Promise.reject(new Error("gone"));
    const left = serve(talking.readable, new WritableStream({ write: fail }));
    const writer = talking.writable.getWriter();
    await writer.write(new TextEncoder().encode(`${JSON.stringify(PING)}\n`));
    await left;
    stop.abort();
    await stopped;
    await within("a server ends that was stopped before", serve(late.readable, open().writable));
    await Promise.all([writer.close(), silent.writable.close(), late.writable.close()]);
  }));

Deno.test("serveMcpOnStdio() answers a first message as HTTP does, nulls for absent params too, and nothing to what is no message", () =>
  onLab(async ({ url, services }) => {
    const sent: unknown[] = [
      { jsonrpc: "2.0", id: 1, method: "nope" },
      PING,
      LIST,
      { ...LIST, params: null },
      { ...LIST, params: { cursor: 7 } },
      { ...LIST, params: "all" },
      toolCall("list_tlds", null),
      { ...LIST, params: { _meta: {} } },
      { ...LIST, params: { _meta: metaOf("1999-01-01") } },
      { ...LIST, params: { _meta: metaOf(1) } },
      { ...LIST, params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } } },
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", method: "notifications/initialized" },
    ];
    for (const message of sent) {
      const { body } = await postMcp(`${url}/mcp/`, message);
      const none = ["", "not JSON", "7", [PING], { ...PING, id: null }, "x".repeat(99_999), "\r"];
      const answers = await answersOnStdio(services, [...none, message]);
      assertEquals(answers, body === undefined ? [] : [body], JSON.stringify(message));
    }
  }, { env: { RATE_LIMIT: "1000" } }));
