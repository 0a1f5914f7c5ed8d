import { startChain } from "../lab/chain/chain.ts";
import { startLab } from "../lab/lab.ts";
import { startProcess } from "../support/process.ts";
import type { Benchmark } from "./benchmark.ts";
import { openConnection } from "./connection.ts";
import { freshLabel } from "./service_checks.ts";
import { medianMs } from "./statistics.ts";

const RPC_MS = 40;
const ROUNDS = 15;
/** Longer than the window in which checks share a call. */
const PAUSE_MS = 100;

/** How long .eth names take, beside the one RPC request that they need. */
export const ens: Benchmark = {
  name: "ens",
  about: `.eth names that are not cached, with ${RPC_MS} ms added to each RPC request`,
  async *rows() {
    await using lab = await startLab();
    await using chain = await startChain();
    await using service = await startProcess(lab, chain.env);
    const port = Number(new URL(service.url).port);
    await timedMs(port, "/v1/ens/check?name=warm-up");
    await chain.setRpcBehaviour({ kind: "ok", delayMs: RPC_MS });
    for (const operation of ["check", "metadata"]) {
      const tookMs: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        tookMs.push(await timedMs(port, `/v1/ens/${operation}?name=${freshLabel()}`));
      }
      yield {
        what: `GET /v1/ens/${operation}, ${ROUNDS} rounds`,
        measured: { answer: medianMs(tookMs), "one request": `${RPC_MS} ms` },
        ratios: tookMs.map((ms) => ms / RPC_MS),
        target: `≤ ${(1.25 + 15 / RPC_MS).toFixed(2)}, which is 1.25 and 15 ms`,
      };
    }
  },
};

async function timedMs(port: number, path: string): Promise<number> {
  using connection = await openConnection(port, path, { status: "any" });
  const startedAt = performance.now();
  await connection.exchange();
  return performance.now() - startedAt;
}
