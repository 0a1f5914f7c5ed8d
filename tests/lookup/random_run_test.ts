import { assert, assertEquals } from "@std/assert";
import { type Lab, startLab } from "../lab/lab.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import type { NameScript } from "../lab/names.ts";
import { inParallel } from "../support/in_parallel.ts";
import { createKvFile } from "../support/kv_file.ts";
import { IS_LONG_RUN } from "../support/long_run.ts";
import { postJson } from "../support/post_json.ts";
import { createRandom, type Random } from "../support/random.ts";
import { type RunningService, startService } from "../support/service.ts";

const TLDS = ["org", "io", "com", "dev"];
/** The names by the beginning of their labels; `held` ones are withheld by WHOIS alone. */
const SCRIPTS: Readonly<Record<string, NameScript>> = {
  free: { dns: "nxdomain", rdap: "free" },
  held: { dns: "nxdomain", rdap: "free", whois: "globalblock" },
  hidden: { dns: "nxdomain", rdap: "registered" },
  taken: { dns: "delegated", rdap: "registered" },
  odd: { dns: "nxdomain", rdap: "html404" },
  withheld: { dns: "nxdomain", rdap: "reserved" },
};
const KINDS = Object.keys(SCRIPTS);
/** Names of a kind. */
const EACH = 15;

/** Makes a host fail in one way, or work again. */
function disturb(lab: Lab, random: Random): void {
  const tld = random.pick(TLDS);
  const fault = random.pick(["html404", "silent"] as const);
  lab.scriptTld(tld, random.next() < 0.5 ? fault : undefined);
  const refusal = random.pick(["limited", "reset"] as const);
  lab.scriptWhois(tld, random.next() < 0.5 ? refusal : undefined);
}

/** A row, or details, that say "available". */
const AVAILABLE = /"domain":"([^"]*)",(?:"\w+":"[^"]*",)*"available":true/g;

/** Asks about some names in one of the API's forms, and leaves after a while; returns the available domains so far. */
async function ask({ url }: RunningService, random: Random, leaveMs: number): Promise<string[]> {
  const label = () => `${random.pick(KINDS)}-${Math.floor(random.between(0, EACH))}`;
  const tld = random.pick(TLDS);
  const list = { names: Array.from({ length: 12 }, label), tlds: [tld] };
  const stream = { accept: random.pick(["application/x-ndjson", "text/event-stream"]) };
  const [path, init]: [string, RequestInit] = random.pick([
    [`check?name=${label()}`, {}],
    [`check?name=${label()}&tld=${tld}&evidence=1`, {}],
    [`check?name=${label()}&tld=${tld}&depth=dns`, {}],
    [`check?name=${label()}`, { headers: stream }],
    [`details?domain=${label()}.${tld}`, {}],
    ["check", postJson(list)],
    ["check", postJson(list, { accept: "application/x-ndjson" })],
  ]);
  const leaving = new AbortController();
  const timer = setTimeout(() => leaving.abort(), leaveMs);
  let text = "";
  try {
    const { body } = await fetch(`${url}/${path}`, { ...init, signal: leaving.signal });
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    // The signal of fetch may end no body that has begun.
    leaving.signal.addEventListener("abort", () => void reader.cancel().catch(() => {}));
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  return [...text.matchAll(AVAILABLE)].map(([, domain = ""]) => domain);
}

Deno.test("no form of the API calls a name available that is not free, at random faults, with clients that leave", async () => {
  const random = createRandom(20_261_128);
  await using lab = await startLab();
  for (const kind of KINDS) {
    for (let n = 0; n < EACH; n++) lab.script(`${kind}-${n}`, { ...SCRIPTS[kind]!, delayMs: n });
  }
  await using file = await createKvFile();
  const start = async () =>
    await startService(lab, {
      kv: await file.open(),
      env: { ...whoisEnv(lab), TLDS: TLDS.join() },
      whoisPaceOf: () => ({ concurrency: 1, burst: 1, everyMs: 60 }),
      timeouts: { rdap: { headMs: 200, deadlineMs: 300 }, whoisMs: 200 },
    });
  await using one = await start();
  await using two = await start();
  await one.services.renewCanaries();
  const available: string[] = [];
  const asks = Array.from({ length: IS_LONG_RUN ? 1_500 : 300 }, (_, place) => place);
  await inParallel(asks, 12, async (place) => {
    if (place % 30 === 29) disturb(lab, random);
    const leaveMs = random.pick([20, 100, 400, 1_500]);
    available.push(...await ask(random.pick([one, two]), random, leaveMs));
  });
  assert(available.length > 0);
  // What only WHOIS withholds is available where no rule needs WHOIS.
  assertEquals(available.filter((name) => !/^free|^held-\d+\.(?:com|dev)$/.test(name)), []);
});
