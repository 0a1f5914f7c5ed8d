const root = new URL("../../", import.meta.url);

/** Runs a script of this folder as a process of its own, until it is disposed of. */
export function startScript(file: string, args: readonly string[]): AsyncDisposable {
  const script = new URL(file, import.meta.url);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-net", "--allow-read", "--allow-write", script.href, ...args],
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
