import { allSuffixes } from "../../src/rules/coverage.ts";
import { hostPolicy } from "../../src/rules/tables/host_policies.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { NEEDED_SERVERS } from "../../src/rules/tables/whois_servers.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { labEnv, whoisEnv } from "../lab/lab_env.ts";
import { REGISTRIES, registryOf } from "../lab/registries.ts";
import { overPace } from "../support/over_pace.ts";
import { startProcess } from "../support/process.ts";
import type { Benchmark, Row } from "./benchmark.ts";
import {
  checkList,
  checkWhole,
  pause,
  type Seen,
  type Typed,
  typeName,
  useWholeLimit,
} from "./crowd_clients.ts";
import { recoveryMs } from "./host_pace.ts";
import { type LimitedWhois, startLimitedWhois, WHOIS_LIMIT } from "./limited_whois.ts";
import { canariesPassed, freshLabel } from "./service_checks.ts";
import { jain, median, percentile } from "./statistics.ts";

const DNS_MS = 20;
const PEOPLE = 20;
/** One person after the other starts to type after this time, and by up to `SCATTER_MS` later: some type at once. */
const PERSON_EVERY_MS = 3_500;
const SCATTER_MS = 3_000;
const CALLER_AT_ONCE = 20;
const LIST_NAMES = 500;
const LIST_LIMIT = 600;
const ALONE = 2;
/** Available for every person, so that the registry must be asked; half of the other TLDs have taken each name. */
const MEASURED = ["io", "ai"];
const TLDS = BUILT_IN_TLDS.map(({ tld }) => tld);
/** Those that a stranger asks about, one after the other; most have a server that is not in the lab. */
const ALL_TLDS = allSuffixes().filter((suffix) => !suffix.includes("."));
/** Never asked about before; one host has both. */
const [NEW_ALONE, NEW_BESIDE] = ["fun", "press"];
const root = new URL("../../", import.meta.url);

/** What people wait for while others use the service to the full. */
export const crowd: Benchmark = {
  name: "crowd",
  about:
    `${PEOPLE} people who type a name each at 250 ms a key, one after the other, beside a caller ` +
    `at its full limit with all ${TLDS.length} TLDs, a stranger at its full limit under each of ` +
    `${ALL_TLDS.length} TLDs, and a list of ${LIST_NAMES} names (--url, ` +
    `${LIST_LIMIT} requests a minute); DNS ${DNS_MS} ms, the registries' latencies and paces`,
  async *rows({ against }) {
    if (against !== undefined) yield* measure(against, `${against.pathname}: `);
    yield* measure(root, "");
    yield* measure(root, `io's WHOIS answers ${WHOIS_LIMIT} a minute: `, ["io"]);
  },
};

/** What all clients experienced, and what the registries saw meanwhile. */
interface Outcome {
  alone: Seen[];
  people: Typed[];
  caller: Seen[];
  stranger: Seen[];
  /** The first check under a TLD, before the others come, and beside them. */
  firstOfTld: Readonly<Record<"alone" | "beside", Seen>>;
  list: Seen;
}

/** Measures a checkout; the WHOIS servers of the `limited` TLDs have a limit. */
async function* measure(
  folder: URL,
  prefix: string,
  limited: readonly string[] = [],
): AsyncGenerator<Row> {
  await using lab = await startLab({ dnsDelayMs: DNS_MS, latency: "real" });
  await using whois = await startLimitedWhois({
    isLimited: (domain) => limited.includes(tldOf(domain)),
    delayMs: (tld) => registryOf(tld)?.latencyMs ?? 0,
  });
  const outcome = await runCrowd(lab, folder, whoisEnv({ whoisServer: whois.address }));
  for (const row of [...clientRows(outcome), ...hostRows(lab), whoisRow(whois)]) {
    yield { ...row, what: `${prefix}${row.what}` };
  }
}

async function runCrowd(
  lab: Lab,
  folder: URL,
  whois: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const files = await Deno.makeTempDir();
  try {
    const env = {
      ...whois,
      KV_PATH: `${files}/kv`,
      RATE_LIMIT: "60",
      TRUSTED_PROXIES: "1",
    };
    const key = await createKey(lab, env, folder);
    await using service = await startProcess(lab, env, { folder });
    await canariesPassed(service, TLDS);
    const alone: Seen[] = [];
    for (let round = 0; round < ALONE; round++) {
      await pause(recoveryMs(TLDS, 2));
      alone.push(await checkWhole(placeOf(service.url, 200 + round), nameOfPerson(lab, round)));
    }
    const newAlone = await checkWhole(placeOf(service.url, 240), freshLabel(), NEW_ALONE);
    await pause(recoveryMs(TLDS, 2));
    lab.clear();
    const list = `${files}/names.txt`;
    await Deno.writeTextFile(list, Array.from({ length: LIST_NAMES }, freshLabel).join("\n"));
    const stopping = new AbortController();
    const { signal: stop } = stopping;
    const args = ["--file", list, "--url", service.url];
    const listing = checkList({ folder, args, env: { API_KEY: key }, stop });
    const nextQuery = () => `name=${freshLabel()}`;
    const caller = placeOf(service.url, 250);
    const calling = useWholeLimit(caller, { atOnce: CALLER_AT_ONCE, nextQuery, stop });
    const tlds = ALL_TLDS.values();
    const asking = useWholeLimit(placeOf(service.url, 251), {
      atOnce: CALLER_AT_ONCE,
      nextQuery: () => `${nextQuery()}&tld=${tlds.next().value ?? TLDS[0]}`,
      stop,
    });
    const newBeside = pause(PEOPLE * PERSON_EVERY_MS / 2).then(() =>
      checkWhole(placeOf(service.url, 241), freshLabel(), NEW_BESIDE)
    );
    const people = await Promise.all(Array.from({ length: PEOPLE }, async (_, n) => {
      await pause((n + 1) * PERSON_EVERY_MS + scatter(n) * SCATTER_MS);
      return await typeName(placeOf(service.url, n), nameOfPerson(lab, n));
    }));
    stopping.abort();
    return {
      alone,
      people,
      caller: await calling,
      stranger: await asking,
      firstOfTld: { alone: newAlone, beside: await newBeside },
      list: await listing,
    };
  } finally {
    await Deno.remove(files, { recursive: true });
  }
}

/** The same number from 0 to 1 for the same person in every run. */
function scatter(n: number): number {
  return (n * 7_919 % PEOPLE) / PEOPLE;
}

/** Each client is in a network of its own: those of one network share its turns. */
function placeOf(url: string, network: number) {
  return { url, address: `198.18.${network}.1` };
}

async function createKey(lab: Lab, env: Record<string, string>, folder: URL): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "keys", "create", "--label", "list", "--limit", `${LIST_LIMIT}`],
    cwd: folder,
    env: { ...labEnv(lab), ...env },
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout).trim();
}

/** A fresh name of nine letters, which is taken under half of the TLDs. */
function nameOfPerson(lab: Lab, n: number): string {
  const letters = crypto.getRandomValues(new Uint8Array(9));
  const name = Array.from(letters, (byte) => String.fromCharCode(97 + byte % 26)).join("");
  TLDS.forEach((tld, place) => {
    const isTaken = !MEASURED.includes(tld) && (place + n) % 2 === 0;
    if (isTaken) lab.script(`${name}.${tld}`, { dns: "delegated", rdap: "registered" });
  });
  return name;
}

function clientRows({ alone, people, caller, stranger, firstOfTld, list }: Outcome): Row[] {
  const names = people.map(({ name }) => name);
  const measuredAlone = measuredMs(alone);
  const measured = measuredMs(names);
  return [
    {
      what: `a person alone, ${ALONE} names`,
      measured: {
        first: inMs(alone.map(({ firstMs }) => firstMs)),
        [MEASURED.join(" and ")]: inMs(measuredAlone),
        last: inMs(alone.map(({ lastMs }) => lastMs)),
      },
    },
    {
      what: `${PEOPLE} people, the whole name, to the first row or pending question`,
      measured: { "beyond DNS": inMs(names.map(({ firstMs }) => firstMs - DNS_MS)) },
      target: "p95 ≤ 100 ms",
    },
    {
      what: `${PEOPLE} people, ${MEASURED.join(" and ")} of the whole name`,
      measured: {
        measured: inMs(measured),
        "Jain's index of their waits": jain(names.map((name) => median(measuredMs([name]))))
          .toFixed(3),
      },
      ratios: measured.map((ms) => ms / median(measuredAlone)),
      target: "≤ 2 × alone",
    },
    {
      what: `${PEOPLE} people, the whole name, to the last row`,
      measured: {
        last: inMs(names.map(({ lastMs }) => lastMs)),
        unknown: shareUnknown(names),
        "Jain's index of their known rows": jain(names.map(countKnown)).toFixed(3),
      },
      target: "no unknown, ≥ 0.95",
    },
    {
      what: `${PEOPLE} people, prefixes (depth=dns), to the first row`,
      measured: {
        "beyond DNS": inMs(people.flatMap((one) => one.prefixFirstMs.map((ms) => ms - DNS_MS))),
      },
    },
    {
      what: `the caller, ${caller.length} names`,
      measured: {
        first: inMs(caller.map(({ firstMs }) => firstMs)),
        last: inMs(caller.map(({ lastMs }) => lastMs)),
        unknown: shareUnknown(caller),
      },
    },
    {
      what: `the stranger, ${stranger.length} TLDs`,
      measured: { unknown: shareUnknown(stranger) },
    },
    {
      what: `the first check under ${NEW_ALONE} alone, and under ${NEW_BESIDE} beside them all`,
      measured: {
        alone: inMs([firstOfTld.alone.lastMs]),
        beside: inMs([firstOfTld.beside.lastMs]),
        unknown: shareUnknown([firstOfTld.alone, firstOfTld.beside]),
      },
      target: "no unknown",
    },
    {
      what: `the list, ${list.rows.length} rows until the people were done`,
      measured: { first: inMs([list.firstMs]), unknown: shareUnknown([list]) },
    },
  ];
}

/** How far each host was asked beyond its policy: requests more than burst and pace allow, and concurrent ones. */
function hostRows(lab: Lab): Row[] {
  return REGISTRIES.flatMap(({ host }): Row[] => {
    const starts = lab.requests.filter((request) => request.host === host).map(({ at }) => at);
    if (starts.length === 0) return [];
    const { concurrency, burst, ...policy } = hostPolicy(host);
    const everyMs = policy.fastestEveryMs ?? policy.everyMs;
    const seconds = (Math.max(...starts) - Math.min(...starts)) / 1_000;
    return [{
      what: `${host}, ${starts.length} requests`,
      measured: {
        "a second": (starts.length / seconds).toFixed(2),
        ...(everyMs > 0 && {
          pace: (1_000 / everyMs).toFixed(2),
          "most beyond burst and pace": overPace(starts, { burst, everyMs }).toFixed(2),
        }),
        "at once": `${lab.peak(host)} of ${concurrency}`,
      },
      ...(everyMs > 0 && { target: "≤ 0 beyond" }),
    }];
  });
}

/** How often WHOIS servers were asked, and those of the TLDs that need them. */
function whoisRow({ queries, refused }: LimitedWhois): Row {
  const ofNeeded = queries.filter(({ domain }) => NEEDED_SERVERS.has(tldOf(domain)));
  return {
    what: "WHOIS servers, since the start of the service",
    measured: {
      queries: `${queries.length}`,
      "where needed": `${ofNeeded.length}`,
      refused: `${refused.length}`,
    },
  };
}

function tldOf(domain: string): string {
  return domain.slice(domain.lastIndexOf(".") + 1);
}

function measuredMs(checks: readonly Seen[]): number[] {
  return checks.flatMap(({ rows }) =>
    rows.filter(({ tld }) => MEASURED.includes(tld)).map(({ ms }) => ms)
  );
}

function countKnown({ rows }: Seen): number {
  return rows.filter(({ isUnknown }) => !isUnknown).length;
}

function shareUnknown(checks: readonly Seen[]): string {
  const rows = checks.flatMap(({ rows }) => rows);
  const unknown = rows.filter(({ isUnknown }) => isUnknown).length;
  return `${unknown} of ${rows.length} (${(100 * unknown / rows.length).toFixed(1)} %)`;
}

function inMs(samples: readonly number[]): string {
  const [p50, p95] = [median(samples), percentile(samples, 0.95)].map(Math.round);
  return samples.length === 1 ? `${p50} ms` : `p50 ${p50} p95 ${p95} ms`;
}
