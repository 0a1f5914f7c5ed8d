/** Starts the KV Connect server as a process of its own, which a busy test process cannot slow down. */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { Command } from "./kv_connect_script.ts";
import type { Readings } from "./meter.ts";

/** A server that runs in its own process. */
export interface KvConnectProcess extends AsyncDisposable {
  /** What a process needs in its environment to use it. */
  readonly env: { readonly KV_PATH: string; readonly DENO_KV_ACCESS_TOKEN: string };
  openKv(): Promise<Deno.Kv>;
  /** Has it do something, one command after the other; settles when that is done. */
  command(command: Command): Promise<void>;
  readings(): Promise<Readings>;
  /** Kills it with SIGKILL: its connections are cut, its data are lost. */
  kill(): Promise<void>;
}

const SCRIPT = new URL("kv_connect_script.ts", import.meta.url).pathname;

/** Starts it on `port`, or on any free one. */
export async function startKvConnectProcess({ port = 0 } = {}): Promise<KvConnectProcess> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-net", "--allow-env", SCRIPT, `${port}`],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  // deno-lint-ignore no-explicit-any -- Node's and Deno's types of the same web stream differ
  const lines = createInterface({ input: Readable.fromWeb(child.stdout as any) });
  const answers = lines[Symbol.asyncIterator]();
  const commands = child.stdin.getWriter();

  async function answer() {
    const { value, done } = await answers.next();
    if (done) throw new Error("The KV Connect process has ended");
    return JSON.parse(value);
  }

  async function obeyed(command: Command) {
    await commands.write(new TextEncoder().encode(`${JSON.stringify(command)}\n`));
    return await answer();
  }

  const env = await answer();
  let isOver = false;

  async function end(stop: () => Promise<void> | void): Promise<void> {
    if (isOver) return;
    isOver = true;
    await stop();
    await child.status;
    lines.close();
  }

  return {
    env,
    openKv() {
      Deno.env.set("DENO_KV_ACCESS_TOKEN", env.DENO_KV_ACCESS_TOKEN);
      return Deno.openKv(env.KV_PATH);
    },
    async command(command) {
      await obeyed(command);
    },
    readings: () => obeyed({ do: "read_meter" }),
    kill: () =>
      end(async () => {
        child.kill("SIGKILL");
        await commands.abort().catch(() => {});
      }),
    [Symbol.asyncDispose]: () => end(() => commands.close()),
  };
}
