/** The ways in which the lab's HTTP server can answer a request: first the civil ones, then the hostile. */
export type RegistryManner =
  & (
    | {
      kind: "json";
      status: number;
      body: unknown;
      /** RDAP's own media type, unless told otherwise. */
      contentType?: string;
      headers?: Readonly<Record<string, string>>;
    }
    | {
      kind: "text";
      status: number;
      contentType: string;
      body: string | Uint8Array;
      headers?: Readonly<Record<string, string>>;
    }
    | {
      kind: "empty";
      status: number;
      contentType?: string;
      headers?: Readonly<Record<string, string>>;
    }
    | { kind: "redirect"; status: number; location: string }
    /** Takes the request and never answers. */
    | { kind: "silent" }
    /** The head at once, then a byte every so often, for ever. */
    | { kind: "drip"; everyMs?: number }
    /** A body shorter than its Content-Length, then the end of the connection. */
    | { kind: "cut" }
    /** The end of the connection in the middle of the head. */
    | { kind: "cutHeader" }
    /** Bytes that are not HTTP. */
    | { kind: "garbage" }
    /** JSON of at least so many bytes, which says 404 in every way a registry can. */
    | { kind: "oversized"; bytes: number }
    /** The same, sent as a small gzip. */
    | { kind: "gzipBomb"; bytes?: number }
    /** Informational responses, one after the other, for as long as the connection lasts. */
    | { kind: "flood"; status: 100 | 103 }
    /** A TCP reset in place of an answer. */
    | { kind: "reset" }
  )
  & { delayMs?: number };

/** The media type of RDAP. */
export const RDAP_JSON = "application/rdap+json";
