/** `deno task demo`: the service on the lab, so that every answer can be tried without a network. */
import { DEMO_NAMES } from "./demo_names.ts";
import { startLab } from "./lab.ts";
import { labEnv, proxyEnv } from "./lab_env.ts";
import { START_ARGS } from "./start_args.ts";

const port = Deno.env.get("PORT") || "8000";
const width = Math.max(...DEMO_NAMES.map(({ name }) => name.length));
const names = DEMO_NAMES.map(({ name, shows }) => `  ${name.padEnd(width)}  ${shows}`);

const lab = await startLab({ dnsDelayMs: 20, latency: "real" });
await Deno.stdout.write(new TextEncoder().encode(
  [
    "This is the lab: DNS and registries are played on this machine, and no answer is about a real name.",
    "",
    "Names worth trying:",
    ...names,
    "",
    `  curl 'http://localhost:${port}/check?name=taken&tld=com'`,
    "",
    "",
  ].join("\n"),
));

const service = new Deno.Command(Deno.execPath(), {
  args: [...START_ARGS],
  cwd: new URL("../../", import.meta.url),
  env: { ...labEnv(lab), ...proxyEnv(lab), HOST: "0.0.0.0", PORT: port },
  stdin: "null",
}).spawn();

// Ctrl-C reaches both processes of the group; a signal sent to this one alone is passed on.
Deno.addSignalListener("SIGINT", () => {});
Deno.addSignalListener("SIGTERM", () => service.kill("SIGTERM"));
const { code } = await service.status;
await lab.close();
Deno.exit(code);
