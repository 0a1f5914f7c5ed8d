/** The ways in which the lab's name server can answer a query. */
export type DnsManner =
  & (
    /** NS records in the answer section, as a resolver gives them. */
    | { kind: "delegated"; nameServers?: readonly string[] }
    /** NS records in the authority section, as the TLD's own servers give them. */
    | { kind: "referral"; nameServers?: readonly string[] }
    /** No such name, with the SOA of the TLD. */
    | { kind: "nxdomain" }
    /** The name exists and has no record of that type. */
    | { kind: "nodata" }
    | { kind: "servfail" }
    | { kind: "refused" }
    /** No answer at all. */
    | { kind: "silent" }
    /** Over UDP only the TC bit; over TCP the full list. */
    | { kind: "truncated"; nameServers?: readonly string[] }
    /** Bytes that are no DNS message. */
    | { kind: "garbage" }
    /** A delegation under another query's id. */
    | { kind: "wrongId"; nameServers?: readonly string[] }
  )
  & { delayMs?: number };

/** The word for each manner. */
export type DnsMannerKind = DnsManner["kind"];

/** Whether a query came over UDP or TCP. */
export type DnsTransport = "udp" | "tcp";
