/** The ways in which a node or a gateway can answer: the good one, then the others. */
export type ServerManner =
  & (
    | { kind: "ok" }
    /** Any other HTTP answer. */
    | { kind: "reply"; status: number; body: string; headers?: Readonly<Record<string, string>> }
    /** The good answer, behind so many bytes of white space. */
    | { kind: "oversized"; bytes: number }
    /** Half of the good answer, then the end of the connection. */
    | { kind: "cut" }
    /** The head at once, then a byte every so often, for ever. */
    | { kind: "drip" }
    /** Takes the request and never answers. */
    | { kind: "hang" }
    /** Nobody listens at its port. */
    | { kind: "refused" }
  )
  & { delayMs?: number };
