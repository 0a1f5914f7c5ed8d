/** `GET /metrics`: what the service has counted. It is text, so it is none of the operations, which answer JSON. */
export const METRICS = {
  path: "/metrics",
  mediaType: "text/plain; version=0.0.4; charset=utf-8",
  name: "metrics",
  summary: "What this process has counted since its start, for Prometheus",
  description:
    "Prometheus' text format 0.0.4: answers by state and source, unknown ones by reason, cache, upstreams and queues " +
    "by host, canaries by TLD, the rate limiter, KV and jobs. No name that is checked is in it. It counts as a request.",
} as const;
