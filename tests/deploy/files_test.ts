import { existsSync } from "node:fs";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parse } from "yaml";
import { startLab } from "../lab/lab.ts";
import { fetchText } from "../support/fetch_text.ts";
import { createFolder } from "../support/folder.ts";
import { testsOnLab } from "../support/on_lab.ts";
import { startProcess } from "../support/process.ts";
import type { Json } from "../support/service.ts";
import { ourFiles, root } from "../support/source_files.ts";
import { until } from "../support/until.ts";

const test = testsOnLab();
const folder = new URL(".github/deploy/", root);
const read = (name: string) => Deno.readTextFile(new URL(name, folder));

const dockerfile = await read("Dockerfile");
const compose = parse(await read("compose.yaml"));
const unit = await read("domains.service");

/** Variables that are Deno's own. */
const OF_DENO = ["DENO_DIR", "DENO_KV_ACCESS_TOKEN"];

/** The arguments after `deno` of the container's and of the unit's command. */
const COMMANDS = {
  Dockerfile: JSON.parse(/^CMD (.+)$/m.exec(dockerfile)?.[1] ?? "[]") as string[],
  "domains.service": /^ExecStart=\S+\/deno (.+)$/m.exec(unit)?.[1]?.split(" ") ?? [],
};

Deno.test("the deployment files name variables that the configuration or Deno reads", async () => {
  const config = await Deno.readTextFile(new URL("src/config.ts", root));
  const known = [...config.match(/(?<=^ {2})[A-Z_0-9]+(?=: )/gm) ?? [], ...OF_DENO];
  const named = [
    ...Object.keys(compose.services.domains.environment),
    ...dockerfile.match(/(?<=^ENV )\w+(?==)/gm) ?? [],
    ...unit.match(/(?<=^Environment=(?:.* )?)\w+(?==)/gm) ?? [],
  ];
  assert(named.length >= 6);
  assertEquals(named.filter((name) => !known.includes(name)), []);
});

Deno.test("the deployment files name files and folders of the repository", () => {
  const copied = dockerfile.match(/(?<=^COPY (?:.* )?)\S+(?= )/gm) ?? [];
  assertEquals(copied.length, 6);
  const installed = `${dockerfile}\n${unit}`.match(/(?<=--entrypoint (?:.* )?)\S+/g) ?? [];
  assertEquals(installed.length, 4);
  for (const path of [...copied, ...installed]) assert(existsSync(new URL(path, root)), path);
  const { domains, proxy } = compose.services;
  const context = new URL(`${domains.build.context}/`, folder);
  assertEquals(context.href, root.href);
  assert(existsSync(new URL(domains.build.dockerfile, context)));
  assert(existsSync(new URL(proxy.volumes[0].split(":")[0], folder)));
});

Deno.test("the deployment files run the version of Deno that README names, and images with a version", async () => {
  const readme = await Deno.readTextFile(new URL("README.md", root));
  const version = /deno@(?<version>[\d.]+)/.exec(readme)?.groups?.version;
  assertMatch(dockerfile, new RegExp(`^FROM denoland/deno:${version}$`, "m"));
  const images = Object.values<Json>(compose.services).flatMap(({ image }) => image ?? []);
  assertEquals(images.map((image) => /:\d/.test(image)), [true, true]);
});

test("the alerts and the dashboard name metrics of the service, with labels that they have", async ({ url }) => {
  // What the page sends while a name is typed, and what it does not wait for any more, are no unknown answers.
  await fetchText(`${url}/check?name=free-for-you&tld=com&depth=dns`);
  const { text } = await fetchText(`${url}/metrics`);
  assertStringIncludes(text, 'availability_unknown_total{tld="com",reason="dns_only"} 1');
  const known = text.match(/(?<=^# TYPE )\S+/gm) ?? [];
  const { groups } = parse(await read("alerts.yaml"));
  const { panels } = JSON.parse(await read("grafana.json"));
  const expressions: string[] = [
    ...groups[0].rules.map(({ expr }: Json) => expr),
    ...panels.flatMap(({ targets }: Json) => targets.map(({ expr }: Json) => expr)),
  ];
  assert(expressions.length > 20);
  const { expr } = groups[0].rules.find(({ alert }: Json) => alert === "DomainsManyUnknown");
  assertStringIncludes(expr, 'availability_unknown_total{reason!~"dns_only|cancelled"}');
  for (const expression of expressions) {
    const [name = "up"] = /availability_\w+/.exec(expression) ?? [];
    const family = name.replace(/_(?:bucket|count)$/, "");
    assert(["up", ...known].includes(family), expression);
  }
});

Deno.test("operate.md explains every event that the service reports", async () => {
  const book = await Deno.readTextFile(new URL(".github/docs/operate.md", root));
  const reported = /(?<=\b(?:log\.(?:warn|error)|report(?:Fault)?)\(\s*")[^"]+/g;
  const events = ourFiles().flatMap((file) => Deno.readTextFileSync(file).match(reported) ?? []);
  assert(events.length > 15);
  assertEquals(events.filter((event) => !book.includes(`\`${event}\``)), []);
});

for (const [file, command] of Object.entries(COMMANDS)) {
  Deno.test(`the command and the permissions in ${file} are enough for the service`, async () => {
    await using data = await createFolder();
    await using lab = await startLab();
    const args = command.map((arg) => arg.replace(/\/data|\/var\/lib\/domains/, data.path));
    assert(args.join(" ") !== command.join(" "));
    const env = { KV_PATH: `${data.path}/kv.sqlite3`, ETH_RPC_URLS: "http://127.0.0.1:1/" };
    await using service = await startProcess(lab, env, { args });
    const paths = [
      ...["/check?name=free&tld=com", "/check?name=taken&tld=com", "/register?domain=a.com"],
      ...["/", "/search?q=taken", "/static/app.js", "/docs", "/openapi.yaml", "/llms.txt"],
      // This lab has no Ethereum node; what asks one is read all the same.
      "/v1/ens/check?name=abc",
    ];
    for (const path of paths) {
      const { status } = await fetchText(`${service.url}${path}`);
      assertEquals(status, path.startsWith("/v1/ens") ? 500 : 200, path);
    }
    // On a busy machine KV may miss a deadline once; the service then waits five seconds before it retries.
    const isReady = async () => (await fetchText(`${service.url}/health/ready`)).status === 200;
    await until("KV answers", isReady);
    const faults = service.events.filter(({ level, text }) =>
      level === "error" || /requires|NotCapable/i.test(`${text ?? ""}`)
    );
    assertEquals(faults, []);
    assert((await Deno.stat(env.KV_PATH)).size > 0);
    service.kill("SIGTERM");
    assertEquals((await service.status).code, 0);
  });
}
