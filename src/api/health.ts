import * as z from "zod/mini";
import type { Services } from "../wiring/services.ts";
import type { RunEnd } from "../rules/lease.ts";
import { ApiError } from "./errors.ts";
import { operation } from "./operation.ts";

const fared = () =>
  z.enum(["ok", "failing", "unused"]).check(z.describe("How it fared when it was last asked"));

/** `GET /health`: how the service fares, from what it knows already. */
export const health = operation({
  name: "health",
  path: "/health",
  chapter: "service",
  summary: "Tell how the service and its upstreams fare, without asking them",
  description: "From what is known already: it asks nobody, and is always quick.",
  query: () => z.object({}),
  answer: () =>
    z.object({
      status: z.enum(["ok", "degraded"]),
      version: z.string(),
      uptimeSeconds: z.number(),
      checks: z.object({ kv: fared(), dns: fared(), rdap: fared(), rpc: fared() }),
      tlds: z.object({
        publication: z.string().check(z.describe("The edition of IANA's table in use")),
        refreshedAt: z.optional(z.iso.datetime()),
        problem: z.optional(
          z.string().check(z.describe("What is wrong with it, or keeps it from being newer")),
        ),
      }),
      unreadNotices: z.record(z.string(), z.number()).check(z.describe(
        "By TLD, how many not-found answers of its registry said something unknown, since the start; " +
          "such names are reported as unknown",
      )),
      jobs: z.record(
        z.string(),
        z.object({
          endedAt: z.iso.datetime(),
          outcome: z.enum(["done", "failed"]),
          message: z.string(),
        }),
      ).check(z.describe("The last runs that this process knows of")),
      registries: z.array(z.object({
        host: z.string(),
        state: z.enum(["cooling", "failing"]).check(z.describe(
          "cooling: it is not asked until then; failing: its last answer was of no use",
        )),
        until: z.optional(z.iso.datetime()),
      })).check(z.describe("The registries with which all is not well, as this process knows")),
      canaries: z.array(z.object({
        tld: z.string(),
        state: z.enum(["failed", "doubted", "undecided"]),
      })).check(z.describe(
        "The TLDs whose registry did not pass its last test on known names: free names are unknown there",
      )),
      limiter: z.enum(["shared", "alone"]).check(
        z.describe("alone: KV is out of its reach, so that this process counts by itself"),
      ),
    }),
  errors: [],
  run(_query, { version, health, now }) {
    const checks = health.checks();
    const failing = Object.values(checks).includes("failing");
    return {
      status: failing ? "degraded" as const : "ok" as const,
      version,
      uptimeSeconds: health.uptimeSeconds(),
      checks,
      tlds: toTable(health.tlds()),
      unreadNotices: { ...health.unreadNotices() },
      jobs: Object.fromEntries(
        Object.entries(health.jobs()).map(([job, end]) => [job, toRun(end)]),
      ),
      registries: health.registries().map(({ host, state, leftMs }) => ({
        host,
        state,
        ...(leftMs > 0 && { until: new Date(now() + leftMs).toISOString() }),
      })),
      canaries: health.canaries().flatMap(({ tld, state }) =>
        state === "passed" ? [] : [{ tld, state }]
      ),
      limiter: health.limiter(),
    };
  },
});

function toTable({ missing, problem, ...table }: ReturnType<Services["health"]["tlds"]>) {
  const gap = missing.length > 0 ? `No RDAP server is known for ${missing.join(", ")}` : undefined;
  const trouble = problem ?? gap;
  return { ...table, ...(trouble !== undefined && { problem: trouble }) };
}

function toRun({ at, outcome }: RunEnd) {
  return {
    endedAt: new Date(at).toISOString(),
    outcome: outcome.kind,
    message: outcome.kind === "done" ? outcome.message : outcome.reason,
  };
}

/** `GET /health/ready`: whether requests should be sent here; reads KV. */
export const ready = operation({
  name: "ready",
  path: "/health/ready",
  chapter: "service",
  summary: "Tell whether requests should be sent to this process",
  description: "Reads KV. It is 503 while that fails, and once the process is on its way out.",
  query: () => z.object({}),
  answer: () => z.object({ status: z.literal("ready") }),
  errors: ["service_unavailable"],
  async run(_query, { isReady }) {
    if (!await isReady()) throw new ApiError("service_unavailable");
    return { status: "ready" as const };
  },
});
