import { startLab } from "../lab/lab.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import type { WhoisBehaviour } from "../lab/whois_behaviours.ts";
import { startWhoisServer } from "../lab/whois_server.ts";
import { startProcess } from "../support/process.ts";
import type { Benchmark } from "./benchmark.ts";
import { canariesPassed } from "./service_checks.ts";

const COUNT = 200;
const SINGLE = 8;
/** The server refuses what exceeds this in any minute. */
const LIMIT = 30;
const MINUTE_MS = 60_000;
const ROUNDS_MS = 3 * MINUTE_MS;
const DNS_MS = 20;

interface Row {
  domain: string;
  state: string;
  likely?: string;
  retryAfter?: number;
}

/** Whether only the registry's WHOIS server tells that it withholds a name. */
function isKept(domain: string): boolean {
  return domain.startsWith("kept");
}

/** A list under `org`, whose WHOIS server is needed and refuses what exceeds its limit, beside single names. */
export const neededWhois: Benchmark = {
  name: "needed_whois",
  about: `${COUNT} names under org by POST, half of them withheld in WHOIS only`,
  async *rows() {
    const answered: number[] = [];
    let refused = 0;
    function answer(domain: string): WhoisBehaviour {
      const now = performance.now();
      if (answered.filter((at) => now - at < MINUTE_MS).length >= LIMIT) {
        refused++;
        return "limited";
      }
      answered.push(now);
      if (isKept(domain)) return "globalblock";
      return /^(?:google|nic|amazon)\./.test(domain) ? "record" : "denial";
    }
    await using whois = await startWhoisServer({ answer, delayMs: () => DNS_MS });
    await using lab = await startLab({ dnsDelayMs: DNS_MS, latency: "real" });
    const env = { ...whoisEnv({ whoisServer: whois.address }), TLDS: "org", TRUSTED_PROXIES: "1" };
    await using service = await startProcess(lab, env);
    await canariesPassed(service, ["org"]);

    const seen: Row[] = [];
    async function ask(path: string, address: string, init: RequestInit = {}): Promise<Row[]> {
      const headers = { "content-type": "application/json", "x-forwarded-for": address };
      const response = await fetch(`${service.url}${path}`, { ...init, headers });
      const { results } = await response.json();
      seen.push(...results);
      return results;
    }
    async function single(name: string, address: string): Promise<number> {
      const startedAt = performance.now();
      await ask(`/check?name=${name}&tld=org`, address);
      return performance.now() - startedAt;
    }
    const post = (names: readonly string[]) =>
      ask("/check", "203.0.113.5", {
        method: "POST",
        body: JSON.stringify({ names, tlds: ["org"] }),
      });

    const names = Array.from(
      { length: COUNT },
      (_, at) => `${at % 2 ? "kept" : "free"}-name-${at}`,
    );
    const listing = post(names);
    const times = await Promise.all(Array.from({ length: SINGLE }, async (_, at) => {
      await new Promise((resolve) => setTimeout(resolve, 500 * at));
      return await single(`${at % 2 ? "kept" : "free"}-single-${at}`, `198.51.100.${at}`);
    }));
    yield { what: "the list", measured: summary(await listing), target: "0 wrong" };
    yield {
      what: `${SINGLE} single names of other addresses beside it`,
      measured: { slowest: `${(Math.max(...times) / 1_000).toFixed(1)} s` },
      target: "≤ 2 s",
    };
    // As a client that keeps to `retryAfter`, of the names that only WHOIS keeps waiting.
    const startedAt = performance.now();
    const due = (await listing).flatMap(({ domain, likely, retryAfter = 0 }) =>
      likely === "available" ? [{ domain, at: startedAt + 1_000 * retryAfter }] : []
    );
    let held = 0;
    let again = 0;
    for (const { domain, at } of due.toSorted((one, other) => one.at - other.at)) {
      if (at > startedAt + ROUNDS_MS) break;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())));
      const [row] = await post([domain.replace(/\.org$/, "")]);
      again++;
      if (row?.state !== "unknown") held++;
    }
    yield {
      what: `${again} asked again by retryAfter within ${ROUNDS_MS / 1_000} s`,
      measured: { "sure then": `${held}`, "refused queries": `${refused}` },
      target: "most, until the limit refuses one",
    };
    for (const [at, name] of names.entries()) await single(name, `192.0.2.${at}`);
    yield {
      what: "all answers, later ones of others included",
      measured: summary(seen),
      target: "0 wrong",
    };
  },
};

function summary(rows: readonly Row[]): Record<string, string> {
  const count = (is: (row: Row) => boolean) => `${rows.filter(is).length}`;
  const isWrong = ({ domain, state }: Row) =>
    isKept(domain) ? state === "available" : state === "reserved" || state === "taken";
  return {
    rows: `${rows.length}`,
    wrong: count(isWrong),
    sure: count(({ state }) => state !== "unknown"),
    likely: count(({ likely, retryAfter }) => likely === "available" && retryAfter !== undefined),
    other: count(({ state, likely }) => state === "unknown" && likely === undefined),
  };
}
