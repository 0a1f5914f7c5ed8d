import { assert, assertEquals, assertMatch } from "@std/assert";
import { JOBS } from "../cron/jobs.ts";
import { type Lab, startLab } from "./lab/lab.ts";
import { START_ARGS } from "./lab/lab_env.ts";
import { NETWORKS } from "./support/ask_from_networks.ts";
import { fetchText } from "./support/fetch_text.ts";
import { createFolder } from "./support/folder.ts";
import { createKvFile } from "./support/kv_file.ts";
import { outcome } from "./support/outcome.ts";
import { postJson } from "./support/post_json.ts";
import { freePort, startProcess } from "./support/process.ts";
import type { Json } from "./support/service.ts";
import { root } from "./support/source_files.ts";
import { until, within } from "./support/until.ts";

async function check(url: string, domain: string): Promise<Json> {
  const [name, tld] = domain.split(".");
  const { text } = await fetchText(`${url}/check?name=${name}&tld=${tld}`);
  return JSON.parse(text).results[0];
}

async function registryAsked(lab: Lab, domain: string): Promise<void> {
  const isAsked = () => lab.requests.some(({ path }) => path.endsWith(`/${domain}`));
  await until(`the registry is asked for ${domain}`, isAsked);
}

Deno.test("main.ts exits with 1 and one line when a value is invalid, or KV or the port cannot be opened", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  // deno-fmt-ignore -- a table
  const cases: [Record<string, string>, RegExp][] = [
    [{ PORT: "http" }, /^Cannot start: PORT is invalid: got "http", expected a port from 0 to 65535\n$/],
    [{ KV_PATH: "/dev/null/kv", PORT: "0" }, /^Cannot start: cannot open KV at KV_PATH="\/dev\/null\/kv" \(a path, :memory: or a URL\): [^\n]+\n$/],
    [{ PORT: `${taken.addr.port}`, HOST: "127.0.0.1" }, /^Cannot start: cannot listen on HOST="127\.0\.0\.1" \(a name or an IP address\) PORT="\d+": [^\n]*in use[^\n]*\n$/],
  ];
  for (const [env, log] of cases) {
    const options = { args: [...START_ARGS], cwd: root, env: { KV_PATH: ":memory:", ...env } };
    const { code, err } = await outcome(new Deno.Command(Deno.execPath(), options));
    assertEquals(code, 1);
    assertMatch(err, log);
  }
});

Deno.test("main.ts warns in one line of variables of registrars that are gone, and starts", async () => {
  await using lab = await startLab();
  await using service = await startProcess(lab, { ASK_VERCEL: "1", GODADDY_API_KEY: "hush" });
  const warned = service.events.filter(({ event }) => event === "config.ignored");
  assertEquals(warned.map(({ variables }) => variables), [["ASK_VERCEL", "GODADDY_API_KEY"]]);
});

// `deno task` passes a SIGINT on that the terminal has sent already.
for (const signals of [["SIGINT"], ["SIGTERM"], ["SIGINT", "SIGINT"]] as const) {
  Deno.test(`${signals.join(", then ")} lets requests in flight finish, closes KV and exits with 0, all of it logged to stderr in JSON`, async () => {
    await using lab = await startLab();
    await using service = await startProcess(lab, { LOG_LEVEL: "debug" });
    lab.script("slow.com", { dns: "nxdomain", rdap: "free", delayMs: 1_000 });
    const answer = check(service.url, "slow.com");
    await registryAsked(lab, "slow.com");
    for (const signal of signals) {
      service.kill(signal);
      await service.logged("draining");
    }
    assertEquals((await answer).available, true);
    assertEquals((await service.status).code, 0);
    assertEquals(service.events.at(-1)?.event, "stopped");
    assertEquals([service.stdout, service.stderr.filter(({ level }) => !level)], [[], []]);
  });
}

Deno.test("a shutdown answers a look-up that would outlast it as unknown, drops a half-sent request and writes the counts", async () => {
  await using lab = await startLab();
  lab.script("stuck.com", { dns: "nxdomain", rdap: "silent" });
  await using file = await createKvFile();
  await using service = await startProcess(lab, { KV_PATH: file.path, TRUSTED_PROXIES: "1" });
  using connection = await Deno.connect({
    hostname: "127.0.0.1",
    port: Number(new URL(service.url).port),
  });
  const half = "POST /mcp/ HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{";
  await connection.write(new TextEncoder().encode(half));
  // Connections are accepted in order: once a later one is answered, this one was accepted.
  for (const address of NETWORKS) {
    const headers = { "x-forwarded-for": address };
    await fetchText(`${service.url}/check?name=taken&tld=com`, { headers });
  }
  const asked = check(service.url, "stuck.com");
  await registryAsked(lab, "stuck.com");
  const names = Array.from({ length: 20 }, (_, number) => `queued-${number}.dev`);
  const post = postJson({ names }, { accept: "application/x-ndjson" });
  const list = await fetch(`${service.url}/check`, post);
  service.kill("SIGTERM");
  const { status, error } = await asked;
  assertEquals(status, ["unknown"]);
  assertMatch(error, /shutting down/);
  const rows = (await list.text()).trimEnd().split("\n").map((row) => JSON.parse(row));
  assertEquals([rows.length, rows.at(-1).count], [21, 20]);
  const queued = rows.filter(({ state }) => state === "unknown");
  assert(queued.length > 10, JSON.stringify(rows));
  assertEquals(queued.filter(({ retryAfter }) => !(retryAfter > 0)), []);
  for (const { error } of queued) assertMatch(error, /The service is shutting down.*; retry in /);
  assertEquals((await service.status).code, 0);
  assertEquals(service.events.at(-1)?.event, "stopped");
  using kv = await file.open();
  assert((await kv.get(["popular", "domain"])).value !== null);
});

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  Deno.test(`the rate limit's window continues after ${signal} and a restart`, async () => {
    await using lab = await startLab();
    await using file = await createKvFile();
    for (const expected of [["200 4", "200 3", "200 2"], ["200 1", "200 0", "429 0"]]) {
      await using service = await startProcess(lab, { KV_PATH: file.path, RATE_LIMIT: "5" });
      for (const answer of expected) {
        const { status, headers } = await fetchText(`${service.url}/tlds`);
        assertEquals(`${status} ${headers.get("x-ratelimit-remaining")}`, answer);
      }
      service.kill(signal);
      await service.status;
    }
  });
}

Deno.test("deno task demo describes itself in its first line, names its address in the last one, and answers", async () => {
  const port = freePort();
  await using demo = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "demo"],
    cwd: root,
    env: { PORT: `${port}` },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const reader = demo.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value: start = "" } = await within("the demo's first line", reader.read());
  assertMatch(start, /^This is the lab: [^\n]+\n[^]*undelegated +registered/);
  let text = "";
  while (!text.includes("\nOpen ")) {
    const { value, done } = await within("the demo names its address", reader.read());
    if (done) throw new Error(`The demo ended before it answered: ${text}`);
    text += `\n${value}`;
  }
  assertMatch(text, new RegExp(`\\nOpen http://localhost:${port} in a browser\\. [^\\n]+\\n$`));
  assertEquals((await check(`http://127.0.0.1:${port}`, "reserved.online")).state, "reserved");
  demo.kill("SIGTERM");
  await Promise.all([reader.cancel(), demo.stderr.cancel(), demo.status]);
});

/** Writes a line for each call of these functions, before it, and another once a job has run, which each does at once. */
const TOLD_CALLS = `for (const name of ["cron", "serve"]) {
  const own = Deno[name];
  const value = (...args) => {
    console.log(JSON.stringify({ event: name }));
    if (name === "cron") args.at(-1)().then(() => console.log('{"event":"ran"}'));
    return own(...args);
  };
  Object.defineProperty(Deno, name, { value });
}`;

Deno.test("main registers every job before it serves, as Deno Deploy refuses later ones, and off production's timeline none does anything", async () => {
  await using lab = await startLab();
  await using folder = await createFolder();
  const preload = `${folder.path}/preload.js`;
  await Deno.writeTextFile(preload, TOLD_CALLS);
  const [run = "", ...rest] = START_ARGS;
  await using process = await startProcess(lab, { LOG_LEVEL: "debug" }, {
    args: [run, `--preload=${preload}`, ...rest],
  });
  await process.logged("ran");
  assertEquals(process.events.filter(({ event }) => event === "job.started"), []);
  const calls = process.events.map(({ event }) => event)
    .filter((event) => event === "cron" || event === "serve");
  assertEquals(calls, [...JOBS.map(() => "cron"), "serve"]);
});
