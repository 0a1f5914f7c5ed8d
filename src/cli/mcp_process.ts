/** The process that serves agents over MCP on stdin and stdout. */
import { serveMcpOnStdio } from "../mcp/stdio.ts";
import { onEndingSignal, openPlatformOrExit } from "../wiring/platform.ts";
import { createServices } from "../wiring/services.ts";

/** Serves until the client has closed stdin and has its answers, or the process gets a signal, and exits. */
export async function runMcpProcess(): Promise<never> {
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
