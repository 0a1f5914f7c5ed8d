/** The server that Deno publishes for KV Connect, `denokv` (crates.io, 0.14), where a test machine has it. */
import { freePort } from "../../support/process.ts";

/** A denokv that runs on a file of its own. */
export interface Denokv extends AsyncDisposable {
  /** What a process needs in its environment to use it. */
  readonly env: { readonly KV_PATH: string; readonly DENO_KV_ACCESS_TOKEN: string };
  openKv(): Promise<Deno.Kv>;
}

const TOKEN = "token-of-the-lab";
const TRIES = 200;
const PAUSE_MS = 25;

/** Starts denokv from its binary. Rejects where it does not answer within five seconds. */
export async function startDenokv(binary: string): Promise<Denokv> {
  const folder = await Deno.makeTempDir();
  const port = freePort();
  const child = new Deno.Command(binary, {
    args: ["--sqlite-path", `${folder}/kv`, "serve", "--addr", `127.0.0.1:${port}`],
    env: { DENO_KV_ACCESS_TOKEN: TOKEN },
    stdout: "null",
    stderr: "null",
  }).spawn();
  await listening(port);
  const env = { KV_PATH: `http://127.0.0.1:${port}`, DENO_KV_ACCESS_TOKEN: TOKEN };
  return {
    env,
    openKv() {
      Deno.env.set("DENO_KV_ACCESS_TOKEN", TOKEN);
      return Deno.openKv(env.KV_PATH);
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** denokv does not say when it listens. */
async function listening(port: number): Promise<void> {
  for (let tries = 1;; tries++) {
    try {
      return (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    } catch (error) {
      if (tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
