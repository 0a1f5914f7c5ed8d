import type { RpcManner } from "./rpc_manner.ts";

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
} as const satisfies Record<string, RpcManner>;
