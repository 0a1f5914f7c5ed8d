import { outcome } from "../support/outcome.ts";

/** Third-party tools, at the tested versions. npm fetches them; they are not dependencies. */
const TOOLS = {
  redocly: "@redocly/cli@2.77.0",
  spectral: "@stoplight/spectral-cli@6.16.3",
  "openapi-typescript": "openapi-typescript@7.13.0",
} as const;

/** Child processes need system DNS, which the lab has turned off for this process. */
const ENV = { RES_OPTIONS: "", NO_COLOR: "1", NODE_NO_WARNINGS: "1" };

/** Prepares a command line tool, run by Node directly so that killing the process ends the tool. */
export async function npmTool(name: keyof typeof TOOLS, args: string[], cwd = Deno.cwd()) {
  const find = ["-y", "-p", TOOLS[name], "-c", `command -v ${name}`];
  const { out, err } = await outcome(new Deno.Command("npx", { args: find, env: ENV }));
  const path = out.trim();
  if (path === "") throw new Error(`Cannot get ${TOOLS[name]}: ${err}`);
  return new Deno.Command("node", { args: [path, ...args], cwd, env: ENV });
}
