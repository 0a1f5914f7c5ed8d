import { assert, assertEquals } from "@std/assert";

import { type Fault, startKvConnect } from "../lab/kv_connect/kv_connect.ts";
import { startLab } from "../lab/lab.ts";
import { type RunningService, startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const LIMIT = 60;
/** The deadline of production: a busy machine must not count as a KV that hangs. */
const TIMEOUTS = { kv: { deadlineMs: 1_000, pauseMs: 100 } };

/** What one request of the hammering client got. */
interface Got {
  readonly status: number;
  readonly error: string | undefined;
}

/** Asks a service again and again for one client, until it is to stop; adds what it got. */
async function hammer(
  { get }: RunningService,
  { client, stop, got }: { client: string; stop: AbortSignal; got: Got[] },
): Promise<void> {
  while (!stop.aborted) {
    const headers = { "x-forwarded-for": client };
    const { status, body } = await get("/check?name=taken&tld=com", { headers });
    got.push({ status, error: body.error });
  }
}

/** A KV whose commits are added to `calls`: Deno repeats one that fails after ever longer pauses, and no test may end during one. */
function withCalls(kv: Deno.Kv, calls: Promise<unknown>[]): Deno.Kv {
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const operation = atomic();
    const commit = operation.commit.bind(operation);
    operation.commit = () => {
      const call = commit();
      calls.push(call);
      return call;
    };
    return operation;
  };
  return kv;
}

/** Settles once each process has refused requests from now on. */
async function refusedAgain(what: string, all: readonly Got[][]): Promise<void> {
  const before = all.map(({ length }) => length);
  await until(
    what,
    () =>
      all.every((got, n) => got.slice(before[n]).filter((one) => one.status === 429).length > 9),
  );
}

Deno.test("each of three processes holds a client's limit by itself while KV hangs, drops, errs or is killed, and they share it again", async () => {
  await using server = startKvConnect();
  await using lab = await startLab();
  const calls: Promise<unknown>[] = [];
  const start = async () =>
    await startService(lab, {
      env: { RATE_LIMIT: `${LIMIT}`, TRUSTED_PROXIES: "1" },
      kv: withCalls(await server.openKv(), calls),
      timeouts: TIMEOUTS,
    });
  await using one = await start();
  await using two = await start();
  await using three = await start();
  const all = [one, two, three];
  const failBoth = (fault: Fault) => {
    server.fail("read", fault);
    server.fail("write", fault);
  };
  const faults: readonly [name: string, begin: () => void, end: () => void][] = [
    ["hang", () => failBoth({ kind: "hang" }), server.recover],
    ["drop", () => failBoth({ kind: "drop" }), server.recover],
    ["500", () => failBoth({ kind: "status", status: 500 }), server.recover],
    ["killed", server.stop, server.start],
  ];
  for (const [n, [name, begin, end]] of faults.entries()) {
    const ending = new AbortController();
    begin();
    const client = `198.51.100.${n}`;
    const gots = all.map((): Got[] => []);
    const hammering = all.map((service, n) =>
      hammer(service, { client, stop: ending.signal, got: gots[n] ?? [] })
    );
    await until(
      `${name}: each process is alone`,
      () => all.every(({ services }) => services.health.limiter() === "alone"),
    );
    await refusedAgain(`${name}: each process has used the limit`, gots);
    end();
    await until(
      `${name}: the processes share again`,
      () => all.every(({ services }) => services.health.limiter() === "shared"),
    );
    await refusedAgain(`${name}: the processes refuse together`, gots);
    ending.abort();
    await Promise.all(hammering);
    const got = gots.flat();
    for (const { status, error } of got) {
      assertEquals(error, status === 200 ? undefined : "rate_limit_exceeded", `${name}: ${status}`);
      assert(status === 200 || status === 429, `${name}: ${status}`);
    }
    const admitted = gots.map((got) => got.filter(({ status }) => status === 200).length);
    assertEquals(admitted, all.map(() => LIMIT), name);
  }
  await Promise.allSettled(calls);
});
