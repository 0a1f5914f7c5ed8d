import { assert, assertEquals, assertMatch } from "@std/assert";
import { parse } from "yaml";
import manifest from "../../deno.json" with { type: "json" };
import { startLab } from "../lab/lab.ts";
import { labEnv, proxyEnv } from "../lab/lab_env.ts";

const root = new URL("../../", import.meta.url);
const read = async (path: string) => parse(await Deno.readTextFile(new URL(path, root)));

/** The scripts are for the runners of CI. */
const ignore = Deno.build.os !== "linux";

Deno.test("the action gives its script each variable that it reads, and no input in its text", async () => {
  const { runs: { steps: [step] }, inputs } = await read(".github/action/action.yml");
  assertEquals(step.run.includes("${{"), false);
  const values = Object.values<string>(step.env).join(" ");
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

Deno.test({
  name:
    "the action reports a name that becomes available, taken or unknown, and fails where told to",
  ignore,
  async fn() {
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
});

Deno.test("the release workflow publishes tags only, and the README of the package names its command", async () => {
  const { jobs: { release }, on } = await read(".github/workflows/release.yml");
  assertEquals(on.push, { tags: ["v*"] });
  for (const { run = "", uses = "", if: condition = "" } of release.steps) {
    if (/release create|attest/.test(`${run}${uses}`)) {
      assertEquals(condition, "github.ref_type == 'tag'");
    }
  }
  const readme = await Deno.readTextFile(new URL("src/cli/package/README.md", root));
  assert(readme.includes(`npx ${manifest.name} check`));
  const action = await read(".github/action/action.yml");
  assert(action.runs.steps[0].env.COMMAND.includes(` ${manifest.name}@`));
});
