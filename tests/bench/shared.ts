import { type Lab, startLab } from "../lab/lab.ts";
import { startProcess } from "../support/process.ts";
import { type Benchmark, interleave } from "./benchmark.ts";
import { canariesPassed, freshLabel } from "./service_checks.ts";
import { openConnection } from "./connection.ts";
import { medianMs, pairedRatios } from "./statistics.ts";

const TLDS = ["com", "dev", "online", "org", "xyz"];
const REQUESTS = 1_000;
const ROUNDS = 5;

/** What identical concurrent requests cost. */
export const shared: Benchmark = {
  name: "shared",
  about: `${REQUESTS} requests at once for a cold name under ${TLDS.length} TLDs, and a single one`,
  async *rows() {
    await using lab = await startLab({ dnsDelayMs: 20, latency: "real" });
    await using service = await startProcess(lab, { TLDS: TLDS.join(",") });
    await canariesPassed(service, TLDS);
    const port = Number(new URL(service.url).port);
    const labels: string[] = [];
    const { many, one } = await interleave({
      many: async () => {
        const label = freshLabel();
        labels.push(label);
        return await askAtOnce(port, label, REQUESTS);
      },
      one: () => askAtOnce(port, freshLabel(), 1),
    }, ROUNDS);
    const seen = labels.flatMap((label) => TLDS.map((tld) => questions(lab, `${label}.${tld}`)));
    yield {
      what: `questions that the lab saw for each domain, ${labels.length} names`,
      measured: { DNS: range(seen.map(({ dns }) => dns)), RDAP: range(seen.map((s) => s.rdap)) },
      target: "1 and ≤ 1",
    };
    yield {
      what: `wall time until the last is answered, ${ROUNDS} rounds`,
      measured: {
        [`${REQUESTS} requests`]: medianMs(many),
        single: medianMs(one),
      },
      ratios: pairedRatios(many, one),
    };
  },
};

/** Milliseconds until `count` connections, opened before, have all been answered. */
async function askAtOnce(port: number, label: string, count: number): Promise<number> {
  using stack = new DisposableStack();
  const path = `/check?name=${label}`;
  const opening = Array.from({ length: count }, () => openConnection(port, path));
  const connections = await Promise.all(opening);
  for (const connection of connections) stack.use(connection);
  const startedAt = performance.now();
  await Promise.all(connections.map((connection) => connection.exchange()));
  return performance.now() - startedAt;
}

function questions(lab: Lab, domain: string): { dns: number; rdap: number } {
  return {
    dns: lab.dnsQueries.filter(({ name }) => name === domain).length,
    rdap: lab.requests.filter(({ path }) => path.endsWith(`/domain/${domain}`)).length,
  };
}

function range(counts: readonly number[]): string {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? `${most}` : `${least}–${most}`;
}
