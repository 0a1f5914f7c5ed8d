/** A request as the server saw it; times are on the clock of `performance.now()`. */
export interface RecordedRequest {
  /** The host that was asked for, with its port if one was named. */
  host: string;
  /** The path with its query string. */
  path: string;
  method: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  at: number;
  /** When the answer was sent, or the client disconnected. */
  endedAt?: number;
}

/** The requests to a server, and the most to a host that were open at once. */
export interface RequestLog {
  /** In order of arrival. */
  requests: RecordedRequest[];
  /** Records a request; call the returned function at its end. */
  begin(request: Omit<RecordedRequest, "at" | "endedAt">): () => void;
  /** The most requests to `host` that were open at once. */
  peak(host: string): number;
  /** Clears the log; open requests still count. */
  clear(): void;
}

/** Makes an empty log. */
export function createRequestLog(): RequestLog {
  const requests: RecordedRequest[] = [];
  const open = new Map<string, number>();
  const peaks = new Map<string, number>();
  return {
    requests,
    begin({ host, path, method, headers }) {
      const record: RecordedRequest = { host, path, method, headers, at: performance.now() };
      requests.push(record);
      const now = (open.get(host) ?? 0) + 1;
      open.set(host, now);
      if (now > (peaks.get(host) ?? 0)) peaks.set(host, now);
      return () => {
        if (record.endedAt !== undefined) return;
        record.endedAt = performance.now();
        open.set(host, (open.get(host) ?? 1) - 1);
      };
    },
    peak: (host) => peaks.get(host) ?? 0,
    clear() {
      requests.length = 0;
      peaks.clear();
      for (const [host, count] of open) peaks.set(host, count);
    },
  };
}
