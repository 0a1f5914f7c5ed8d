import { assertEquals, assertMatch } from "@std/assert";
import { startLab } from "../lab/lab.ts";
import { labEnv, proxyEnv } from "../lab/lab_env.ts";
import { endlessNames, startCli } from "../support/cli.ts";
import { createFolder } from "../support/folder.ts";
import { createKvFile } from "../support/kv_file.ts";
import { outcome, withoutWait } from "../support/outcome.ts";
import { startProcess } from "../support/process.ts";
import { root } from "../support/source_files.ts";
import { until } from "../support/until.ts";

const decoder = new TextDecoder();

/** Reads until the text includes `enough`. */
async function readUntil(stream: ReadableStream<Uint8Array>, enough: string): Promise<string> {
  let text = "";
  for await (const chunk of stream.values({ preventCancel: true })) {
    text += decoder.decode(chunk);
    if (text.includes(enough)) break;
  }
  return text;
}

Deno.test("deno task check exits 0 without a message when the reader of an endless run or list closes the pipe", async () => {
  await using lab = await startLab();
  const runs = [["--ndjson", /^\{"domain":"name-/], ["--dry-run", /^name-/]] as const;
  for (const [option, first] of runs) {
    const child = startCli(lab, [option], { stdin: "piped" });
    const writing = endlessNames().pipeTo(child.stdin).catch(() => {});
    const stderr = new Response(child.stderr).text();
    assertMatch(await readUntil(child.stdout, "\n"), first);
    await child.stdout.cancel();
    assertEquals([(await child.status).code, withoutWait(await stderr)], [0, ""]);
    await writing;
  }
});

Deno.test("deno task check reports a full disk in one line", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  const command = new Deno.Command("sh", {
    args: ["-c", `exec "$0" task --quiet check --help > /dev/full`, Deno.execPath()],
    cwd: root,
  });
  const { code, err } = await outcome(command);
  assertEquals(code, 1);
  assertMatch(err, /^Cannot write: [^\n]+\n$/);
});

Deno.test("deno task check reads names from a pipe, and writes no colour and no progress into pipes", async () => {
  await using lab = await startLab({ dnsDelayMs: 800 });
  const child = startCli(lab, ["--tld", "com"], { stdin: "piped" });
  await ReadableStream.from(["taken\n# no\n", "foo_b", "ar\r\nundelegated"])
    .pipeThrough(new TextEncoderStream()).pipeTo(child.stdin);
  const { code, out, err } = await outcome(child);
  assertEquals([code, out.includes("\x1b")], [1, false]);
  assertMatch(err, /^stdin:3: foo_bar: Use 1 to 63 letters[^\n]+\n$/);
  assertMatch(out, /^2 domains in \d\.\d s: 2 taken; 1 invalid line skipped$/m);
});

Deno.test("deno task check tells the prices that KV has, and the built-in ones of other TLDs", async () => {
  await using lab = await startLab();
  await using file = await createKvFile();
  using kv = await file.open();
  await kv.set(["prices"], new Map([["com", { usd: 9, renewUsd: 9, asOf: "2026-11-01" }]]));
  const columns = "domain,firstYearUsd";
  const args = ["free-for-you", "--tld", "com,net", "--csv", "--columns", columns, "--sort", "tld"];
  const { out } = await outcome(startCli(lab, args, { env: { KV_PATH: file.path } }));
  assertEquals(out.trim().split("\r\n"), [columns, "free-for-you.com,9", "free-for-you.net,12.52"]);
});

Deno.test("deno task check reads --file relative to the folder in which the user runs it", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using lab = await startLab();
  await using folder = await createFolder();
  await Deno.writeTextFile(`${folder.path}/names.txt`, "taken.com\n");
  const task = [Deno.execPath(), "task", "--quiet", "--config", `${root.pathname}deno.json`];
  const command = new Deno.Command("env", {
    // `deno task test` has set it for this process, and `deno task` keeps it.
    args: ["-u", "INIT_CWD", ...task, "check", "--file", "names.txt", "--ndjson"],
    cwd: folder.path,
    env: { ...labEnv(lab), ...proxyEnv(lab) },
  });
  const { code, out, err } = await outcome(command);
  assertEquals([code, err], [0, ""]);
  assertEquals(JSON.parse(out).domain, "taken.com");
});

Deno.test("deno task check completes the JSON on Ctrl-C and on SIGTERM, with the summary on stderr", async () => {
  await using lab = await startLab();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const child = startCli(lab, ["--json", "--tld", "com"], { stdin: "piped" });
    const names = child.stdin.getWriter();
    await names.write(new TextEncoder().encode("taken\n"));
    let out = await readUntil(child.stdout, "taken.com");
    child.kill(signal);
    for await (const chunk of child.stdout) out += decoder.decode(chunk);
    assertEquals(JSON.parse(out).length, 1);
    assertMatch(await new Response(child.stderr).text(), /^Interrupted: 1 domain in/);
    assertEquals((await child.status).code, 130);
    await names.close().catch(() => {});
  }
});

Deno.test("deno task check tells which TLDs of the configuration cannot be checked", async () => {
  await using lab = await startLab();
  const env = { TLDS: "com,nope" };
  const { code, out, err } = await outcome(startCli(lab, ["taken", "--ndjson"], { env }));
  assertEquals([code, JSON.parse(out).domain], [0, "taken.com"]);
  assertEquals(err, "No RDAP server is known for nope, which TLDS names\n");
});

Deno.test("deno task check treats two signals at once as one Ctrl-C, and exits at once on a later one", async () => {
  await using lab = await startLab();
  const child = startCli(lab, ["--ndjson"], { stdin: "piped" });
  let taken = 0;
  const names = endlessNames(() => {
    taken++;
    return "taken.com\n".repeat(1_000);
  });
  const writing = names.pipeTo(child.stdin).catch(() => {});
  await readUntil(child.stdout, "\n");
  // stdout is no longer read, so the run cannot end once the pipes are full.
  for (let before = -1; before !== taken;) {
    before = taken;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  let ended = false;
  const status = child.status.then((status) => (ended = true, status));
  child.kill("SIGINT");
  child.kill("SIGINT");
  await new Promise((resolve) => setTimeout(resolve, 700));
  assertEquals(ended, false);
  // A busy machine may have handled the first two later than they were sent, so that one more counts as the same key.
  await until("a later signal ends the run", () => {
    try {
      if (!ended) child.kill("SIGINT");
    } catch (error) {
      // It has ended, and its status is not known here yet.
      if (!(error instanceof TypeError)) throw error;
    }
    return ended;
  });
  assertEquals((await status).code, 130);
  await child.stdout.cancel();
  await child.stderr.cancel();
  await writing;
});

Deno.test("deno task check shares KV with a running server", async () => {
  await using lab = await startLab();
  await using file = await createKvFile();
  const env = { KV_PATH: file.path };
  await using service = await startProcess(lab, env);
  for (const _ of [1, 2]) {
    await (await fetch(`${service.url}/check?name=free-name&tld=com`)).body?.cancel();
  }
  const args = ["free-name", "another-name", "--tld", "com", "--json"];
  const { code, out, err } = await outcome(startCli(lab, args, { env }));
  assertEquals([code, err], [0, ""]);
  const sources = JSON.parse(out)
    .map(({ domain, source }: Record<string, string>) => `${domain} ${source}`);
  assertEquals(sources.toSorted(), ["another-name.com rdap", "free-name.com rdap+cache"]);
});
