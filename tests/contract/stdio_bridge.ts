/**
 * MCP over HTTP in front of the package's `mcp`, which speaks on stdin and stdout: for a conformance suite that knows only
 * HTTP. It adds what HTTP alone has: sessions, and the statuses of errors.
 */
import { lines } from "../../src/flow/lines.ts";
import type { Lab } from "../lab/lab.ts";
import { installPackage } from "../support/installed_package.ts";
import type { Json } from "../support/service.ts";

/** The revision without sessions, as its clients say in a header. */
const STATELESS = "2026-07-28";
/** The statuses that it gives errors; those of older revisions are sent with 200. */
const STATUSES: Readonly<Record<number, number>> = {
  [-32_700]: 400,
  [-32_600]: 400,
  [-32_601]: 404,
  [-32_602]: 400,
  // The version is not supported.
  [-32_022]: 400,
};
const VERSION = "io.modelcontextprotocol/protocolVersion";
/** A connection has the revision of its first request. */
const FIRST_OF_STATELESS = {
  jsonrpc: "2.0",
  id: "first",
  method: "tools/list",
  params: {
    _meta: {
      [VERSION]: STATELESS,
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
};

/** A process, and who waits for which of its messages. */
interface Connection {
  /** Sends a message; the stream has the notifications until the answer, and the answer. */
  send(message: Json): ReadableStream<Json>;
  end(): Promise<void>;
}

/** Starts the bridge: a process for each session, and one for all requests of the revision without sessions. */
export async function startStdioBridge(lab: Lab): Promise<{ url: string } & AsyncDisposable> {
  const installed = await installPackage();
  const sessions = new Map<string, Connection>();
  const running = new Set<Connection>();
  let stateless: Promise<Connection> | undefined;

  function connect(): Connection {
    const { command, ...options } = installed.commandOf(lab, ["mcp"], { RATE_LIMIT: "10000" });
    const streams = { stdin: "piped", stdout: "piped", stderr: "null" } as const;
    const child = new Deno.Command(command, { ...options, ...streams }).spawn();
    const stdin = child.stdin.getWriter();
    const waiting = new Map<unknown, ReadableStreamDefaultController<Json>>();
    const reading = (async () => {
      for await (const line of lines(child.stdout, { most: 1_000_000 })) {
        const message: Json = JSON.parse(line);
        const asked = waiting.get(message.id);
        for (const one of asked === undefined ? waiting.values() : [asked]) one.enqueue(message);
        if (asked === undefined) continue;
        waiting.delete(message.id);
        asked.close();
      }
      for (const one of waiting.values()) one.error(new Error("The process has ended"));
    })();
    const write = (message: Json) =>
      stdin.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
    const connection: Connection = {
      send: (message) =>
        new ReadableStream({
          async start(controller) {
            if ("id" in message && "method" in message) waiting.set(message.id, controller);
            else controller.close();
            await write(message);
          },
          async cancel() {
            if (!waiting.delete(message.id)) return;
            const params = { requestId: message.id };
            await write({ jsonrpc: "2.0", method: "notifications/cancelled", params });
          },
        }),
      async end() {
        running.delete(connection);
        await stdin.close().catch(() => {});
        await Promise.all([reading, child.status]);
      },
    };
    running.add(connection);
    return connection;
  }

  async function connectStateless(): Promise<Connection> {
    const connection = connect();
    await Array.fromAsync(connection.send(FIRST_OF_STATELESS));
    return connection;
  }

  async function answer(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id") ?? crypto.randomUUID();
    const session = sessions.get(id);
    if (request.method === "DELETE") {
      sessions.delete(id);
      await session?.end();
    }
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const message: Json = await request.json();
    const headers: Record<string, string> = {};
    const isOpened = request.headers.get("mcp-protocol-version") === STATELESS;
    const connection = isOpened ? await (stateless ??= connectStateless()) : session ?? connect();
    // One of a version that is not supported opens the connection itself.
    const isStateless = isOpened || message.params?._meta?.[VERSION] !== undefined;
    const isSession = session !== undefined || !isStateless && message.method === "initialize";
    if (isSession) {
      sessions.set(id, connection);
      headers["mcp-session-id"] = id;
    }
    const ended = () => void (isOpened || isSession || connection.end());
    const messages = connection.send(message).pipeThrough(
      new TransformStream<Json, Json>({ flush: ended, cancel: ended }),
    );
    if (!("id" in message)) {
      await messages.cancel();
      return new Response(null, { status: 202, headers });
    }
    const [peeked, sent] = messages.tee();
    const reader = peeked.getReader();
    const { value: first } = await reader.read();
    // It is settled once the other branch is cancelled, too.
    void reader.cancel();
    const status = isStateless ? STATUSES[first?.error?.code] : undefined;
    if (status !== undefined) {
      await sent.cancel();
      return Response.json(first, { status, headers });
    }
    const events = sent.pipeThrough(
      new TransformStream<Json, string>({
        transform: (message, controller) =>
          controller.enqueue(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
      }),
    );
    headers["content-type"] = "text/event-stream";
    return new Response(events.pipeThrough(new TextEncoderStream()), { headers });
  }

  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, answer);
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await Promise.all([...running].map((connection) => connection.end()));
      await installed[Symbol.asyncDispose]();
    },
  };
}
