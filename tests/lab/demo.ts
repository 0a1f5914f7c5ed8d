/** `deno task demo`: the service on the lab, to try every answer without a network. */
import { startChain } from "./chain/chain.ts";
import { DEMO_ETH_NAMES, DEMO_NAMES } from "./demo_names.ts";
import { startLab } from "./lab.ts";
import { labEnv, proxyEnv, START_ARGS, whoisEnv } from "./lab_env.ts";
import { until } from "../support/until.ts";

const port = Deno.env.get("PORT") || "8000";
const url = `http://localhost:${port}`;

const lab = await startLab({ dnsDelayMs: 20, latency: "real" });
// The service rejects a node whose latest block is ten minutes old.
const chain = await startChain({ now: Date.now });
await print(`\
This is the lab: DNS, registries and Ethereum are simulated on this machine, and no answer is about a real name.

Names worth trying:
${list(DEMO_NAMES)}

  curl '${url}/check?name=taken&tld=com'

${list(DEMO_ETH_NAMES)}

  curl '${url}/v1/ens/check?name=premium-day-10.eth'

`);

const service = new Deno.Command(Deno.execPath(), {
  args: [...START_ARGS],
  cwd: new URL("../../", import.meta.url),
  env: {
    ...labEnv(lab),
    ...proxyEnv(lab),
    ...whoisEnv(lab),
    ...chain.env,
    HOST: "0.0.0.0",
    PORT: port,
    // Lines at each step of the start would push the list away.
    LOG_LEVEL: Deno.env.get("LOG_LEVEL") || "warn",
  },
  stdin: "null",
}).spawn();
// Without an answer there is no address to name: the service's own messages say why.
announce().catch(() => {});

// Ctrl-C reaches all processes of the group; a signal sent to this one alone is passed on.
Deno.addSignalListener("SIGINT", () => {});
Deno.addSignalListener("SIGTERM", () => service.kill("SIGTERM"));
const { code } = await service.status;
await chain[Symbol.asyncDispose]();
await lab.close();
Deno.exit(code);

async function print(text: string): Promise<void> {
  await Deno.stdout.write(new TextEncoder().encode(text));
}

function list(rows: readonly { name: string; shows: string }[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.map(({ name, shows }) => `  ${name.padEnd(width)}  ${shows}`).join("\n");
}

/** Prints the address once the service answers there, as the last line of the start. */
async function announce(): Promise<void> {
  await until("the service answers", async () => {
    const response = await fetch(`${url}/health/ready`).catch(() => undefined);
    await response?.body?.cancel();
    return response?.ok === true;
  }, 200);
  await print(`Open ${url} in a browser. Ctrl-C ends it.\n`);
}
