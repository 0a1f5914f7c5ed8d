/**
 * The KV Connect server as a process of its own, its data in memory: `deno run -A kv_connect_script.ts [port]`. Prints
 * what its clients need in their environment as a line of JSON, then answers each command, a line of JSON on stdin, with
 * a line of JSON. Ends when stdin does.
 */
import { createInterface } from "node:readline";
import process from "node:process";
import type { Readings } from "./meter.ts";
import type { Faults, Operation } from "./faults.ts";
import { startKvConnect } from "./kv_connect.ts";

/** What the process can be told to do. */
export type Command =
  | { do: "set_round_trip"; ms: number }
  /** JSON has no infinity: without `times` it lasts until it is told to recover. */
  | { do: "fail"; operation: Operation; fault: Faults[Operation]; times?: number }
  | { do: "recover" }
  | { do: "read_meter" }
  | { do: "reset" };

if (import.meta.main) await run();

async function run(): Promise<void> {
  await using server = startKvConnect({ port: Number(Deno.args[0] ?? 0) });
  // As often as denokv collects at most.
  const collecting = setInterval(server.collectExpired, 60_000);
  print(server.env);
  for await (const line of createInterface({ input: process.stdin })) {
    print(obey(JSON.parse(line)));
  }
  clearInterval(collecting);

  function obey(command: Command): Readings | Record<never, never> {
    switch (command.do) {
      case "set_round_trip":
        server.roundTripMs = command.ms;
        return {};
      case "fail":
        server.fail(command.operation, command.fault, command.times);
        return {};
      case "recover":
        server.recover();
        return {};
      case "read_meter":
        return server.readings();
      case "reset":
        server.reset();
        return {};
      default:
        throw new Error(`No such command: ${JSON.stringify(command satisfies never)}`);
    }
  }
}

function print(value: unknown): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(value)}\n`));
}
