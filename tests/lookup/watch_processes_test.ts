import { assertEquals } from "@std/assert";
import { startLab } from "../lab/lab.ts";
import type { NameScript } from "../lab/names.ts";
import { createKvFile } from "../support/kv_file.ts";
import { parseAtom } from "../support/parse_feeds.ts";
import { startProcess } from "../support/process.ts";

const STEPS: readonly (readonly [title: string, script: NameScript])[] = [
  ["registered", { dns: "delegated", rdap: "registered" }],
  ["deleted; its holder can still restore it", { dns: "nxdomain", rdap: "redemption" }],
  ["available", { dns: "nxdomain", rdap: "free" }],
];

Deno.test("two processes that see each step at once have it in the feed once and in order, also where both are killed as they read", async () => {
  await using lab = await startLab();
  await using file = await createKvFile();
  const env = { KV_PATH: file.path, TLDS: "com" };
  const told: string[] = [];
  for (const [title, script] of STEPS) {
    lab.script("watched", script);
    told.unshift(`watched.com: ${title}`);
    {
      using kv = await file.open();
      // As when an hour has passed: both processes look the name up again.
      await kv.delete(["domain", "watched"]);
    }
    await using one = await startProcess(lab, env);
    await using two = await startProcess(lab, env);
    const read = async ({ url }: { url: string }) => {
      const response = await fetch(`${url}/watch.atom?domains=watched.com`);
      return parseAtom(await response.text()).map(({ title }) => title);
    };
    // Neither waits for the other; the first is killed while it may be writing.
    const dying = Promise.allSettled([read(one), read(one)]);
    const living = Promise.all([read(two), read(two)]);
    await Promise.race([dying, living]);
    one.kill("SIGKILL");
    await Promise.all([dying, living]);
    assertEquals(await read(two), told);
    two.kill("SIGKILL");
  }
});
