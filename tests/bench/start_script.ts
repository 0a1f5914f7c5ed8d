import { START_ARGS } from "../lab/lab_env.ts";

const root = new URL("../../", import.meta.url);

/** `deno run` and its flags, as the service is started. */
const AS_THE_SERVICE = START_ARGS.slice(0, -1);

/** Runs a script of this folder as a process of its own until it is disposed of. */
export function startScript(
  file: string,
  args: readonly string[],
): AsyncDisposable {
  const script = new URL(file, import.meta.url);
  const child = new Deno.Command(Deno.execPath(), {
    args: [...AS_THE_SERVICE, script.href, ...args],
    cwd: root,
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
