/**
 * Asks DNS and then the registry for each name of a file under one TLD, as fast as the registry's pace allows, without
 * cache, canary or verdict: the upper bound for the command line.
 */
import { createGate, type Pace } from "../../src/flow/queue/gate.ts";
import { hostPolicy } from "../../src/rules/tables/host_policies.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";

const [file = "", tld = ""] = Deno.args;
const [ipAddr = "", port = ""] = (Deno.env.get("DNS_SERVER") ?? "").split(":");
const nameServer = { ipAddr, port: Number(port) };
const base = BUILT_IN_TLDS.find((row) => row.tld === tld)?.rdapBase.replace("https:", "http:") ??
  "";
const { host } = new URL(base);
const client = Deno.createHttpClient({ http2: false, poolMaxIdlePerHost: 8 });
const dnsPace: Pace = { concurrency: 64, burst: 64, everyMs: 0 };
const gate = createGate({
  paceOf: (key) => key === "dns" ? dnsPace : hostPolicy(key),
  maxWaitMs: 600_000,
  monotonic: () => performance.now(),
});

async function isDelegated(domain: string): Promise<boolean> {
  try {
    return (await Deno.resolveDns(`${domain}.`, "NS", { nameServer })).length > 0;
  } catch {
    return false;
  }
}

async function ask(domain: string): Promise<void> {
  const passage = await gate.run("dns", () => isDelegated(domain));
  if (passage.kind === "ran" && passage.value) return;
  await gate.run(host, async () => {
    await (await fetch(`${base}domain/${domain}`, { client })).body?.cancel();
  });
}

const names = (await Deno.readTextFile(file)).trimEnd().split("\n");
await Promise.all(names.map((name) => ask(`${name}.${tld}`)));
