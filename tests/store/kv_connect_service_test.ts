import { assertEquals } from "@std/assert";
import { startKvConnect } from "../lab/kv_connect/kv_connect.ts";
import { startLab } from "../lab/lab.ts";
import { startProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

interface Answers {
  readonly results: readonly { readonly source: string }[];
}

async function sourceAt(url: string, name: string): Promise<string | undefined> {
  const response = await fetch(`${url}/check?name=${name}&tld=com`);
  const { results }: Answers = await response.json();
  return results[0]?.source;
}

async function kvStateAt(url: string): Promise<string> {
  const { checks } = await (await fetch(`${url}/health`)).json();
  return checks.kv;
}

Deno.test("processes 40 ms from KV Connect share one cache, and report that KV works", async () => {
  await using server = startKvConnect({ roundTripMs: 40 });
  await using lab = await startLab();
  await using one = await startProcess(lab, server.env);
  await using two = await startProcess(lab, server.env);
  // On a busy machine KV may be late once: that costs an answer its place in the cache, and KV a pause.
  let tries = 0;
  await until("the second process answers from what the first one found", async () => {
    const name = `undelegated-${tries++}`;
    lab.script(name, { dns: "nxdomain", rdap: "registeredUndelegated" });
    assertEquals(await sourceAt(one.url, name), "rdap");
    await until("it is written", () =>
      server.commits.some(({ mutations }) => {
        return mutations.some(({ key }) => key.join() === `domain,${name}`);
      }));
    if (await sourceAt(two.url, name) !== "rdap+cache") return false;
    return await kvStateAt(one.url) === "ok" && await kvStateAt(two.url) === "ok";
  });
});

Deno.test("a process does not start when KV Connect refuses its token, and reports it in one line", async () => {
  await using server = startKvConnect();
  await using lab = await startLab();
  const { KV_PATH } = server.env;
  const started = startProcess(lab, { KV_PATH, DENO_KV_ACCESS_TOKEN: "another-token-of-the-lab" });
  const why = await started.then(() => "started", String);
  assertEquals(
    why.match(/Cannot start: cannot open KV at KV_PATH=.*Invalid access token/)?.length,
    1,
    why,
  );
});
