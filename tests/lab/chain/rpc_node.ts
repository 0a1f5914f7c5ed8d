import { startManneredServer } from "./mannered_server.ts";
import { postJson } from "./post_json.ts";
import type { RpcManner } from "./rpc_manner.ts";
import type { ServerManner } from "./server_manner.ts";

/** An HTTP request to a node; a batch is one request. */
export interface RecordedRpc {
  /** The JSON-RPC methods in it. */
  methods: string[];
  /** The length of its body. */
  bytes: number;
  /** When it had arrived, on the clock of `performance.now()`. */
  at: number;
}

/** A way to the chain that can go wrong. */
export interface RpcNode extends AsyncDisposable {
  url: string;
  /** In order of arrival. */
  requests: RecordedRpc[];
  setManner(manner: RpcManner): Promise<void>;
}

interface Question {
  id?: unknown;
  method?: string;
}

/** Starts an RPC node before the chain. */
export async function startRpcNode(
  { anvilUrl }: { anvilUrl: string },
  first: RpcManner = { kind: "ok" },
): Promise<RpcNode> {
  let manner = first;
  const requests: RecordedRpc[] = [];
  const server = await startManneredServer(({ body }) => {
    requests.push({ methods: methodsOf(body), bytes: body.length, at: performance.now() });
    switch (manner.kind) {
      case "result":
        return answerAll(body, { result: manner.result });
      case "error":
        return answerAll(body, { error: { code: manner.code, message: manner.message } });
      case "elsewhere":
        return postJson(manner.url, body);
      default:
        return postJson(anvilUrl, body);
    }
  });
  const setManner = (next: RpcManner) => {
    manner = next;
    return server.setManner(serverManner(next));
  };
  await setManner(first);
  return { ...server, requests, setManner };
}

/** The server itself knows nothing of JSON-RPC: to it, an error in JSON is a good answer. */
function serverManner(manner: RpcManner): ServerManner {
  switch (manner.kind) {
    case "result":
    case "error":
    case "elsewhere":
      return manner.delayMs === undefined
        ? { kind: "ok" }
        : { kind: "ok", delayMs: manner.delayMs };
    default:
      return manner;
  }
}

function methodsOf(body: string): string[] {
  const questions: Question | Question[] = JSON.parse(body);
  return [questions].flat().map(({ method = "" }) => method);
}

function answerAll(body: string, answer: { result: unknown } | { error: unknown }): string {
  const questions: Question | Question[] = JSON.parse(body);
  const answerOne = ({ id = null }: Question) => ({ jsonrpc: "2.0", id, ...answer });
  return JSON.stringify(
    Array.isArray(questions) ? questions.map(answerOne) : answerOne(questions),
  );
}
