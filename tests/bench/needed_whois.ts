import { type Lab, startLab } from "../lab/lab.ts";
import { labEnv, proxyEnv, whoisEnv } from "../lab/lab_env.ts";
import { findChromium } from "../browser/chromium.ts";
import { browse, launch } from "../browser/browse.ts";
import { submit } from "../browser/rows.ts";
import { startProcess } from "../support/process.ts";
import type { Benchmark, Row } from "./benchmark.ts";
import { type LimitedWhois, startLimitedWhois, usualAnswer, WHOIS_LIMIT } from "./limited_whois.ts";
import { canariesPassed } from "./service_checks.ts";

const COUNT = 200;
const SINGLE = 8;
const MINUTE_MS = 60_000;
/** How long a client keeps to `retryAfter`: at the server's limit the list needs seven minutes. */
const PATIENCE_MS = 15 * MINUTE_MS;
const DNS_MS = 20;
const root = new URL("../../", import.meta.url);

interface Answer {
  domain: string;
  state: string;
  likely?: string;
  retryAfter?: number;
}

/** Whether only the registry's WHOIS server tells that it withholds a name. */
function isKept(domain: string): boolean {
  return domain.startsWith("kept");
}

/** A list under `org`, whose WHOIS server is needed and refuses what exceeds its limit, in each way to send one. */
export const neededWhois: Benchmark = {
  name: "needed_whois",
  about:
    `${COUNT} names under org, half of them withheld in WHOIS only, which answers ${WHOIS_LIMIT} ` +
    "queries a minute: by POST, on the command line and on the page, each with a server of its " +
    "own",
  async *rows() {
    // Each waits for most of its time.
    const ways = [byPost(), onCommandLine(), onPage()];
    for (const rows of ways) yield* await rows;
  },
};

function startServer(): Promise<LimitedWhois> {
  return startLimitedWhois({
    answer: (domain) => isKept(domain) ? "globalblock" : usualAnswer(domain),
    delayMs: () => DNS_MS,
  });
}

const envOf = (whoisServer: string) => ({
  ...whoisEnv({ whoisServer }),
  TLDS: "org",
  TRUSTED_PROXIES: "1",
});

const namesOf = (way: string) =>
  Array.from({ length: COUNT }, (_, at) => `${at % 2 ? "kept" : "free"}-${way}-${at}`);

/** A client that keeps to `retryAfter` until each name is sure, beside single names. */
async function byPost(): Promise<Row[]> {
  await using whois = await startServer();
  await using lab = await startLab({ dnsDelayMs: DNS_MS, latency: "real" });
  await using service = await startProcess(lab, envOf(whois.address));
  await canariesPassed(service, ["org"]);
  const seen: Answer[] = [];
  async function ask(path: string, address: string, init: RequestInit = {}): Promise<Answer[]> {
    const headers = { "content-type": "application/json", "x-forwarded-for": address };
    const response = await fetch(`${service.url}${path}`, { ...init, headers });
    const { results } = await response.json();
    seen.push(...results);
    return results;
  }
  async function single(name: string, address: string): Promise<{ ms: number; rows: Answer[] }> {
    const startedAt = performance.now();
    const rows = await ask(`/check?name=${name}&tld=org`, address);
    return { ms: performance.now() - startedAt, rows };
  }
  const post = (names: readonly string[]) =>
    ask("/check", "203.0.113.5", {
      method: "POST",
      body: JSON.stringify({ names, tlds: ["org"] }),
    });

  const names = namesOf("post");
  const listing = post(names);
  const singles = await Promise.all(Array.from({ length: SINGLE }, async (_, at) => {
    await pause(500 * at);
    return await single(`${at % 2 ? "kept" : "free"}-single-${at}`, `198.51.100.${at}`);
  }));
  const first = await listing;
  const startedAt = performance.now();
  const again = { sure: 0, "postponed after a refusal": 0, "postponed without one": 0, broken: 0 };
  async function askUntilSure({ domain, retryAfter }: Answer): Promise<Answer> {
    const toldAt = performance.now();
    if (retryAfter === undefined || toldAt - startedAt > PATIENCE_MS) {
      again.broken++;
      return { domain, state: "unknown" };
    }
    await pause(1_000 * retryAfter);
    const [row] = await post([domain.replace(/\.org$/, "")]);
    if (row === undefined || row.state !== "unknown") {
      again.sure++;
      return row ?? { domain, state: "unknown" };
    }
    const isRefused = whois.refused.some((at) => at > toldAt);
    again[isRefused ? "postponed after a refusal" : "postponed without one"]++;
    return await askUntilSure(row);
  }
  const last = await Promise.all(
    first.map((row) => row.state === "unknown" ? askUntilSure(row) : row),
  );
  const minutes = ((performance.now() - startedAt) / MINUTE_MS).toFixed(1);
  for (const [at, name] of names.entries()) await single(name, `192.0.2.${at}`);
  return [
    { what: "POST, the answer", measured: summary(first), target: "0 wrong, 0 other" },
    {
      what: `${SINGLE} single names of other addresses beside it`,
      measured: {
        ...summary(singles.flatMap(({ rows }) => rows)),
        slowest: `${(Math.max(...singles.map(({ ms }) => ms)) / 1_000).toFixed(1)} s`,
      },
      target: "≤ 2 s",
    },
    {
      what: "POST, each name asked again by retryAfter until it is sure",
      measured: {
        ...summary(last),
        "asked again": printed(again),
        took: `${minutes} min`,
        "refused queries": `${whois.refused.length} of ${whois.queries.length}`,
      },
      target: "all sure, none postponed without a refusal",
    },
    {
      what: "all answers, later ones of others included",
      measured: summary(seen),
      target: "0 wrong",
    },
  ];
}

/** The command line by its own look-ups, and by a service. */
async function onCommandLine(): Promise<Row[]> {
  await using whois = await startServer();
  await using lab = await startLab({ dnsDelayMs: DNS_MS, latency: "real" });
  const env = envOf(whois.address);
  const own = await checkedList(lab, env, "cli", []);
  await pause(MINUTE_MS);
  await using service = await startProcess(lab, env);
  await canariesPassed(service, ["org"]);
  const remote = await checkedList(lab, env, "url", ["--url", service.url]);
  return [
    { what: "deno task check", measured: own, target: "0 wrong, 0 other" },
    { what: "deno task check --url", measured: remote, target: "0 wrong, 0 other" },
  ];
}

async function checkedList(
  lab: Lab,
  env: Record<string, string>,
  way: string,
  options: readonly string[],
): Promise<Record<string, string>> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/names.txt`, namesOf(way).join("\n"));
    const startedAt = performance.now();
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["task", "--quiet", "check", "--file", `${folder}/names.txt`, "--ndjson", ...options],
      cwd: root,
      env: { ...labEnv(lab), ...proxyEnv(lab), ...env, KV_PATH: `${folder}/kv` },
      stderr: "null",
    }).output();
    const lines = new TextDecoder().decode(stdout).trim().split("\n");
    const took = `${((performance.now() - startedAt) / MINUTE_MS).toFixed(1)} min`;
    return { ...summary(lines.map((line) => JSON.parse(line))), took };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The page, until it asks for none of the names again. */
async function onPage(): Promise<Row[]> {
  if (findChromium() === undefined) return [];
  await using whois = await startServer();
  await using lab = await startLab({ dnsDelayMs: DNS_MS, latency: "real" });
  await using service = await startProcess(lab, envOf(whois.address));
  await canariesPassed(service, ["org"]);
  const browser = await launch();
  try {
    await using browsing = await browse(browser, service.url);
    const { page } = browsing;
    await page.goto("/");
    const startedAt = performance.now();
    await submit(page, namesOf("page").join(" "));
    await page.waitForSelector("#results.done", { timeout: PATIENCE_MS });
    const labels = await page.locator("[aria-label]").evaluateAll((all) =>
      all.map((one) => one.getAttribute("aria-label") ?? "")
    );
    const rows = new Map<string, Answer>();
    for (const label of labels) {
      const [, domain, word] = /^(\S+-page-\d+\.org): ([A-Z][a-z ]+)/.exec(label) ?? [];
      if (domain === undefined || word === undefined) continue;
      const likely = word.startsWith("Probably available") ? { likely: "available" } : {};
      const state = "likely" in likely ? "unknown" : word.trim().toLowerCase();
      rows.set(domain, { domain, state, ...likely, retryAfter: 0 });
    }
    const took = `${((performance.now() - startedAt) / MINUTE_MS).toFixed(1)} min`;
    const measured = { ...summary([...rows.values()]), took };
    return [{ what: "the page", measured, target: "0 wrong, 0 other" }];
  } finally {
    await browser.close();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function printed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts).map(([what, count]) => `${count} ${what}`).join(", ");
}

function summary(rows: readonly Answer[]): Record<string, string> {
  const count = (is: (row: Answer) => boolean) => `${rows.filter(is).length}`;
  const isWrong = ({ domain, state }: Answer) =>
    isKept(domain) ? state === "available" : state === "reserved" || state === "taken";
  const isLikely = ({ likely, retryAfter }: Answer) =>
    likely === "available" && retryAfter !== undefined;
  return {
    rows: `${rows.length}`,
    wrong: count(isWrong),
    sure: count(({ state }) => state !== "unknown"),
    likely: count(isLikely),
    "unknown with retryAfter": count(({ state, likely, retryAfter }) =>
      state === "unknown" && likely === undefined && retryAfter !== undefined
    ),
    other: count((row) =>
      row.state === "unknown" && (row.retryAfter === undefined || row.likely === "taken")
    ),
  };
}
