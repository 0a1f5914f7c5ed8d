/**
 * A KV Connect server (denoland/denokv, proto/kv-connect.md) with its data in memory: `Deno.openKv("http://127.0.0.1:port")`
 * works against it, as far as the service uses KV. It counts what Deno Deploy would bill, and has faults.
 */
import { Buffer } from "node:buffer";
import { createDelays } from "../delays.ts";
import { startTcpFront } from "./tcp_front.ts";
import {
  type AtomicWrite,
  decodeKey,
  decodeRead,
  decodeWrite,
  encodeReadOutput,
  encodeWriteOutput,
  type KvEntry,
  type ReadRange,
} from "./wire.ts";

/** What a client asks for. */
type Operation = "metadata" | "read" | "write";

/** How a request fails. */
export type Fault =
  /** Waits until the faults change, and goes on then: an abandoned write may be applied long after. */
  | { kind: "hang" }
  /** Closes the connection, with all that is under way on it, before anything is done. Deno's client tries again. */
  | { kind: "drop" }
  /** Answers with a status. Deno's client tries again after a 5xx for ever, and rejects after a 4xx. */
  | { kind: "status"; status: number }
  /** Applies a write and closes the connection. Deno's client writes again: a check fails then by its own write. */
  | { kind: "apply_then_drop" };

/** A write that was applied. */
export interface Commit {
  /** `expireAtMs` is in ms since 1970; 0 for never. */
  readonly mutations: readonly { type: string; key: Deno.KvKey; expireAtMs: number }[];
}

/** Counts since the last reset. */
export interface Readings {
  /** Requests that arrived, with those that failed or were tried again. */
  requests: Record<Operation, number>;
  readUnits: number;
  writeUnits: number;
  /** By the first part of the key: ranges read and mutations applied. */
  byFirstPart: Record<string, { reads: number; mutations: number }>;
}

/** A server that runs. */
export interface KvConnect extends AsyncDisposable {
  /** For `Deno.openKv` and `KV_PATH`. */
  readonly url: string;
  /** What a process needs in its environment to use it. */
  readonly env: { readonly KV_PATH: string; readonly DENO_KV_ACCESS_TOKEN: string };
  /** Opens it as this process's client. Close the client before the server. */
  openKv(): Promise<Deno.Kv>;
  /** Has the next `times` requests for an operation fail so; until `recover()` if absent. */
  fail(operation: Operation, fault: Fault, times?: number): void;
  /** Ends all faults; what hangs goes on. */
  recover(): void;
  /** Stops listening and cuts all connections, as a server that was killed; its data stay. */
  stop(): void;
  /** Listens again on its port, as a server that was started again on its data. */
  start(): void;
  /** All writes that were applied, in order. */
  readonly commits: readonly Commit[];
  readings(): Readings;
  /** Sets the readings to zero and forgets the commits. */
  reset(): void;
  /** Answers 410 to all that hangs, so that Deno's client gives it up, and stops. */
  close(): Promise<void>;
}

/** denokv wants twelve characters. */
const TOKEN = "token-of-the-lab";
const PATHS: Readonly<Record<string, Operation>> = {
  "/": "metadata",
  "/v2/snapshot_read": "read",
  "/v2/atomic_write": "write",
};
/** Limits of denokv 0.14 (proto/limits.rs), stricter than those of a local Deno KV. */
const MOST = { ranges: 10, checks: 10, valueBytes: 65_536 };
/**
 * KiB (denoland/deploy_feedback#669): a list is counted as a whole, each key of a `getMany` as one; the keys and values of a
 * commit together, rounded up once (#502).
 */
const UNIT_BYTES = { read: 4_096, write: 1_024 };
/** Versions have gaps, as denokv's have: code must not compute the next one. */
const VERSION_STEP = 5n;

/** Starts a server on any free port; `roundTripMs`: from a request to its answer, half of it before it is served. */
export function startKvConnect({ roundTripMs = 0 } = {}): KvConnect {
  const store = createStore();
  const delays = createDelays();
  const commits: Commit[] = [];
  const faults = new Map<Operation, { fault: Fault; left: number }>();
  let readings = noReadings();
  let change = Promise.withResolvers<"changed" | "closed">();

  function announceChange(): void {
    change.resolve("changed");
    change = Promise.withResolvers();
  }

  const halfTrip = () => new Promise<void>((resolve) => delays.after(roundTripMs / 2, resolve));

  function nextFault(operation: Operation): Fault | undefined {
    const one = faults.get(operation);
    if (one !== undefined && --one.left <= 0) faults.delete(operation);
    return one?.fault;
  }

  async function handle(
    request: Request,
    { remoteAddr }: Deno.ServeHandlerInfo<Deno.NetAddr>,
  ): Promise<Response> {
    const operation = PATHS[new URL(request.url).pathname];
    if (operation === undefined) return new Response("No such path", { status: 404 });
    readings.requests[operation]++;
    const body = await request.bytes();
    await halfTrip();
    for (let fault = nextFault(operation); fault !== undefined; fault = nextFault(operation)) {
      switch (fault.kind) {
        case "hang":
          if (await change.promise === "closed") return new Response("Closed", { status: 410 });
          continue;
        case "status":
          return new Response("A fault of the lab", { status: fault.status });
        case "apply_then_drop":
          serve(operation, request, body);
          break;
        case "drop":
          break;
      }
      front.cut(remoteAddr.port);
      return new Response("Read by no client: its connection is closed", { status: 503 });
    }
    const response = serve(operation, request, body);
    await halfTrip();
    return response;
  }

  function serve(operation: Operation, { headers }: Request, body: Uint8Array): Response {
    if (headers.get("authorization") !== `Bearer ${TOKEN}`) {
      return new Response("Invalid access token", { status: 401 });
    }
    switch (operation) {
      case "metadata":
        return Response.json({
          version: 3,
          databaseId: crypto.randomUUID(),
          // Deno's client sends eventual reads to the strong endpoint too, and no word of the consistency.
          endpoints: [{ url: "/v2", consistency: "strong" }],
          token: TOKEN,
          expiresAt: new Date(Date.now() + 24 * 3_600_000).toISOString(),
        });
      case "read":
        return read(decodeRead(body));
      case "write":
        return write(decodeWrite(body));
    }
  }

  const useOf = (key: Uint8Array) =>
    readings.byFirstPart[String(decodeKey(key)[0])] ??= { reads: 0, mutations: 0 };

  function read(ranges: readonly ReadRange[]): Response {
    if (ranges.length > MOST.ranges) return new Response("Too many read ranges", { status: 400 });
    const found = ranges.map(store.read);
    for (const { start } of ranges) useOf(start).reads++;
    for (const entries of found) readings.readUnits += unitsOf(entries, UNIT_BYTES.read);
    return protobuf(encodeReadOutput(found));
  }

  function write(write: AtomicWrite): Response {
    const { checks, mutations } = write;
    const isTooLarge = mutations.some(({ data }) => data.length > MOST.valueBytes);
    if (checks.length > MOST.checks || isTooLarge) {
      return new Response("Too many checks, or value too long", { status: 400 });
    }
    const versionstamp = store.write(write);
    if (versionstamp !== undefined) {
      for (const { key } of mutations) useOf(key).mutations++;
      readings.writeUnits += unitsOf(mutations, UNIT_BYTES.write);
      commits.push({
        mutations: mutations.map(({ type, key, expireAtMs }) => (
          { type, key: decodeKey(key), expireAtMs }
        )),
      });
    }
    return protobuf(encodeWriteOutput(versionstamp));
  }

  // HTTP/2 without TLS, which Deno's KV client speaks, and HTTP/1.1. Not node:http2: in Deno 2.9.6 its server aborts the
  // process when a client closes its connection.
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handle);
  const front = startTcpFront(server.addr.port);
  const url = `http://127.0.0.1:${front.port}`;

  async function close(): Promise<void> {
    change.resolve("closed");
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
    fail(operation, fault, times = Infinity) {
      faults.set(operation, { fault, left: times });
      announceChange();
    },
    recover() {
      faults.clear();
      announceChange();
    },
    stop: front.stop,
    start: front.start,
    commits,
    readings: () => structuredClone(readings),
    reset() {
      readings = noReadings();
      commits.length = 0;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The values of a database, by their keys in hex, which sort as the bytes do. What has expired is read until it is collected. */
function createStore() {
  const entries = new Map<string, KvEntry>();
  let sorted: string[] | undefined;
  let version = 0n;

  return {
    read({ start, end, limit, reverse }: ReadRange): KvEntry[] {
      const [from, to] = [hexOf(start), hexOf(end)];
      // A single key, as Deno asks for it: sorting thousands of keys for it would be slow.
      if (to === `${from}00`) return [entries.get(from)].filter((entry) => entry !== undefined);
      sorted ??= [...entries.keys()].sort();
      const keys = sorted.filter((key) => key >= from && key < to);
      if (reverse) keys.reverse();
      return keys.slice(0, limit).flatMap((key) => entries.get(key) ?? []);
    },
    /** The versionstamp of the commit; undefined if a check fails. */
    write({ checks, mutations }: AtomicWrite): Uint8Array | undefined {
      const isHeld = checks.every(({ key, versionstamp }) =>
        hexOf(entries.get(hexOf(key))?.versionstamp ?? new Uint8Array()) === hexOf(versionstamp)
      );
      if (!isHeld) return undefined;
      const versionstamp = new Uint8Array(10);
      new DataView(versionstamp.buffer).setBigUint64(0, version += VERSION_STEP);
      sorted = undefined;
      for (const { type, key, data, encoding } of mutations) {
        if (type === "delete") entries.delete(hexOf(key));
        else entries.set(hexOf(key), { key, data, encoding, versionstamp });
      }
      return versionstamp;
    },
  };
}

function noReadings(): Readings {
  const requests = { metadata: 0, read: 0, write: 0 };
  return { requests, readUnits: 0, writeUnits: 0, byFirstPart: {} };
}

/** Even what finds nothing costs a unit. */
function unitsOf(entries: readonly Pick<KvEntry, "key" | "data">[], unitBytes: number): number {
  const bytes = entries.reduce((sum, { key, data }) => sum + key.length + data.length, 0);
  return Math.max(1, Math.ceil(bytes / unitBytes));
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}

function protobuf(body: Uint8Array<ArrayBuffer>): Response {
  return new Response(body, { headers: { "content-type": "application/x-protobuf" } });
}
