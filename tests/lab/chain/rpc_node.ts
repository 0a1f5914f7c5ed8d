import { type ServerBehaviour, startFaultyServer } from "./faulty_server.ts";
import { postJson } from "./node_client.ts";

/** The ways in which an RPC node can answer. */
export type RpcBehaviour =
  | ServerBehaviour
  /** The same result for every call, with status 200. */
  | { kind: "result"; result: unknown; delayMs?: number }
  /** A JSON-RPC error for every call, with status 200. */
  | { kind: "error"; code: number; message: string; delayMs?: number }
  /** The answers of another node, such as one of another chain. */
  | { kind: "elsewhere"; url: string; delayMs?: number };

/** An HTTP request to a node; a batch is one request. */
export interface RecordedRpc {
  /** The JSON-RPC methods in it. */
  methods: string[];
  /** The length of its body. */
  bytes: number;
  /** When it had arrived, on the clock of `performance.now()`. */
  at: number;
}

/** A node in front of the chain that can fail. */
export interface RpcNode extends AsyncDisposable {
  url: string;
  /** In order of arrival. */
  requests: RecordedRpc[];
  setBehaviour(behaviour: RpcBehaviour): Promise<void>;
}

interface Question {
  id?: unknown;
  method?: string;
}

/** Starts an RPC node in front of the chain. */
export async function startRpcNode(
  { anvilUrl }: { anvilUrl: string },
  first: RpcBehaviour = { kind: "ok" },
): Promise<RpcNode> {
  let behaviour = first;
  const requests: RecordedRpc[] = [];
  const server = await startFaultyServer(({ body }) => {
    requests.push({ methods: methodsOf(body), bytes: body.length, at: performance.now() });
    switch (behaviour.kind) {
      case "result":
        return answerAll(body, { result: behaviour.result });
      case "error":
        return answerAll(body, { error: { code: behaviour.code, message: behaviour.message } });
      case "elsewhere":
        return postJson(behaviour.url, body);
      default:
        return postJson(anvilUrl, body);
    }
  });
  const setBehaviour = (next: RpcBehaviour) => {
    behaviour = next;
    return server.setBehaviour(serverBehaviour(next));
  };
  await setBehaviour(first);
  return { ...server, requests, setBehaviour };
}

/** The server does not know JSON-RPC: it sends an error in JSON as a correct answer. */
function serverBehaviour(behaviour: RpcBehaviour): ServerBehaviour {
  switch (behaviour.kind) {
    case "result":
    case "error":
    case "elsewhere":
      return behaviour.delayMs === undefined
        ? { kind: "ok" }
        : { kind: "ok", delayMs: behaviour.delayMs };
    default:
      return behaviour;
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
