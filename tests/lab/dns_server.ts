import { Buffer } from "node:buffer";
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
// @ts-types="@types/dns-packet"
import packet from "dns-packet";
import { createDelays } from "./delays.ts";
import { type DnsBehaviour, dnsReply, type DnsTransport } from "./dns_behaviour.ts";
import { HOSTNAME, type OpenServer, openServer } from "./open_server.ts";

/** A query as the server saw it. */
export interface DnsQuery {
  /** Lower case, without the trailing dot. */
  name: string;
  type: string;
  transport: DnsTransport;
  /** On the clock of `performance.now()`. */
  at: number;
}

/** Starts a name server on UDP and TCP, on the same port. */
export async function startDnsServer(answer: (name: string, type: string) => DnsBehaviour) {
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
  const { udp, tcp } = await openBoth((socket) => serveTcp(socket, respond));
  udp.on("message", (bytes, from) => {
    respond(bytes, "udp", (reply) => udp.send(reply, from.port, from.address));
  });
  const close = async () => {
    delays.clear();
    await Promise.all([closed(udp), tcp.close()]);
  };
  return { address: tcp.address, queries, close };
}

type Respond = (
  bytes: Uint8Array,
  transport: DnsTransport,
  send: (reply: Uint8Array) => void,
) => void;

/** The system picks a port for UDP; if it is taken for TCP, another is tried. */
async function openBoth(
  serve: (socket: Socket) => void,
  tries = 20,
): Promise<{ udp: UdpSocket; tcp: OpenServer }> {
  const udp = createSocket("udp4");
  udp.bind(0, HOSTNAME);
  await once(udp, "listening");
  try {
    const server = createServer({ noDelay: true }, serve);
    return { udp, tcp: await openServer(server, udp.address().port) };
  } catch (error) {
    await closed(udp);
    if (tries <= 1) throw error;
    return openBoth(serve, tries - 1);
  }
}

function serveTcp(socket: Socket, respond: Respond) {
  let pending: Uint8Array = new Uint8Array();
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

function closed(udp: UdpSocket): Promise<void> {
  return new Promise((resolve) => udp.close(() => resolve()));
}
