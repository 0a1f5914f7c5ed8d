/** The npm package's command, as the launcher runs it: `check`, which may be left out, or `mcp`. */
import { runCheckProcess } from "../check_main.ts";
import { exitWith, NAME, onEndingSignal, openPlatformOrExit } from "../../wiring/platform.ts";

const [first, ...rest] = Deno.args;
if (first === "mcp") {
  // A name called mcp is checked by `check mcp`.
  if (rest.length > 0) exitWith("mcp takes no arguments");
  await runMcpProcess();
}
await runCheckProcess(first === "check" ? rest : Deno.args, {
  command: {
    name: NAME,
    forms: ["mcp                     serve agents: MCP on stdin and stdout"],
  },
  folder: Deno.cwd(),
});

/** Serves until the client has closed stdin and has its answers, or the process gets a signal, and exits. */
async function runMcpProcess(): Promise<never> {
  const { createServices } = await import("../../wiring/services.ts");
  const { serveMcpOnStdio } = await import("../../mcp/stdio.ts");
  // stdout is the protocol's; clients show their user what is on stderr, if anything.
  const settings = { LOG_LEVEL: "warn" };
  const { config, platform } = await openPlatformOrExit(settings);
  const stop = new AbortController();
  onEndingSignal(() => stop.abort());
  const services = createServices(config, platform);
  void services.renewTlds();
  const { debug, error } = platform.log;
  await serveMcpOnStdio(services, {
    stdin: Deno.stdin.readable,
    stdout: Deno.stdout.writable,
    reports: { debug, error },
    stop: stop.signal,
  });
  await services.stop();
  platform.close();
  Deno.exit(0);
}
