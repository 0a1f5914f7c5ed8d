import type { ServerManner } from "./server_manner.ts";

/** The ways in which the trusted gateway can fail; `trapUrl` is where it must send nobody. */
export function gatewayManners(trapUrl: string) {
  return {
    refused: { kind: "refused" },
    hang: { kind: "hang" },
    drip: { kind: "drip" },
    cut: { kind: "cut" },
    oversized: { kind: "oversized", bytes: 16 * 1024 * 1024 },
    unavailable: { kind: "reply", status: 503, body: "" },
    page: { kind: "reply", status: 200, body: "<h1>Welcome</h1>" },
    empty: { kind: "reply", status: 200, body: `{"data":"0x"}` },
    redirect: { kind: "reply", status: 307, body: "", headers: { location: trapUrl } },
  } as const satisfies Record<string, ServerManner>;
}
