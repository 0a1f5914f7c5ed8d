import { Buffer } from "node:buffer";
import { createSocket } from "node:dgram";
import { once } from "node:events";
// @ts-types="@types/dns-packet"
import packet from "dns-packet";
import { after } from "./delays.ts";
import { type DnsBehaviour, dnsReply } from "./dns_behaviour.ts";
import { HOSTNAME } from "./open_server.ts";

/** Starts a name server on UDP. */
export async function startDnsServer(answer: (name: string, type: string) => DnsBehaviour) {
  /** The names in lower case, without the trailing dot, the types, and when they were asked for (`performance.now()`). */
  const queries: { name: string; type: string; at: number }[] = [];
  let isClosed = false;
  // Each delayed answer listens for its end.
  const socket = createSocket("udp4").setMaxListeners(0);
  socket.on("message", (bytes, from) => {
    const query = decoded(bytes);
    const question = query?.questions?.[0];
    if (!query || !question) return;
    const name = question.name.toLowerCase();
    queries.push({ name, type: question.type, at: performance.now() });
    const behaviour = answer(name, question.type);
    const reply = dnsReply(query, behaviour);
    if (!reply) return;
    after(socket, behaviour.delayMs ?? 0, () => {
      // It tells its end a little later than it is closed.
      if (!isClosed) socket.send(reply, from.port, from.address);
    });
  });
  socket.bind(0, HOSTNAME);
  await once(socket, "listening");
  const close = () => {
    isClosed = true;
    return new Promise<void>((resolve) => void socket.close(() => resolve()));
  };
  return { address: `${HOSTNAME}:${socket.address().port}`, queries, close };
}

function decoded(bytes: Uint8Array): packet.Packet | undefined {
  try {
    return packet.decode(Buffer.from(bytes));
  } catch {
    // To an invalid message the server sends no answer, and stays up.
    return undefined;
  }
}
