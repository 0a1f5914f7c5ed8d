/** Third-party tools, at the tested versions. npm fetches them; they are not dependencies. */
const TOOLS = {
  redocly: "@redocly/cli@2.77.0",
  spectral: "@stoplight/spectral-cli@6.16.3",
  "openapi-typescript": "openapi-typescript@7.13.0",
} as const;

/** Child processes need system DNS, which the lab has turned off for this process. */
const ENV = { RES_OPTIONS: "", NO_COLOR: "1", NODE_NO_WARNINGS: "1" };

/** Prepares a command line tool, run by Node directly so that killing the process ends the tool. */
export async function npmTool(
  name: keyof typeof TOOLS,
  args: string[],
  cwd = Deno.cwd(),
): Promise<Deno.Command> {
  const { success, stdout, stderr } = await new Deno.Command("npx", {
    args: ["-y", "-p", TOOLS[name], "-c", `command -v ${name}`],
    env: ENV,
    stdin: "null",
  }).output();
  const path = new TextDecoder().decode(stdout).trim();
  if (!success || path === "") {
    throw new Error(`Cannot get ${TOOLS[name]}: ${new TextDecoder().decode(stderr)}`);
  }
  return new Deno.Command("node", {
    args: [path, ...args],
    cwd,
    env: ENV,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}
