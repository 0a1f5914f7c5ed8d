import { hostPolicy } from "../../src/rules/tables/hosts.ts";
import { startChain } from "../lab/chain/chain.ts";
import { startLab } from "../lab/lab.ts";
import { runCli } from "../support/cli.ts";
import { startService } from "../support/service.ts";

const COMMANDS: readonly (readonly string[])[] = [
  ["mixed", "--tld", "com,dev,io,org,tech,xyz"],
  ["taken.com", "free-for-you.dev", "free-for-you.eth", "wrapped.eth"],
];

/** The output of the command line for some of the demo's names, in colour, each after its command. */
export async function cliScreens(): Promise<string> {
  await using lab = await startLab({ dnsDelayMs: 20, latency: "real" });
  await using chain = await startChain();
  await using service = await startService(lab, { env: chain.env, paceOf: hostPolicy });
  // The lab runs in this process: the load time of its .eth names must not count as response time.
  await service.services.ens.check("warm-up");
  const screens: string[] = [];
  for (const args of COMMANDS) {
    const { out, err } = await runCli(args, service.services, { colour: true });
    if (err !== "") throw new Error(`Cannot draw the command line: got ${err}`);
    screens.push(`$ deno task check ${args.join(" ")}\n${out}`);
  }
  return screens.join("\n");
}
