import { START_ARGS } from "../lab/start_args.ts";

const root = new URL("../../", import.meta.url);

/** `deno run` and its flags, as the service is started. */
const AS_THE_SERVICE = START_ARGS.slice(0, -1);

/** Runs a script of this folder as a process of its own until it is disposed of. */
export function startScript(
  file: string,
  args: readonly string[],
  { env = {}, command = AS_THE_SERVICE }: {
    env?: Record<string, string>;
    command?: readonly string[];
  } = {},
): AsyncDisposable {
  const script = new URL(file, import.meta.url);
  const child = new Deno.Command(Deno.execPath(), {
    args: [...command, script.href, ...args],
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

/** A port on which nothing listens at this moment. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
