/** The operations of the API by GET, and `GET /metrics` beside them; `check_names.ts` has the one by POST. */
import { check } from "./check.ts";
import { details } from "./details.ts";
import { ensCheck, ensMetadata } from "./ens.ts";
import { health, ready } from "./health.ts";
import type { Operation } from "./operation.ts";
import { register } from "./register.ts";
import { tlds } from "./tlds.ts";
import { watchAtom, watchCalendar } from "./watch.ts";

const all = [
  check,
  tlds,
  register,
  details,
  watchAtom,
  watchCalendar,
  ensCheck,
  ensMetadata,
  health,
  ready,
] as const;

/** Any of the operations, each with its own path and schemas. */
export type Operations = typeof all[number];

/** An operation of any schemas; `operation()` has checked its functions against them. */
// deno-lint-ignore no-explicit-any -- each has schemas of its own
export type AnyOperation = Operation<any, any>;

/** Every operation by GET, in the order of the documents. */
export const operations: readonly AnyOperation[] = all;

/** `GET /metrics`: it answers text, so it is not an operation, which answers JSON. */
export const METRICS = {
  path: "/metrics",
  mediaType: "text/plain; version=0.0.4; charset=utf-8",
  name: "metrics",
  summary: "Metrics of this process for Prometheus",
  description:
    "Prometheus' text format 0.0.4, counted since the process started: answers by state and source, unknown ones by " +
    "reason, cache, upstreams and queues by host, canaries by TLD, the rate limiter, KV and jobs. Checked names are " +
    "never in it. Its requests have a count of their own.",
} as const;
