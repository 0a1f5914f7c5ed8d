import { Buffer } from "node:buffer";
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
// @ts-types="@types/dns-packet"
import packet from "dns-packet";
import { createDelays } from "./delays.ts";
import { type DnsBehaviour, dnsReply, type DnsTransport } from "./dns_behaviour.ts";

/** A query as the server saw it. */
export interface DnsQuery {
  /** Lower case, without the trailing dot. */
  name: string;
  type: string;
  transport: DnsTransport;
  /** On the clock of `performance.now()`. */
  at: number;
}

/** Options of a name server. */
export interface DnsServerOptions {
  answer: (name: string, type: string) => DnsBehaviour;
  hostname?: string;
  /** 0 takes any port that is free for both UDP and TCP. */
  port?: number;
}

/** A running name server. */
export interface DnsServer extends AsyncDisposable {
  /** `ip:port`. */
  address: string;
  queries: DnsQuery[];
  close(): Promise<void>;
}

/** Starts a name server on UDP and TCP, on the same port. */
export async function startDnsServer(
  { answer, hostname = "127.0.0.1", port = 0 }: DnsServerOptions,
): Promise<DnsServer> {
  const queries: DnsQuery[] = [];
  const delays = createDelays();
  const respond: Respond = (bytes, transport, send) => {
    const query = decoded(bytes);
    const question = query?.questions?.[0];
    if (!query || !question) return;
    const name = question.name.toLowerCase();
    queries.push({ name, type: question.type, transport, at: performance.now() });
    const behaviour = answer(name, question.type);
    const reply = dnsReply(query, behaviour, transport);
    if (reply) delays.after(behaviour.delayMs ?? 0, () => send(reply));
  };
  const { udp, tcp } = await bindBoth(hostname, port);
  udp.on("message", (bytes, from) => {
    respond(bytes, "udp", (reply) => udp.send(reply, from.port, from.address));
  });
  const sockets = new Set<Socket>();
  tcp.on("connection", (socket) => serveTcp(socket, sockets, respond));
  const close = async () => {
    delays.clear();
    for (const socket of sockets) socket.destroy();
    await Promise.all([closed(udp), closed(tcp)]);
  };
  const address = `${hostname}:${udp.address().port}`;
  return { address, queries, close, [Symbol.asyncDispose]: close };
}

type Respond = (
  bytes: Uint8Array,
  transport: DnsTransport,
  send: (reply: Uint8Array) => void,
) => void;

/** The system picks a port for UDP; if it is taken for TCP, another is tried. */
async function bindBoth(hostname: string, port: number, tries = 20) {
  const udp = createSocket("udp4");
  udp.bind(port, hostname);
  await once(udp, "listening");
  const tcp = createServer({ noDelay: true });
  tcp.listen(udp.address().port, hostname);
  try {
    await once(tcp, "listening");
    return { udp, tcp };
  } catch (error) {
    await closed(udp);
    if (port !== 0 || tries <= 1) throw error;
    return bindBoth(hostname, port, tries - 1);
  }
}

function serveTcp(socket: Socket, sockets: Set<Socket>, respond: Respond) {
  let pending: Uint8Array = new Uint8Array();
  sockets.add(socket);
  socket.on("close", () => sockets.delete(socket));
  // A client that disconnects early is no fault of the server.
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    const bytes = Buffer.concat([pending, Buffer.from(chunk)]);
    let start = 0;
    // Each message has its length in two octets before it.
    while (bytes.length - start >= 2 && bytes.length - start - 2 >= bytes.readUInt16BE(start)) {
      const end = start + 2 + bytes.readUInt16BE(start);
      respond(bytes.subarray(start + 2, end), "tcp", (reply) => {
        const length = new Uint8Array([reply.length >> 8, reply.length & 0xff]);
        if (!socket.destroyed) socket.write(Buffer.concat([length, reply]));
      });
      start = end;
    }
    pending = bytes.subarray(start);
  });
}

function decoded(bytes: Uint8Array): packet.Packet | undefined {
  try {
    return packet.decode(Buffer.from(bytes));
  } catch {
    // To an invalid message the server sends no answer, and stays up.
    return undefined;
  }
}

function closed(closable: UdpSocket | Server): Promise<void> {
  return new Promise((resolve) => closable.close(() => resolve()));
}
