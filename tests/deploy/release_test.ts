import { assert, assertEquals, assertMatch } from "@std/assert";
import { parse } from "yaml";
import manifest from "../../deno.json" with { type: "json" };
import { startLab } from "../lab/lab.ts";
import { labEnv, proxyEnv } from "../lab/lab_env.ts";
import { HAS_NODE } from "../support/installed_package.ts";

const root = new URL("../../", import.meta.url);
const read = async (path: string) => parse(await Deno.readTextFile(new URL(path, root)));

/** The scripts are for the runners of CI. */
const ignore = Deno.build.os !== "linux";

Deno.test("the action gives its script each variable that it reads, and no input in its text", async () => {
  const { runs: { steps }, inputs } = await read(".github/action/action.yml");
  const [step] = steps.filter(({ run }: { run?: string }) => run !== undefined);
  assertEquals(step.run.includes("${{"), false);
  const values = JSON.stringify(steps);
  const unused = Object.keys(inputs).filter((name) => !values.includes(`inputs.${name} `));
  assertEquals(unused, []);
  const script = await Deno.readTextFile(new URL(".github/action/watch.sh", root));
  for (const name of Object.keys(step.env)) {
    // The token is for `gh`.
    if (name !== "GH_TOKEN") {
      assert(script.includes(`$${name}`) || script.includes(`{${name}`), name);
    }
  }
});

Deno.test("the action keeps its state in the cache between runs, also after a step that failed", async () => {
  const { runs: { steps } } = await read(".github/action/action.yml");
  const [restore, watch, save] = steps;
  const own = "inputs.state == ''";
  assertEquals([restore.uses, restore.if], ["actions/cache/restore@v4", own]);
  assertEquals([save.uses, save.if], ["actions/cache/save@v4", `always() && ${own}`]);
  // A cache is found only under the path under which it was saved, and its key is never written twice.
  assertEquals(save.with, { path: restore.with.path, key: restore.with.key });
  assert(restore.with.key.startsWith(restore.with["restore-keys"]));
  assertMatch(restore.with.key, /run_id.*run_attempt/);
  const file = /format\('\{0\}(?<file>[^']+)', runner\.temp\)/.exec(watch.env.STATE)?.groups?.file;
  assertEquals(`\${{ runner.temp }}${file}`, `${save.with.path}/state`);
});

Deno.test(
  "the action reports a name that becomes available, taken or unknown, and fails where told to",
  { ignore },
  async () => {
    await using lab = await startLab();
    const folder = await Deno.makeTempDir();
    const watch = async (names: string, env: Record<string, string> = {}) => {
      const output = `${folder}/output`;
      await Deno.writeTextFile(output, "");
      const { code, stdout } = await new Deno.Command("bash", {
        args: [".github/action/watch.sh"],
        cwd: root,
        env: {
          ...labEnv(lab),
          ...proxyEnv(lab),
          COMMAND: `${Deno.execPath()} run --allow-all src/cli/check_main.ts`,
          NAMES: names,
          FAIL_ON: "unknown",
          GITHUB_OUTPUT: output,
          GITHUB_STEP_SUMMARY: `${folder}/summary`,
          XDG_CONFIG_HOME: folder,
          ...env,
        },
        stderr: "null",
      }).output();
      const [, ...changes] = (await Deno.readTextFile(output)).trim().split("\n");
      return { code, changes: changes.slice(0, -1), out: new TextDecoder().decode(stdout) };
    };
    const env = { STATE: `${folder}/kept/state` };
    // Without the file of an earlier run every result is new; with it, none is in the first run.
    assertEquals((await watch("free-name.com taken.com")).changes, [
      "free-name.com - available",
      "taken.com - taken",
    ]);
    assertEquals((await watch("free-name.com taken.com", env)).changes, []);
    await Deno.writeTextFile(env.STATE, "free-name.com taken\ntaken.com taken\n");
    const freed = await watch("free-name.com taken.com", { ...env, FAIL_ON: "available,unknown" });
    assertEquals([freed.code, freed.changes], [1, ["free-name.com taken available"]]);
    assertEquals(freed.out, "::error::free-name.com is available (before: taken)\n");
    assertMatch(
      await Deno.readTextFile(`${folder}/summary`),
      /\| `free-name\.com` \| taken \| available \|/,
    );
    // The step that failed has kept what it found, so that the next one reports nothing anew.
    assertEquals((await watch("free-name.com taken.com", env)).changes, []);
    lab.script("lost.com", { dns: "nxdomain", rdap: "garbage" });
    const lost = await watch("lost.com");
    assertEquals([lost.code, lost.changes], [1, ["lost.com - unknown"]]);
    // An option among the names is a name that is not valid.
    assertEquals((await watch("--url=http://127.0.0.1:1 taken.com")).code, 1);
    const misspelt = await watch("taken.com", { FAIL_ON: "avaliable" });
    assertEquals([misspelt.code, misspelt.out], [
      1,
      "::error::fail-on: expected available, taken, reserved, unknown\n",
    ]);
    await Deno.remove(folder, { recursive: true });
  },
);

Deno.test(
  "release.sh publishes the tarball with the token only where told to, and never under another tag",
  { ignore: ignore || !HAS_NODE },
  async () => {
    const folder = await Deno.makeTempDir();
    const published: { token: string | null; name: string; files: string[] }[] = [];
    await using registry = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      async (request) => {
        if (request.method !== "PUT") return Response.json({}, { status: 404 });
        const { name, _attachments } = await request.json();
        const token = request.headers.get("authorization");
        published.push({ token, name, files: Object.keys(_attachments) });
        return Response.json({ ok: true }, { status: 201 });
      },
    );
    // In place of the Deno that npx would fetch stands the one that runs the test.
    await Deno.writeTextFile(
      `${folder}/npx`,
      `#!/bin/sh\nshift 2\nexec ${Deno.execPath()} "$@"\n`,
      { mode: 0o755 },
    );
    const release = (args: string[], env: Record<string, string> = {}) =>
      new Deno.Command(".github/release.sh", {
        args: [`${folder}/dist`, ...args],
        cwd: root,
        env: {
          PATH: `${folder}:${Deno.env.get("PATH")}`,
          NODE_AUTH_TOKEN: "token",
          GITHUB_REF_TYPE: "",
          npm_config_registry: `http://127.0.0.1:${registry.addr.port}/`,
          npm_config_userconfig: `${folder}/npmrc`,
          npm_config_cache: `${folder}/npm`,
          ...env,
        },
      }).output();
    try {
      assertEquals([(await release([])).code, published], [0, []]);
      const tag = { GITHUB_REF_TYPE: "tag", GITHUB_REF_NAME: "v0.0.0" };
      assertEquals([(await release(["--publish"], tag)).code, published], [1, []]);
      const { code, stderr } = await release(["--publish"]);
      assertEquals(code, 0, new TextDecoder().decode(stderr));
      const { name, version } = manifest;
      const files = [`${name}-${version}.tgz`];
      assertEquals(published, [{ token: "Bearer token", name, files }]);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);

Deno.test("the release workflow publishes tags only, and the README of the package names its command", async () => {
  const { jobs: { release }, on } = await read(".github/workflows/release.yml");
  assertEquals(on.push, { tags: ["v*"] });
  for (const { run = "", uses = "", if: condition = "", env } of release.steps) {
    if (run.includes("release.sh")) assertEquals(env.NPM_CONFIG_PROVENANCE, "true");
    if (/release create|attest/.test(`${run}${uses}`)) {
      assertEquals(condition, "github.ref_type == 'tag'");
    }
  }
  const readme = await Deno.readTextFile(new URL("src/cli/package/README.md", root));
  assert(readme.includes("{name} check") && !readme.includes("npx"));
  const steps = JSON.stringify((await read(".github/action/action.yml")).runs.steps);
  assert(steps.includes(`/.bin/${manifest.name} check`) && !steps.includes("npx"));
});
