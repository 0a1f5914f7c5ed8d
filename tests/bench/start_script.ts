import { START_ARGS } from "../lab/start_args.ts";

const root = new URL("../../", import.meta.url);

/** Runs a script of this folder as a process of its own, started as the service is, until it is disposed of. */
export function startScript(
  file: string,
  args: readonly string[],
  env: Record<string, string> = {},
): AsyncDisposable {
  const script = new URL(file, import.meta.url);
  const child = new Deno.Command(Deno.execPath(), {
    args: [...START_ARGS.slice(0, -1), script.href, ...args],
    cwd: root,
    env,
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}
