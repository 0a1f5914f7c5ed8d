/** The WHOIS query (RFC 3912): one line over TCP, and a text until the server closes the connection. */
import { startTimeLimit } from "../flow/deadline.ts";
import type { TestFault, WhoisFailure, WhoisFault, WhoisText } from "../rules/answer.ts";
import { isPublicAddress, parseIpAddress } from "../rules/ip_address.ts";

/** The part of `Deno.connect` that is used. */
export type ConnectTcp = (
  options: { hostname: string; port: number },
) => Promise<Connection>;

type Connection = Pick<Deno.TcpConn, "read" | "write" | "remoteAddr" | typeof Symbol.dispose>;

/** For the connection, the query and the whole reply. A client waits for it beside the registry's RDAP server. */
const DEADLINE_MS = 2_000;
/** Ten times the longest record seen. */
const MAX_BYTES = 64 * 1_024;
/** Also excludes line breaks, which would begin another query. */
const PRINTABLE = /^[\x20-\x7e]+$/;

/** Creates the query. */
export function createWhoisQuery(
  { connect, allowInsecure, stop, now, deadlineMs = DEADLINE_MS }: {
    connect: ConnectTcp;
    /** Whether the server may have a loopback or private address. */
    allowInsecure: boolean;
    /** Aborted when the service stops: cancels all queries. */
    stop: AbortSignal;
    now: () => number;
    deadlineMs?: number | undefined;
  },
): (endpoint: { hostname: string; port: number }, query: string) => Promise<WhoisText> {
  async function exchange(connection: Connection, query: string): Promise<WhoisText> {
    // Of the connected address: port 43 has no certificate that would show where a name has led.
    if (!allowInsecure && !isPublic(connection.remoteAddr)) {
      return failed("unclear", "has no public address");
    }
    const askedAt = now();
    await send(connection, new TextEncoder().encode(`${query}\r\n`));
    const bytes = await receive(connection);
    if (bytes === undefined) return failed("unclear", "sent too long an answer");
    if (bytes.length === 0) return { ...failed("down", "sent no answer"), testFault: "refused" };
    return { kind: "text", text: decode(bytes), askedAt };
  }

  return async (endpoint, query) => {
    if (!PRINTABLE.test(query)) throw new TypeError("Cannot query WHOIS: not one printable line");
    using limit = startTimeLimit(deadlineMs, [stop]);
    let testFault: TestFault = "unreachable";
    try {
      using connection = await unlessAborted(limit.signal, () => connect(endpoint));
      testFault = "refused";
      return await exchange(connection, query);
    } catch {
      const isLate = limit.isOver();
      const what = isLate ? "did not answer in time" : "cannot be reached";
      return {
        // Our own stop is no fault of the server, which other processes would leave alone for a minute.
        ...failed(stop.aborted ? "unclear" : "down", what),
        ...(!stop.aborted && !(isLate && testFault === "refused") && { testFault }),
      };
    }
  };
}

/**
 * A connection that the signal closes, also where it opens after that. Not by `Deno.connect` itself, which loses a connection
 * that opens just as its signal is aborted.
 */
function unlessAborted(
  signal: AbortSignal,
  connect: () => Promise<Connection>,
): Promise<Connection> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const connecting = connect();
  signal.addEventListener("abort", () => {
    reject(signal.reason);
    // It may be disposed of twice.
    connecting.then((connection) => connection[Symbol.dispose](), () => {});
  });
  return Promise.race([connecting, aborted]);
}

function isPublic(address: Deno.Addr): boolean {
  const parsed = "hostname" in address ? parseIpAddress(address.hostname) : undefined;
  return parsed !== undefined && isPublicAddress(parsed);
}

async function send(connection: Pick<Deno.Conn, "write">, bytes: Uint8Array): Promise<void> {
  for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
}

/** All bytes until the end of the connection; undefined if they are too many. */
async function receive(connection: Pick<Deno.Conn, "read">): Promise<Uint8Array | undefined> {
  // One more than allowed, to distinguish a full buffer from too long an answer.
  const buffer = new Uint8Array(MAX_BYTES + 1);
  for (let size = 0;;) {
    const count = await connection.read(buffer.subarray(size));
    if (count === null) return buffer.subarray(0, size);
    size += count;
    if (size > MAX_BYTES) return undefined;
  }
}

/** As UTF-8; in another charset each byte is a sign of its own, or different words of one length would be the same text. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}

function failed(fault: WhoisFault, what: string): WhoisFailure {
  return { kind: "failed", fault, why: `The registry's WHOIS server ${what}` };
}
