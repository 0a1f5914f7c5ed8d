import { assert, assertEquals } from "@std/assert";
import { parse } from "yaml";
import manifest from "../../deno.json" with { type: "json" };
import { createFolder } from "../support/folder.ts";
import { startHttpServer } from "../support/http_server.ts";
import { HAS_NODE } from "../support/installed_package.ts";
import { outcome } from "../support/outcome.ts";
import { root } from "../support/source_files.ts";

const read = (path: string) => Deno.readTextFile(new URL(path, root));

Deno.test(
  "release.sh publishes the tarball with the token only where told to, and never under another tag",
  // It is for the runners of CI.
  { ignore: Deno.build.os !== "linux" || !HAS_NODE },
  async () => {
    await using folder = await createFolder();
    const { path } = folder;
    const published: { token: string | null; name: string; files: string[] }[] = [];
    await using registry = startHttpServer(async (request) => {
      if (request.method !== "PUT") return Response.json({}, { status: 404 });
      const { name, _attachments } = await request.json();
      const token = request.headers.get("authorization");
      published.push({ token, name, files: Object.keys(_attachments) });
      return Response.json({ ok: true }, { status: 201 });
    });
    // In place of the Deno that npx would fetch stands the one that runs the test.
    const npx = `#!/bin/sh\nshift 2\nexec ${Deno.execPath()} "$@"\n`;
    await Deno.writeTextFile(`${path}/npx`, npx, { mode: 0o755 });
    const release = (args: string[], tag = { GITHUB_REF_TYPE: "" }) => {
      const env = {
        PATH: `${path}:${Deno.env.get("PATH")}`,
        NODE_AUTH_TOKEN: "token",
        npm_config_registry: `${registry.url}/`,
        npm_config_userconfig: `${path}/npmrc`,
        npm_config_cache: `${path}/npm`,
        ...tag,
      };
      const options = { args: [`${path}/dist`, ...args], cwd: root, env };
      return outcome(new Deno.Command(".github/release.sh", options));
    };
    assertEquals([(await release([])).code, published], [0, []]);
    const tag = { GITHUB_REF_TYPE: "tag", GITHUB_REF_NAME: "v0.0.0" };
    assertEquals([(await release(["--publish"], tag)).code, published], [1, []]);
    const { code, err } = await release(["--publish"]);
    assertEquals(code, 0, err);
    const { name, version } = manifest;
    assertEquals(published, [{ token: "Bearer token", name, files: [`${name}-${version}.tgz`] }]);
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
