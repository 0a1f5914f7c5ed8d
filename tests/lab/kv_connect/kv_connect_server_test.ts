import { assert, assertEquals, assertRejects } from "@std/assert";
import { until } from "../../support/until.ts";
import type { Operation } from "./faults.ts";
import { type KvConnect, startKvConnect } from "./kv_connect.ts";
import { startKvConnectProcess } from "./kv_connect_process.ts";

/** Runs with a server and a client, closed in the order that leaves nothing behind. */
async function withServer(
  run: (server: KvConnect, kv: Deno.Kv) => Promise<void>,
): Promise<void> {
  await using server = startKvConnect();
  using kv = await server.openKv();
  // The client asks for the metadata twice, and a test counts what it asks itself.
  await kv.get(["warm"]);
  server.reset();
  await run(server, kv);
}

/** Settles once so many requests for an operation have arrived. */
function arrived(server: KvConnect, operation: Operation, count: number): Promise<void> {
  return until(
    `${count} requests to ${operation} have arrived`,
    () => server.readings().requests[operation] >= count,
  );
}

Deno.test("fail() makes writes hang until recover(), which applies them, and reads go on", async () => {
  await withServer(async (server, kv) => {
    server.fail("write", { kind: "hang" });
    const writing = kv.set(["a"], 1);
    await arrived(server, "write", 1);
    assertEquals((await kv.get(["a"])).value, null);
    assertEquals(server.commits.length, 0);
    server.recover();
    const { versionstamp } = await writing;
    assertEquals((await kv.get(["a"])).versionstamp, versionstamp);
  });
});

Deno.test("fail() fails the given number of requests", async () => {
  await withServer(async (server, kv) => {
    server.fail("read", { kind: "status", status: 400 }, 2);
    for (let n = 0; n < 2; n++) await assertRejects(() => kv.get(["a"]), Error, "status=400");
    assertEquals((await kv.get(["a"])).value, null);
  });
});

Deno.test("fail() makes Deno's client retry after a 500 and after a connection that is dropped", async () => {
  await withServer(async (server, kv) => {
    server.fail("write", { kind: "status", status: 500 }, 2);
    assert((await kv.set(["a"], 1)).ok);
    assertEquals(server.readings().requests.write, 3);
    server.fail("read", { kind: "drop" }, 1);
    assertEquals((await kv.get(["a"])).value, 1);
    assertEquals(server.readings().requests.read, 2);
    assertEquals(server.commits.length, 1);
  });
});

Deno.test("fail() answers a conflict and applies nothing", async () => {
  await withServer(async (server, kv) => {
    server.fail("write", { kind: "conflict" }, 1);
    assertEquals(await kv.atomic().set(["a"], 1).commit(), { ok: false });
    assertEquals([(await kv.get(["a"])).value, server.readings().conflicts], [null, 1]);
    assert((await kv.atomic().set(["a"], 1).commit()).ok);
  });
});

Deno.test("fail() can lose the answer of a commit, which its own second try conflicts with", async () => {
  await withServer(async (server, kv) => {
    const absent = { key: ["a"], versionstamp: null };
    server.fail("write", { kind: "apply_then_drop" }, 1);
    const commit = await kv.atomic().check(absent).set(["a"], "mine").commit();
    assertEquals(commit, { ok: false });
    assertEquals((await kv.get(["a"])).value, "mine");

    server.fail("write", { kind: "apply_then_drop" }, 1);
    const { versionstamp } = await kv.set(["b"], 1);
    const written = server.commits.filter(({ mutations }) => mutations[0]?.key[0] === "b");
    assertEquals(written.map((one) => one.versionstamp === versionstamp), [false, true]);
  });
});

Deno.test("fail() can apply a commit and answer it late", async () => {
  await withServer(async (server, kv) => {
    server.fail("write", { kind: "apply_then_hang" });
    const writing = kv.set(["a"], 1);
    await arrived(server, "write", 1);
    assertEquals((await kv.get(["a"])).value, 1);
    server.recover();
    assertEquals((await writing).versionstamp, (await kv.get(["a"])).versionstamp);
  });
});

Deno.test("fail() can leave eventual reads only", async () => {
  await withServer(async (server, kv) => {
    server.fail("read", { kind: "no_strong_reads" });
    assertEquals((await kv.get(["a"], { consistency: "eventual" })).value, null);
    await assertRejects(() => kv.get(["a"]), Error, "consistency");
  });
});

Deno.test("stop() refuses connections until start(), and keeps the data", async () => {
  await withServer(async (server, kv) => {
    await kv.set(["a"], 1);
    server.stop();
    const reading = kv.get(["a"]);
    await assertRejects(() => fetch(server.url), TypeError);
    server.start();
    assertEquals((await reading).value, 1);
  });
});

Deno.test("close() makes Deno's client give up hanging requests", async () => {
  const server = startKvConnect();
  const kv = await server.openKv();
  server.fail("write", { kind: "hang" });
  const writing = kv.set(["a"], 1);
  const outcome = writing.then(() => "written", String);
  await arrived(server, "write", 1);
  // Deno's client ends nothing that is under way.
  kv.close();
  await server.close();
  assert((await outcome).includes("410"), await outcome);
  assertEquals(server.commits.length, 0);
});

Deno.test("roundTripMs makes each request take so long, and may be changed", async () => {
  await withServer(async (server, kv) => {
    const timed = async () => {
      const startedAt = performance.now();
      await Promise.all([kv.get(["a"]), kv.set(["a"], 1)]);
      return performance.now() - startedAt;
    };
    server.roundTripMs = 80;
    // A timer may fire a millisecond early.
    assert(await timed() >= 78);
    server.roundTripMs = 0;
    server.fail("read", { kind: "hang" });
    const hanging = kv.get(["a"]);
    await arrived(server, "read", 2);
    server.recover();
    assertEquals((await hanging).value, 1);
  });
});

Deno.test("a client with another token is refused", async () => {
  await using server = startKvConnect();
  // Deno's client takes its token from the environment, which tests of other files share.
  const headers = { authorization: "Bearer another-token-of-the-lab" };
  const response = await fetch(server.url, { method: "POST", headers });
  assertEquals([response.status, await response.text()], [401, "Invalid access token"]);
});

Deno.test("readings() counts requests, units as Deno Deploy bills them, and first parts of keys", async () => {
  await withServer(async (server, kv) => {
    const KIB = new Uint8Array(1_024);
    await kv.atomic().set(["rate", "a"], 1).set(["rate", "b"], 1).set(["host", "c"], 1).commit();
    await kv.set(["big"], new Uint8Array(8_000));
    await kv.set(["answer", "com"], KIB);
    await kv.get(["none"]);
    await kv.getMany([["rate", "a"], ["big"]]);
    await Array.fromAsync(kv.list({ prefix: ["rate"] }));
    await kv.atomic().check({ key: ["big"], versionstamp: null }).set(["big"], 1).commit();
    assertEquals(server.readings(), {
      requests: { metadata: 0, read: 3, write: 4, watch: 0 },
      readUnits: 1 + 1 + 2 + 1,
      writeUnits: 1 + 8 + 2,
      commits: 3,
      conflicts: 1,
      byFirstPart: {
        rate: { reads: 2, mutations: 2 },
        host: { reads: 0, mutations: 1 },
        big: { reads: 1, mutations: 1 },
        answer: { reads: 0, mutations: 1 },
        none: { reads: 1, mutations: 0 },
      },
    });
    server.reset();
    assertEquals([server.readings().requests.read, server.commits.length], [0, 0]);
  });
});

Deno.test("readings() counts what a limited list reads, and no more", async () => {
  await withServer(async (server, kv) => {
    for (let n = 0; n < 3; n++) await kv.set(["big", n], new Uint8Array(3_000));
    await Array.fromAsync(kv.list({ prefix: ["big"] }, { limit: 1 }));
    assertEquals(server.readings().readUnits, 1);
    await Array.fromAsync(kv.list({ prefix: ["big"] }, { limit: 2 }));
    assertEquals(server.readings().readUnits, 1 + 2);
  });
});

Deno.test("commits name their keys and when they were applied, and collectExpired() deletes", async () => {
  let now = Date.now();
  await using server = startKvConnect({ now: () => now });
  using kv = await server.openKv();
  const { versionstamp } = await kv.set(["a", 1, 2n, true, Uint8Array.of(0)], 1);
  await kv.atomic().set(["b"], 1, { expireIn: 5_000 }).delete(["c"]).commit();
  const [first, second] = server.commits;
  assertEquals(first, {
    at: now,
    versionstamp,
    mutations: [{ type: "set", key: ["a", 1, 2n, true, Uint8Array.of(0)], expireAtMs: 0 }],
  });
  assertEquals(second?.mutations.map(({ type, key }) => [type, key]), [["set", ["b"]], [
    "delete",
    ["c"],
  ]]);
  const expireAtMs = second?.mutations[0]?.expireAtMs ?? 0;
  assert(expireAtMs >= now + 5_000);
  now = expireAtMs - 1;
  assertEquals([server.collectExpired(), (await kv.get(["b"])).value], [0, 1]);
  now = expireAtMs;
  assertEquals([(await kv.get(["b"])).value, server.collectExpired()], [1, 1]);
  assertEquals((await kv.get(["b"])).value, null);
});

Deno.test("a commit that is refused applies nothing", async () => {
  await withServer(async (server, kv) => {
    await kv.set(["text"], "x");
    const refused = kv.atomic().set(["before"], 1).sum(["text"], 1n).set(["after"], 1);
    await assertRejects(() => refused.commit(), Error, "status=400");
    assertEquals((await Array.fromAsync(kv.list({ prefix: [] }))).map(({ key }) => key), [[
      "text",
    ]]);
    assertEquals(server.commits.length, 1);
  });
});

Deno.test("commits return keys of every kind as they were set", async () => {
  const keys: Deno.KvKey[] = [
    ["", "ä", "a\u0000b"],
    [Uint8Array.of(0, 255, 0, 1)],
    [0, 1.5, -1.5, 1e300, -Infinity],
    [0n, 1n, -1n, 255n, -255n, 256n, -256n, 2n ** 63n, -(2n ** 63n), 2n ** 64n - 1n],
    [true, false],
  ];
  await withServer(async (server, kv) => {
    for (const key of keys) await kv.set(key, 1);
    const written = server.commits.flatMap(({ mutations }) => mutations.map(({ key }) => key));
    assertEquals(written, keys);
  });
});

Deno.test("close() ends while a client is open", async () => {
  const server = startKvConnect();
  using kv = await server.openKv();
  const updates = kv.watch([["a"]]).getReader();
  await updates.read();
  await server.close();
  await assertRejects(() => fetch(server.url), TypeError);
  await updates.cancel();
});

Deno.test("a server in its own process obeys commands, and exits at the end of its input", async () => {
  await using server = await startKvConnectProcess();
  using kv = await server.openKv();
  await server.command({ do: "reset" });
  await server.command({ do: "fail", operation: "read", fault: { kind: "status", status: 429 } });
  await assertRejects(() => kv.get(["a"]), Error, "status=429");
  await server.command({ do: "recover" });
  await server.command({ do: "set_round_trip", ms: 5 });
  assert((await kv.set(["a"], 1)).ok);
  const { requests, writeUnits } = await server.readings();
  assertEquals([requests.read, requests.write, writeUnits], [1, 1, 1]);
});

Deno.test("a server in its own process that is killed refuses connections", async () => {
  await using server = await startKvConnectProcess();
  await server.kill();
  await assertRejects(() => fetch(server.env.KV_PATH), TypeError);
});
