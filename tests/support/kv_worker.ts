/**
 * One of several processes on one KV file: `<kv file> <key>`. It adds 1 to its entry 100 times, and prints what the entry
 * is then and how often it failed.
 */
import { changeEntry } from "../../src/store/guarded_kv.ts";
import { guarded } from "./on_kv.ts";

const [path = "", key = ""] = Deno.args;
const COUNT = 100;
const kv = await Deno.openKv(path);
const guard = guarded(kv);
const next = (kept = 0) => kept + 1;
let failures = 0;
for (let n = 0; n < COUNT; n++) {
  const entry = await changeEntry<number>(guard, [key], { next });
  if (entry === undefined) failures++;
}
const { value } = await kv.get([key]);
await guard.settled();
kv.close();
Deno.stdout.writeSync(new TextEncoder().encode(`${value ?? 0} ${failures}\n`));
