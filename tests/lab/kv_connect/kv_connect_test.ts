/** The same cases on a local Deno KV, on the lab's KV Connect server, and on denokv where `DENOKV` names its binary. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { startDenokv } from "./denokv.ts";
import { startKvConnect } from "./kv_connect.ts";

/** A database of its own; each `openKv()` is another client of it. */
interface Database extends AsyncDisposable {
  openKv(): Promise<Deno.Kv>;
}

/** A kind of database. */
interface Backend {
  readonly name: string;
  readonly start: () => Promise<Database>;
  /** How many checks a commit may have. */
  readonly mostChecks: number;
  /** Whether it sums numbers and bigints of JavaScript besides 64-bit ones; denokv 0.14 answers 400. */
  readonly sumsJsNumbers: boolean;
}

async function startLocal(): Promise<Database> {
  const folder = await Deno.makeTempDir();
  return {
    openKv: () => Deno.openKv(`${folder}/kv`),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

const BACKENDS: Backend[] = [
  { name: "a local KV", start: startLocal, mostChecks: 100, sumsJsNumbers: true },
  {
    name: "the lab's KV Connect",
    start: () => Promise.resolve(startKvConnect()),
    mostChecks: 10,
    sumsJsNumbers: true,
  },
];
const binary = Deno.env.get("DENOKV");
if (binary !== undefined) {
  const start = () => startDenokv(binary);
  BACKENDS.push({ name: "denokv", start, mostChecks: 10, sumsJsNumbers: false });
}
Deno.test({
  name: "denokv takes the same cases (skipped where DENOKV does not name its binary)",
  ignore: binary === undefined,
  fn: () => assertEquals(BACKENDS.at(-1)?.name, "denokv"),
});

/** Runs a case on each backend, with one client of a new database. */
function onEach(
  name: string,
  run: (kv: Deno.Kv, database: Database, backend: Backend) => Promise<void>,
): void {
  for (const backend of BACKENDS) {
    Deno.test(`${name} (${backend.name})`, async () => {
      await using database = await backend.start();
      using kv = await database.openKv();
      await run(kv, database, backend);
    });
  }
}

async function keysOf(kv: Deno.Kv, selector: Deno.KvListSelector, options?: Deno.KvListOptions) {
  return (await Array.fromAsync(kv.list(selector, options))).map(({ key }) => key);
}

onEach("get() gives the value with the versionstamp of the commit that wrote it", async (kv) => {
  assertEquals(await kv.get(["a"]), { key: ["a"], value: null, versionstamp: null });
  const first = await kv.set(["a"], { n: 1 });
  assertEquals(await kv.get(["a"]), {
    key: ["a"],
    value: { n: 1 },
    versionstamp: first.versionstamp,
  });
  const second = await kv.set(["a"], { n: 2 });
  assert(second.versionstamp > first.versionstamp);
  assertEquals((await kv.get(["a"])).versionstamp, second.versionstamp);
  await kv.delete(["a"]);
  await kv.delete(["never there"]);
  assertEquals((await kv.get(["a"])).versionstamp, null);
});

onEach("get() gives values of every kind as they were set", async (kv) => {
  const values = [
    "text",
    "",
    0,
    -1.5,
    12n,
    true,
    null,
    undefined,
    new Date(0),
    new Map([["a", [1]]]),
    Uint8Array.of(0, 255),
    Float64Array.of(1e12, 3),
    new Deno.KvU64(2n ** 64n - 1n),
    { nested: { deep: ["x".repeat(60_000)] } },
  ];
  for (const [n, value] of values.entries()) await kv.set(["value", n], value);
  const entries = await Array.fromAsync(kv.list({ prefix: ["value"] }));
  assertEquals(entries.map(({ value }) => value), values);
});

onEach("list() sorts keys of every kind", async (kv) => {
  const keys: Deno.KvKey[] = [
    [Uint8Array.of()],
    [Uint8Array.of(0)],
    [Uint8Array.of(0, 1)],
    [Uint8Array.of(255)],
    [""],
    ["a"],
    ["a", "\u0000"],
    ["a", "b"],
    ["ä"],
    [-(2n ** 40n)],
    [-1n],
    [0n],
    [1n],
    [2n ** 63n],
    [-Infinity],
    [-1.5],
    [0],
    [1e300],
    [false],
    [true],
  ];
  for (const key of keys.toReversed()) await kv.set(key, 1);
  assertEquals(await keysOf(kv, { prefix: [] }), keys);
});

onEach("list() keeps to prefix, start, end, limit, direction and cursor", async (kv) => {
  for (let n = 0; n < 25; n++) await kv.set(["n", n], n);
  await kv.set(["m"], 1);
  await kv.set(["o", 1], 1);
  const numbers = async (selector: Deno.KvListSelector, options?: Deno.KvListOptions) =>
    (await keysOf(kv, selector, options)).map((key) => key[1]);
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
  const all = { prefix: ["n"] };
  assertEquals(await numbers(all), range(0, 25));
  assertEquals(await numbers(all, { batchSize: 4 }), range(0, 25));
  assertEquals(await numbers(all, { batchSize: 4, reverse: true }), range(0, 25).toReversed());
  assertEquals(await numbers(all, { limit: 7, batchSize: 3 }), range(0, 7));
  assertEquals(await numbers({ start: ["n", 3], end: ["n", 6] }), [3, 4, 5]);
  assertEquals(await numbers({ prefix: ["n"], start: ["n", 20] }), range(20, 25));
  assertEquals(await numbers({ prefix: ["n"], end: ["n", 2] }, { reverse: true }), [1, 0]);
  for (const reverse of [false, true]) {
    const page = kv.list(all, { limit: 10, reverse });
    const first = (await Array.fromAsync(page)).map(({ key }) => key[1]);
    const rest = await numbers(all, { cursor: page.cursor, reverse });
    const expected = reverse ? range(0, 25).toReversed() : range(0, 25);
    assertEquals([...first, ...rest], expected);
  }
  const between = (options?: Deno.KvListOptions) =>
    numbers({ start: ["n", 3], end: ["n", 6] }, options);
  await kv.set(["n", 3.5], 1);
  assertEquals(await between(), [3, 3.5, 4, 5]);
  await kv.delete(["n", 4]);
  assertEquals(await between({ limit: 3, batchSize: 3 }), [3, 3.5, 5]);
});

onEach("getMany() reads ten keys at one moment", async (kv) => {
  const keys = Array.from({ length: 10 }, (_, n): Deno.KvKey => ["k", n]);
  let stop = false;
  const writing = (async () => {
    for (let n = 0; !stop; n++) {
      const commit = kv.atomic();
      for (const key of keys) commit.set(key, n);
      await commit.commit();
    }
  })();
  for (let n = 0; n < 20; n++) {
    const entries = await kv.getMany(keys);
    assertEquals(new Set(entries.map(({ versionstamp }) => versionstamp)).size, 1);
  }
  stop = true;
  await writing;
  await assertRejects(() => kv.getMany([...keys, ["k", 10]]), TypeError);
});

onEach("commit() applies all of its mutations with one versionstamp, or none", async (kv) => {
  const made = await kv.atomic()
    .check({ key: ["a"], versionstamp: null })
    .set(["a"], 1).set(["b"], 2).set(["b"], 3).delete(["c"])
    .commit();
  assert(made.ok);
  const [a, b, c] = await kv.getMany([["a"], ["b"], ["c"]]);
  assertEquals([a.versionstamp, b.versionstamp], [made.versionstamp, made.versionstamp]);
  assertEquals([b.value, c.value], [3, null]);

  const absent = await kv.atomic().check({ key: ["a"], versionstamp: null }).set(["a"], 9).commit();
  assertEquals(absent, { ok: false });
  const half = await kv.atomic().check(a, { key: ["b"], versionstamp: null }).set(["d"], 9)
    .delete(["a"]).commit();
  assertEquals(half, { ok: false });
  assertEquals((await kv.getMany([["a"], ["d"]])).map(({ value }) => value), [1, null]);

  const next = await kv.atomic().check(a, b).set(["a"], 4).commit();
  assert(next.ok && next.versionstamp > made.versionstamp);
  assertEquals(await kv.atomic().check(a).set(["a"], 5).commit(), { ok: false });
  assert((await kv.atomic().commit()).ok);
});

onEach("commit() lets one of several clients pass that checked the same version", async (_, db) => {
  const clients = await Promise.all([db.openKv(), db.openKv(), db.openKv()]);
  const increment = async (kv: Deno.Kv) => {
    for (;;) {
      const entry = await kv.get<number>(["count"]);
      try {
        const next = (entry.value ?? 0) + 1;
        if ((await kv.atomic().check(entry).set(["count"], next).commit()).ok) return;
      } catch (error) {
        // Connections to one SQLite file keep each other out, and nothing was applied.
        if (!String(error).includes("database is locked")) throw error;
      }
    }
  };
  await Promise.all(clients.map(async (kv) => {
    for (let n = 0; n < 10; n++) await increment(kv);
  }));
  assertEquals((await clients[0]?.get(["count"]))?.value, 30);
  for (const kv of clients) kv.close();
});

onEach("sum(), min() and max() combine 64-bit numbers", async (kv) => {
  const valueOf = async (key: string) => (await kv.get<Deno.KvU64>([key])).value?.value;
  await kv.atomic().sum(["s"], 5n).min(["min"], 5n).max(["max"], 5n).commit();
  await kv.atomic().sum(["s"], 2n).min(["min"], 2n).max(["max"], 2n).commit();
  await kv.atomic().sum(["s"], 1n).min(["min"], 9n).max(["max"], 9n).sum(["s"], 1n).commit();
  assertEquals([await valueOf("s"), await valueOf("min"), await valueOf("max")], [9n, 2n, 9n]);
  await kv.atomic().sum(["s"], 2n ** 64n - 4n).commit();
  assertEquals(await valueOf("s"), 5n);
});

onEach("sum() adds numbers and bigints of JavaScript, or rejects", async (kv, _, backend) => {
  // deno-lint-ignore no-explicit-any -- Deno takes them, and its types know 64-bit numbers only
  const sum = (key: string, value: any) => kv.atomic().mutate({ type: "sum", key: [key], value });
  if (!backend.sumsJsNumbers) {
    for (const value of [5, 5n]) await assertRejects(() => sum("x", value).commit(), Error);
    return;
  }
  for (const value of [5, 1.5]) await sum("number", value).commit();
  for (const value of [5n, 2n ** 70n]) await sum("bigint", value).commit();
  assertEquals((await kv.get(["number"])).value, 6.5);
  assertEquals((await kv.get(["bigint"])).value, 5n + 2n ** 70n);
});

onEach("sum() rejects on a value that is no number", async (kv) => {
  await kv.set(["text"], "x");
  await assertRejects(() => kv.atomic().sum(["text"], 1n).commit(), Error, "non-U64");
  assertEquals((await kv.get(["text"])).value, "x");
});

onEach("set() can end its key with the versionstamp of its commit", async (kv) => {
  // deno-lint-ignore no-explicit-any -- Deno has the function, and its types do not
  const stamp = (kv as any).commitVersionstamp();
  const made = [await kv.set(["log", stamp], "a"), await kv.set(["log", stamp], "b")];
  assertEquals(
    await keysOf(kv, { prefix: ["log"] }),
    made.map(({ versionstamp }) => ["log", versionstamp]),
  );
});

onEach("set() with expireIn keeps the value until then", async (kv) => {
  await kv.set(["a"], 1, { expireIn: 60_000 });
  await kv.atomic().set(["b"], 1, { expireIn: 60_000 }).commit();
  assertEquals((await kv.getMany([["a"], ["b"]])).map(({ value }) => value), [1, 1]);
});

onEach("get() and list() read with eventual consistency too", async (kv) => {
  await kv.set(["a"], 1);
  assertEquals((await kv.get(["a"], { consistency: "eventual" })).value, 1);
  assertEquals(await keysOf(kv, { prefix: [] }, { consistency: "eventual" }), [["a"]]);
});

onEach("set() rejects a key over 2 KiB and a value over 64 KiB", async (kv) => {
  await assertRejects(() => kv.set(["x".repeat(2_047)], 1), TypeError);
  await assertRejects(() => kv.set(["a"], "x".repeat(65_537)), TypeError);
  await kv.set(["x".repeat(2_046)], "x".repeat(65_000));
});

onEach("commit() takes so many checks and no more", async (kv, _, { mostChecks }) => {
  const commitWith = (count: number) => {
    const commit = kv.atomic().set(["a"], 1);
    for (let n = 0; n < count; n++) commit.check({ key: ["c", n], versionstamp: null });
    return commit.commit();
  };
  assert((await commitWith(mostChecks)).ok);
  await assertRejects(() => commitWith(mostChecks + 1), Error, "checks");
});

onEach("list() reads more than a thousand entries", async (kv) => {
  const commits = Array.from({ length: 3 }, (_, m) => {
    const commit = kv.atomic();
    for (let n = 0; n < 500; n++) commit.set(["many", m, n], 1);
    return commit.commit();
  });
  await Promise.all(commits);
  const keys = await keysOf(kv, { prefix: ["many"] }, { batchSize: 1_000 });
  assertEquals([keys.length, keys.at(-1)], [1_500, ["many", 2, 499]]);
});

onEach("watch() gives keys as they are and as they change", async (kv) => {
  await kv.set(["a"], 1);
  const updates = kv.watch<[number, number]>([["a"], ["b"]]).getReader();
  const valuesAt = async (a: number, b: number | null) => {
    // Changes that come together may be told together, and a change twice.
    for (;;) {
      const { value } = await updates.read();
      const values = value?.map(({ value }) => value);
      if (values?.[0] === a && values[1] === b) return;
    }
  };
  await valuesAt(1, null);
  await kv.set(["b"], 2);
  await valuesAt(1, 2);
  await kv.set(["c"], 3);
  await kv.delete(["b"]);
  await valuesAt(1, null);
  await updates.cancel();
});
