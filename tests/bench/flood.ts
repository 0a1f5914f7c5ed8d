import { fileURLToPath } from "node:url";
import { ianaTable } from "../lab/iana_table.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { REGISTRIES } from "../lab/registries.ts";
import { startProcess } from "../support/process.ts";
import type { Benchmark } from "./benchmark.ts";
import { freshLabel } from "./service_checks.ts";
import { median } from "./statistics.ts";

const TLD = "com";
const ROUNDS = 3;
/** The service asks over TLS alone; plain HTTP is measured to show what TLS changes. */
const PROTOCOLS = ["https", "http"] as const;
type Protocol = typeof PROTOCOLS[number];

const read = (name: string) => Deno.readTextFile(new URL(`../lab/tls/${name}`, import.meta.url));
const INTERIM = new TextEncoder().encode("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(20_000));

/** How long `/health` takes while a registry answers one request with interim responses (103) that never end. */
export const flood: Benchmark = {
  name: "flood",
  about: "/health beside a check whose registry sends 103 responses without end",
  async *rows() {
    await using lab = await startLab();
    for (const protocol of PROTOCOLS) {
      const worst: number[] = [];
      const states: string[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const { worstSecondMs, state } = await measure(lab, protocol);
        worst.push(worstSecondMs);
        states.push(state);
      }
      yield {
        what: `registry over ${protocol}, ${ROUNDS} processes, one check each`,
        measured: {
          "median of the worst second": worst.map((ms) => `${Math.round(ms)} ms`).join(", "),
          "the check's state": states.join(", "),
        },
        ...(protocol === "https" && { target: "≤ 250 ms" }),
      };
    }
  },
};

/** The median of the slowest second, in ms, and what the check answered. */
async function measure(lab: Lab, protocol: Protocol) {
  await using registry = await startFlood(protocol);
  lab.setTable(JSON.stringify(ianaTable(REGISTRIES, { moved: { [TLD]: registry.base } })));
  await using service = await startProcess(lab, {
    TLDS: TLD,
    NO_PROXY: "127.0.0.1,localhost",
    no_proxy: "127.0.0.1,localhost",
    DENO_CERT: fileURLToPath(new URL("../lab/tls/localhost.pem", import.meta.url)),
  });
  let isOver = false;
  const checking = fetch(`${service.url}/check?name=${freshLabel()}&tld=${TLD}`)
    .then((response) => response.json())
    .finally(() => isOver = true);
  const seconds: number[][] = [];
  const start = performance.now();
  while (!isOver) {
    const askedAt = performance.now();
    await (await fetch(`${service.url}/health`)).body?.cancel();
    (seconds[Math.floor((askedAt - start) / 1_000)] ??= []).push(performance.now() - askedAt);
  }
  const { state, error } = (await checking).results[0];
  if (registry.connections === 0) throw new Error("Cannot measure: the registry was not asked");
  return {
    worstSecondMs: Math.max(...seconds.filter((times) => times.length > 0).map(median)),
    state: error ?? state,
  };
}

/** A server that answers each connection with interim responses until the client closes it. */
async function startFlood(protocol: Protocol) {
  const address = { hostname: "127.0.0.1", port: 0 };
  const listener = protocol === "http" ? Deno.listen(address) : Deno.listenTls({
    ...address,
    cert: await read("localhost.pem"),
    key: await read("localhost.key.pem"),
  });
  const server = {
    base: `${protocol}://localhost:${listener.addr.port}/`,
    connections: 0,
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
    },
  };
  const send = async (connection: Deno.Conn) => {
    const writer = connection.writable.getWriter();
    await connection.read(new Uint8Array(4_096));
    server.connections++;
    while (true) await writer.write(INTERIM);
  };
  const accept = async () => {
    const sending: Promise<unknown>[] = [];
    // Each ends when the service closes its connection.
    for await (const connection of listener) sending.push(send(connection).catch(() => {}));
    await Promise.all(sending);
  };
  const accepting = accept();
  return server;
}
