import { assert, assertEquals } from "@std/assert";
import { parse } from "yaml";
import manifest from "../../deno.json" with { type: "json" };
import { HAS_NODE } from "../support/installed_package.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => Deno.readTextFile(new URL(path, root));

Deno.test(
  "release.sh publishes the tarball with the token only where told to, and never under another tag",
  // It is for the runners of CI.
  { ignore: Deno.build.os !== "linux" || !HAS_NODE },
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
  const { jobs: { release }, on } = parse(await read(".github/workflows/release.yml"));
  assertEquals(on.push, { tags: ["v*"] });
  for (const { run = "", uses = "", if: condition = "", env } of release.steps) {
    if (run.includes("release.sh")) assertEquals(env.NPM_CONFIG_PROVENANCE, "true");
    if (/release create|attest/.test(`${run}${uses}`)) {
      assertEquals(condition, "github.ref_type == 'tag'");
    }
  }
  const readme = await read("src/cli/package/README.md");
  assert(readme.includes("{name} check") && !readme.includes("npx"));
});
