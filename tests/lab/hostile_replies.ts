import type { RdapReply } from "./registry.ts";
import type { RegistryManner } from "./registry_manner.ts";

/** Faults of the connection rather than of the answer. */
export const hostileReplies = {
  silent: always({ kind: "silent" }),
  drip: always({ kind: "drip" }),
  cut: always({ kind: "cut" }),
  cutHeader: always({ kind: "cutHeader" }),
  garbage: always({ kind: "garbage" }),
  oversized: always({ kind: "oversized", bytes: 2 * 1024 * 1024 }),
  gzipBomb: always({ kind: "gzipBomb" }),
  /** RFC 9110 §15.2: a client must be ready for any number of them. */
  flood100: always({ kind: "flood", status: 100 }),
  flood103: always({ kind: "flood", status: 103 }),
  reset: always({ kind: "reset" }),
} as const satisfies Readonly<Record<string, RdapReply>>;

function always(manner: RegistryManner): RdapReply {
  return () => manner;
}
