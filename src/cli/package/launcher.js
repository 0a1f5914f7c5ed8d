#!/usr/bin/env node
/**
 * The npm package's command, in Node: runs the bundled command line in the Deno that the package "deno" has installed. Node
 * cannot run it: it uses Deno KV, and TLS and DNS as Deno has them.
 */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const { name } = require("./package.json");
const { env, platform } = process;

try {
  run(require("deno/install_api.cjs").runInstall());
} catch (error) {
  fail(error);
}

/** @param {string} deno the executable */
function run(deno) {
  const kvPath = env.KV_PATH || cacheFile();
  // Deno takes no path with a comma in a permission.
  const written = kvPath.includes(",") ? "" : `=${resolve(kvPath)}`;
  const isFile = !/^(?::memory:|https?:)/.test(kvPath);
  const child = spawn(deno, [
    "run",
    // A deno.json or a package.json of the folder that the user is in must change nothing.
    ...["--quiet", "--no-config", "--no-lock", "--no-npm", "--no-remote", "--no-prompt"],
    ...["--unstable-kv", "--unstable-no-legacy-abort", "--v8-flags=--max-semi-space-size=4"],
    ...["--allow-net", "--allow-env", "--allow-read"],
    ...(isFile ? [`--allow-write${written}`] : []),
    fileURLToPath(new URL("command.js", import.meta.url)),
    ...process.argv.slice(2),
  ], { stdio: "inherit", env: { ...env, KV_PATH: kvPath, DENO_NO_UPDATE_CHECK: "1" } });
  child.on("error", fail);
  // A terminal sends Ctrl-C to both processes, so this one must outlive the other. A supervisor signals this one only;
  // Windows cannot pass on SIGINT, only kill.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => platform === "win32" || child.kill(signal));
  }
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** The file in the user's cache that all runs share: paces, cooldowns and tests of registries outlive each run. */
function cacheFile() {
  const folder = join(cacheFolder(), name);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new Error(`${error.message}; set KV_PATH to a file that can be written`);
  }
  return join(folder, "kv.sqlite");
}

function cacheFolder() {
  if (platform === "win32" && env.LOCALAPPDATA) return env.LOCALAPPDATA;
  if (platform === "darwin") return join(homedir(), "Library", "Caches");
  // The XDG specification has relative paths ignored.
  const { XDG_CACHE_HOME: folder = "" } = env;
  return isAbsolute(folder) ? folder : join(homedir(), ".cache");
}

/** @param {Error} error */
function fail(error) {
  process.stderr.write(`Cannot start: ${error.message}\n`);
  process.exit(1);
}
