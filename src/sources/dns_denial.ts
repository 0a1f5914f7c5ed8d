/**
 * Whether a resolver can find out that a name does not exist. One whose own upstream is dead still shows what it has cached,
 * and fails for all else; Deno has one error for that and for "no such name", so the response code is read here, over UDP.
 */
import { startTimeLimit } from "../flow/time_limit.ts";

/** Asks for the name servers of a domain that does not exist; true if the resolver says so. */
export type AskDenial = (domain: string) => Promise<boolean>;

/** Packets are lost: the query is sent again halfway. */
const DEADLINE_MS = 2_000;
/** The low bits of a reply's flags are its code: none of an error, or "no such name" (RFC 1035, 4.1.1). */
const RCODE_BITS = 0b1111;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

/** Creates the question to the resolver at an address. */
export function createDenialQuestion(
  { nameServer: { ipAddr, port }, stop, deadlineMs = DEADLINE_MS }: {
    nameServer: { ipAddr: string; port: number };
    stop: AbortSignal;
    deadlineMs?: number;
  },
): AskDenial {
  return async (domain) => {
    const [{ createSocket }, { default: packet }] = await Promise.all([
      import("node:dgram"),
      import("dns-packet"),
    ]);
    const [id = 0] = crypto.getRandomValues(new Uint16Array(1));
    const query = packet.encode({
      type: "query",
      id,
      flags: packet.RECURSION_DESIRED,
      questions: [{ type: "NS", name: domain }],
    });
    using limit = startTimeLimit(deadlineMs, [stop]);
    if (limit.signal.aborted) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const socket = createSocket(ipAddr.includes(":") ? "udp6" : "udp4");
    limit.signal.addEventListener("abort", () => resolve(false));
    socket.on("error", () => resolve(false));
    socket.on("message", (bytes) => {
      try {
        const reply = packet.decode(bytes);
        const code = (reply.flags ?? 0) & RCODE_BITS;
        if (reply.id === id) resolve(code === NO_ERROR || code === NO_SUCH_NAME);
      } catch {
        // Not a DNS message: the answer may still come.
      }
    });
    const send = () => socket.send(query, port, ipAddr);
    send();
    const again = setTimeout(send, deadlineMs / 2);
    try {
      return await promise;
    } finally {
      clearTimeout(again);
      await new Promise<void>((done) => socket.close(() => done()));
    }
  };
}
