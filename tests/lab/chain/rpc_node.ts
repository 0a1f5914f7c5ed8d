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

const JSON_TYPE = { "content-type": "application/json" };
const HTML_TYPE = { "content-type": "text/html" };

const BIG = 16 * 1024 * 1024;

const LIMITED = JSON.stringify({
  jsonrpc: "2.0",
  id: null,
  error: { code: 429, message: "Too Many Requests" },
});

/** The ways in which public nodes were seen to fail. */
export const RPC_MANNERS = {
  refused: { kind: "refused" },
  hang: { kind: "hang" },
  drip: { kind: "drip" },
  cut: { kind: "cut" },
  oversized: { kind: "oversized", bytes: BIG },
  limited: { kind: "reply", status: 429, body: LIMITED, headers: JSON_TYPE },
  limitedForSeconds: {
    kind: "reply",
    status: 429,
    body: LIMITED,
    headers: { ...JSON_TYPE, "retry-after": "30" },
  },
  unavailable: { kind: "reply", status: 503, body: "" },
  forbiddenPage: { kind: "reply", status: 403, body: "<h1>Forbidden</h1>", headers: HTML_TYPE },
  page: { kind: "reply", status: 200, body: "<h1>Welcome</h1>", headers: HTML_TYPE },
  /** As if there were no contract at the address. */
  nothing: { kind: "result", result: "0x" },
  cannotFulfill: { kind: "error", code: -32046, message: "Cannot fulfill request" },
  limitExceeded: { kind: "error", code: -32005, message: "limit exceeded" },
} as const satisfies Record<string, RpcBehaviour>;

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
