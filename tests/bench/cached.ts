import { BUILT_IN_TLDS } from "../../src/rules/tlds.ts";
import { startLab } from "../lab/lab.ts";
import { startProcess } from "../support/process.ts";
import { answerOf } from "./answer_of.ts";
import type { Benchmark } from "./benchmark.ts";
import { canariesPassed } from "./canaries_passed.ts";
import { openConnection } from "./connection.ts";
import { firstAnswer } from "./first_answer.ts";
import { freePort } from "./free_port.ts";
import { interleave } from "./interleave.ts";
import { requestsPerSecond } from "./load.ts";
import { perSecond } from "./per_second.ts";
import { pairedRatios } from "./paired_ratios.ts";
import { startScript } from "./start_script.ts";

const PATH = "/check?name=taken&tld=com";
const ROUNDS = 21;
/** Short, so that both sides of a round meet the same machine. */
const ROUND_MS = 500;

/** How many cached answers a second, beside a server that does nothing but answer. */
export const cached: Benchmark = {
  name: "cached",
  about: "a cached one-TLD answer, and a bare Deno.serve with the same bytes and headers",
  async *rows() {
    await using lab = await startLab();
    const [port, barePort] = [freePort(), freePort()];
    await using process = await startProcess(lab, { PORT: String(port) });
    // Tests of the registries would go on beside the first rounds.
    await canariesPassed(process, BUILT_IN_TLDS.map(({ tld }) => tld));
    const { body, headers } = await cachedAnswer(port);
    await using _bare = startScript("bare_server.ts", [
      String(barePort),
      body,
      JSON.stringify(headers),
    ]);
    await firstAnswer(barePort, PATH);
    const { service, bare } = await interleave({
      service: () => requestsPerSecond(port, PATH, ROUND_MS),
      bare: () => requestsPerSecond(barePort, PATH, ROUND_MS),
    }, ROUNDS);
    yield {
      what: `GET ${PATH}, each counted in KV, ${ROUNDS} rounds`,
      measured: { service: perSecond(service), bare: perSecond(bare) },
      ratios: pairedRatios(service, bare),
      target: "≥ 0.45",
    };
  },
};

async function cachedAnswer(port: number) {
  using connection = await openConnection(port, PATH);
  await connection.exchange();
  const answer = await connection.exchange();
  if (!answer.includes("+cache")) throw new Error(`Cannot measure: not from the cache: ${answer}`);
  return answerOf(answer);
}
