import type { ServerManner } from "./server_manner.ts";

/** The ways in which an RPC node can answer. */
export type RpcManner =
  | ServerManner
  /** The same result for every call, with status 200. */
  | { kind: "result"; result: unknown; delayMs?: number }
  /** A JSON-RPC error for every call, with status 200. */
  | { kind: "error"; code: number; message: string; delayMs?: number }
  /** Whatever another node says: that of another chain, for instance. */
  | { kind: "elsewhere"; url: string; delayMs?: number };
