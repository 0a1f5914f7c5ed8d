/** A KV Connect server (denoland/denokv, proto/kv-connect.md): `Deno.openKv("http://127.0.0.1:port")` works against it. */
import { createDelays } from "../delays.ts";
import { createFaultSwitch, type Faults, type FaultSwitch, type Operation } from "./faults.ts";
import { decodeKey } from "./kv_key.ts";
import { readFault, watchFault, writeFault } from "./limits.ts";
import { createMemoryStore, hexOf } from "./memory_store.ts";
import {
  type AtomicWrite,
  decodeRead,
  decodeWatch,
  decodeWrite,
  encodeReadOutput,
  encodeWatchOutput,
  encodeWriteOutput,
} from "./messages.ts";
import { createMeter, type Readings } from "./meter.ts";
import { startTcpFront } from "./tcp_front.ts";

/** A write that was applied. */
export interface Commit {
  readonly at: number;
  readonly versionstamp: string;
  /** `expireAtMs` is in ms since 1970; 0 for never. */
  readonly mutations: readonly { type: string; key: Deno.KvKey; expireAtMs: number }[];
}

/** What a server may be given at its start; all have defaults. */
export interface KvConnectOptions {
  /** Any free port if absent. */
  port?: number;
  /** Time from a request to its answer, in ms (0); half of it passes before the request is served. */
  roundTripMs?: number;
  /** The clock of the log and of expiry, in ms since 1970. */
  now?: () => number;
}

/** A server that runs. */
export interface KvConnect extends Pick<FaultSwitch, "fail" | "recover">, AsyncDisposable {
  /** For `Deno.openKv` and `KV_PATH`. */
  readonly url: string;
  /** What a process needs in its environment to use it. */
  readonly env: { readonly KV_PATH: string; readonly DENO_KV_ACCESS_TOKEN: string };
  /** Opens it as this process's client. Close the client before the server. */
  openKv(): Promise<Deno.Kv>;
  /** May be changed at any time, for the requests that come then. */
  roundTripMs: number;
  /** Stops listening and cuts all connections, as a server that was killed; its data stay. */
  stop(): void;
  /** Listens again on its port, as a server that was started again on its data. */
  start(): void;
  /** All writes that were applied, in order. */
  readonly commits: readonly Commit[];
  readings(): Readings;
  /** Sets the readings to zero and forgets the commits. */
  reset(): void;
  /** Deletes what has expired by the clock, and counts it; until then it is read, as it is on denokv. */
  collectExpired(): number;
  /** Answers 410 to all that hangs, so that Deno's client gives it up, and stops. */
  close(): Promise<void>;
}

/** A client that watches keys. */
interface Watcher {
  /** Sends what of its keys is among the changed ones, given in hex. */
  update(changed: ReadonlySet<string>): void;
  end(): void;
}

/** denokv wants twelve characters. */
const TOKEN = "token-of-the-lab";
const DATABASE_ID = "00000000-0000-0000-0000-000000000000";
const VERSIONS = [3, 2];
/** As denokv says. Deno's client asks again each minute anyway, and without a pause below ten seconds. */
const TOKEN_LIFETIME_MS = 24 * 3_600_000;
const HTTP = { badRequest: 400, unauthorized: 401, notFound: 404, gone: 410, unavailable: 503 };
const PATHS: Readonly<Record<string, Operation>> = {
  "/": "metadata",
  "/v2/snapshot_read": "read",
  "/v2/atomic_write": "write",
  "/v2/watch": "watch",
};

/** Starts a server whose data are in memory. */
export function startKvConnect(options: KvConnectOptions = {}): KvConnect {
  const { now = Date.now } = options;
  let { roundTripMs = 0 } = options;
  const store = createMemoryStore();
  const meter = createMeter();
  const faults = createFaultSwitch();
  const delays = createDelays();
  const commits: Commit[] = [];
  const watchers = new Set<Watcher>();

  const wait = (ms: number) => new Promise<void>((resolve) => delays.after(ms, resolve));

  async function handle(
    request: Request,
    { remoteAddr }: Deno.ServeHandlerInfo<Deno.NetAddr>,
  ): Promise<Response> {
    const operation = PATHS[new URL(request.url).pathname];
    if (operation === undefined) return refusal(HTTP.notFound, "No such path");
    meter.countRequest(operation);
    const body = await request.bytes();
    const halfTripMs = roundTripMs / 2;
    await wait(halfTripMs);
    const response = await answer(operation, { request, body, port: remoteAddr.port });
    await wait(halfTripMs);
    return response;
  }

  /** A request with the port by which its connection is known. */
  interface Arrived {
    readonly request: Request;
    readonly body: Uint8Array;
    readonly port: number;
  }

  async function answer(operation: Operation, arrived: Arrived): Promise<Response> {
    const fault: Faults[Operation] | undefined = faults.next(operation);
    if (fault === undefined) return serve(operation, arrived);
    switch (fault.kind) {
      case "hang":
        return await faults.changed()
          ? refusal(HTTP.gone, "The server closes")
          : await answer(operation, arrived);
      case "drop":
        return drop(arrived);
      case "status":
        return refusal(fault.status, "A fault of the lab");
      case "no_strong_reads":
        return serve(operation, arrived, { isStrong: false });
      case "conflict":
        meter.countConflict();
        return protobuf(encodeWriteOutput({ kind: "conflict", failedChecks: [0] }));
      case "apply_then_drop":
        serve(operation, arrived);
        return drop(arrived);
      case "apply_then_hang": {
        const response = serve(operation, arrived);
        await faults.changed();
        return response;
      }
      default:
        throw new Error(`No such fault: ${fault satisfies never}`);
    }
  }

  function drop({ port }: Arrived): Response {
    front.cut(port);
    return refusal(HTTP.unavailable, "Read by no client: its connection is closed");
  }

  function serve(
    operation: Operation,
    { request, body }: Arrived,
    { isStrong = true } = {},
  ): Response {
    const fault = headerFault(operation, request.headers);
    if (fault !== undefined) return fault;
    try {
      switch (operation) {
        case "metadata":
          return exchangeMetadata(body, now());
        case "read":
          return read(body, isStrong);
        case "write":
          return write(body);
        case "watch":
          return watch(body);
      }
    } catch (error) {
      if (error instanceof RangeError) return refusal(HTTP.badRequest, error.message);
      throw error;
    }
  }

  function read(body: Uint8Array, isStrong: boolean): Response {
    const ranges = decodeRead(body);
    const fault = readFault(ranges);
    if (fault !== undefined) return refusal(HTTP.badRequest, fault);
    const found = store.read(ranges);
    meter.countRead(ranges, found);
    return protobuf(encodeReadOutput(found, { isStrong }));
  }

  function write(body: Uint8Array): Response {
    const write = decodeWrite(body);
    const fault = writeFault(write);
    if (fault !== undefined) return refusal(HTTP.badRequest, fault);
    const outcome = store.write(write);
    switch (outcome.kind) {
      case "committed":
        noteCommit(write, outcome);
        return protobuf(encodeWriteOutput(outcome));
      case "conflict":
        meter.countConflict();
        return protobuf(encodeWriteOutput(outcome));
      case "refused":
        return refusal(HTTP.badRequest, outcome.why);
    }
  }

  function noteCommit(
    write: AtomicWrite,
    { versionstamp, keys }: { versionstamp: Uint8Array; keys: readonly Uint8Array[] },
  ): void {
    meter.countCommit(write);
    const mutations = write.mutations.map(({ type, key, expireAtMs }, n) => (
      { type, key: decodeKey(keys[n] ?? key), expireAtMs }
    ));
    commits.push({ at: now(), versionstamp: hexOf(versionstamp), mutations });
    const changed = new Set(keys.map(hexOf));
    for (const { update } of watchers) update(changed);
  }

  function watch(body: Uint8Array): Response {
    const keys = decodeWatch(body);
    const fault = watchFault(keys);
    if (fault !== undefined) return refusal(HTTP.badRequest, fault);
    let watcher: Watcher | undefined;
    const updates = new ReadableStream<Uint8Array>({
      start(controller) {
        const send = () => {
          if (watcher !== undefined) controller.enqueue(encodeWatchOutput(keys.map(store.get)));
        };
        const update = (changed: ReadonlySet<string>) => {
          if (keys.some((key) => changed.has(hexOf(key)))) delays.after(roundTripMs / 2, send);
        };
        watcher = { update, end: () => controller.close() };
        watchers.add(watcher);
        send();
      },
      cancel() {
        if (watcher !== undefined) watchers.delete(watcher);
        watcher = undefined;
      },
    });
    return new Response(updates, { headers: { "content-type": "application/octet-stream" } });
  }

  // HTTP/2 without TLS, which Deno's KV client speaks, and HTTP/1.1. Not node:http2: in Deno 2.9.6 its server aborts the
  // process when a client closes its connection.
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handle);
  const front = startTcpFront(server.addr.port, options.port);
  const url = `http://127.0.0.1:${front.port}`;

  async function close(): Promise<void> {
    faults.end();
    for (const { end } of watchers) end();
    watchers.clear();
    await server.shutdown();
    front.stop();
    delays.clear();
  }

  return {
    url,
    env: { KV_PATH: url, DENO_KV_ACCESS_TOKEN: TOKEN },
    openKv() {
      // Deno takes the token from nowhere else.
      Deno.env.set("DENO_KV_ACCESS_TOKEN", TOKEN);
      return Deno.openKv(url);
    },
    get roundTripMs() {
      return roundTripMs;
    },
    set roundTripMs(ms) {
      roundTripMs = ms;
    },
    fail: faults.fail,
    recover: faults.recover,
    stop: front.stop,
    start: front.start,
    commits,
    readings: meter.readings,
    reset() {
      meter.reset();
      commits.length = 0;
    },
    collectExpired: () => store.collectExpired(now()),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function exchangeMetadata(body: Uint8Array, now: number): Response {
  const text = new TextDecoder().decode(body);
  const { supportedVersions = [1] } = text === "" ? {} : JSON.parse(text);
  const version = VERSIONS.find((one) => supportedVersions.includes(one));
  if (version === undefined) return refusal(HTTP.badRequest, "No matching protocol version");
  return Response.json({
    version,
    databaseId: DATABASE_ID,
    // Deno's client sends eventual reads to the strong endpoint too, and no word of the consistency.
    endpoints: [{ url: "/v2", consistency: "strong" }],
    token: TOKEN,
    expiresAt: new Date(now + TOKEN_LIFETIME_MS).toISOString(),
  });
}

/** The refusal of a request whose headers are not a client's. */
function headerFault(operation: Operation, headers: Headers): Response | undefined {
  if (headers.get("authorization") !== `Bearer ${TOKEN}`) {
    return refusal(HTTP.unauthorized, "Invalid access token");
  }
  if (operation === "metadata") return undefined;
  if (!VERSIONS.includes(Number(headers.get("x-denokv-version")))) {
    return refusal(HTTP.badRequest, "Invalid protocol version");
  }
  return headers.get("x-denokv-database-id") === DATABASE_ID
    ? undefined
    : refusal(HTTP.badRequest, "Invalid database id");
}

function protobuf(body: Uint8Array<ArrayBuffer>): Response {
  return new Response(body, { headers: { "content-type": "application/x-protobuf" } });
}

function refusal(status: number, why: string): Response {
  return new Response(why, { status });
}
