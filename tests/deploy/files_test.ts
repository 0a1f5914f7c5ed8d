import { existsSync } from "node:fs";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { parse } from "yaml";
import { startLab } from "../lab/lab.ts";
import { startProcess } from "../support/process.ts";
import { type Json, startService } from "../support/service.ts";
import { ourFiles, root } from "../support/source_files.ts";
import { until } from "../support/until.ts";

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
  const known = [...config.matchAll(/^ {2}(?<name>[A-Z_0-9]+): /gm)].map(({ groups }) =>
    groups?.name
  );
  const named = [
    ...Object.keys(compose.services.domains.environment),
    ...[...dockerfile.matchAll(/^ENV (?<name>\w+)=/gm)].map(({ groups }) => groups?.name),
    ...[...unit.matchAll(/^Environment=(?<all>.+)$/gm)].flatMap(({ groups }) =>
      groups?.all?.split(" ").map((one) => one.split("=")[0])
    ),
  ];
  assert(named.length >= 6);
  assertEquals(named.filter((name) => !known.includes(name) && !OF_DENO.includes(`${name}`)), []);
});

Deno.test("the deployment files name files and folders of the repository", () => {
  const copied = [...dockerfile.matchAll(/^COPY (?<paths>.+) \S+$/gm)]
    .flatMap(({ groups }) => groups?.paths?.split(" ") ?? []);
  assertEquals(copied.length, 6);
  const installed = [dockerfile, unit].flatMap((text) =>
    [...text.matchAll(/--entrypoint (?<paths>.+)$/gm)].flatMap(({ groups }) =>
      groups?.paths?.split(" ") ?? []
    )
  );
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
  const images = Object.values<{ image?: string }>(compose.services).flatMap(({ image }) =>
    image ?? []
  );
  assertEquals(images.length, 2);
  for (const image of images) assertMatch(image, /:\d/);
});

Deno.test("the alerts and the dashboard name metrics of the service, with labels that they have", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  await service.check("taken.com");
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const known = [...text.matchAll(/^# TYPE (?<name>\S+)/gm)].map(({ groups }) => groups?.name);
  const { groups } = parse(await read("alerts.yaml"));
  const { panels } = JSON.parse(await read("grafana.json"));
  const expressions: string[] = [
    ...groups[0].rules.map(({ expr }: Json) => expr),
    ...panels.flatMap(({ targets }: Json) => targets.map(({ expr }: Json) => expr)),
  ];
  assert(expressions.length > 20);
  for (const expression of expressions) {
    const [name = "up"] = /availability_\w+/.exec(expression) ?? [];
    const family = name.replace(/_(?:bucket|count)$/, "");
    assert(family === "up" || known.includes(family), expression);
  }
});

Deno.test("operate.md explains every event that the service reports", async () => {
  const book = await Deno.readTextFile(new URL(".github/docs/operate.md", root));
  const reports = /\b(?:log\.(?:warn|error)|report(?:Fault)?)\(\s*"(?<event>[^"]+)"/g;
  const events = ourFiles().flatMap((file) =>
    [...Deno.readTextFileSync(file).matchAll(reports)].map(({ groups }) => groups?.event ?? "")
  );
  assert(events.length > 15);
  assertEquals(events.filter((event) => !book.includes(`\`${event}\``)), []);
});

for (const [file, command] of Object.entries(COMMANDS)) {
  Deno.test(`the command and the permissions in ${file} are enough for the service`, async () => {
    const data = await Deno.makeTempDir();
    await using lab = await startLab();
    const args = command.map((arg) => arg.replace(/\/data|\/var\/lib\/domains/, data));
    assert(args.join(" ") !== command.join(" "));
    await using service = await startProcess(lab, {
      KV_PATH: `${data}/kv.sqlite3`,
      ETH_RPC_URLS: "http://127.0.0.1:1/",
    }, { args });
    const paths = [
      ...["/check?name=free&tld=com", "/check?name=taken&tld=com", "/register?domain=a.com"],
      ...["/", "/search?q=taken", "/static/app.js", "/docs", "/openapi.yaml", "/llms.txt"],
      // This lab has no Ethereum node; what asks one is read all the same.
      "/v1/ens/check?name=abc",
    ];
    for (const path of paths) {
      const response = await fetch(`${service.url}${path}`);
      await response.body?.cancel();
      assertEquals([path, response.status], [path, path.startsWith("/v1/ens") ? 500 : 200]);
    }
    // On a busy machine KV may miss a deadline once; the service then waits five seconds before it retries.
    await until("KV answers", async () => {
      const response = await fetch(`${service.url}/health/ready`);
      await response.body?.cancel();
      return response.ok;
    });
    const faults = service.events.filter(({ level, text }) =>
      level === "error" || /requires|NotCapable/i.test(`${text ?? ""}`)
    );
    assertEquals(faults, []);
    assert((await Deno.stat(`${data}/kv.sqlite3`)).size > 0);
    service.kill("SIGTERM");
    assertEquals((await service.status).code, 0);
  });
}
