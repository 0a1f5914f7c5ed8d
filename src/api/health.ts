import * as z from "zod/mini";
import { ApiError } from "./errors.ts";
import { operation, text } from "./operation.ts";

const status = () =>
  z.enum(["ok", "failing", "unused"]).check(z.describe("Result of its last use"));

/** `GET /health`: the state of the service, without a call to an upstream. */
export const health = operation({
  name: "health",
  path: "/health",
  chapter: "service",
  summary: "Get the health of the service and its upstreams",
  description: "From recent use: it makes no upstream calls, so it is always fast.",
  query: () => z.object({}),
  answer: () =>
    z.object({
      status: z.enum(["ok", "degraded"]),
      version: z.string(),
      uptimeSeconds: z.number(),
      checks: z.object({ kv: status(), dns: status(), rdap: status(), rpc: status() }),
      tlds: z.object({
        publication: text("Publication date of the IANA table in use"),
        refreshedAt: z.optional(z.iso.datetime()),
        problem: z.optional(text("Last refresh error, or what is missing in the table")),
      }),
      unreadNotices: z.record(z.string(), z.number()).check(z.describe(
        "By TLD, the number of not-found answers since the start whose text was not recognised; those names are " +
          "reported as unknown",
      )),
      jobs: z.record(
        z.string(),
        z.object({
          endedAt: z.iso.datetime(),
          outcome: z.enum(["done", "failed"]),
          message: z.string(),
        }),
      ).check(z.describe("The last run of each job in this process")),
      registries: z.array(z.object({
        kind: z.enum(["dns", "rdap", "whois", "registrar", "rpc", "gateway", "iana", "prices"])
          .check(
            z.describe(
              "What the host is asked for; rpc: an Ethereum node; gateway: that of offchain .eth names; iana: its RDAP table",
            ),
          ),
        host: z.string(),
        state: z.enum(["cooling", "failing"]).check(z.describe(
          "cooling: not queried before `until`; failing: its last answer was unusable",
        )),
        fault: text("What started the pause, or was wrong with the answer"),
        since: z.iso.datetime().check(z.describe("When the problem began")),
        until: z.optional(z.iso.datetime()),
      })).check(z.describe(
        "The registries and other upstream hosts with problems, as far as this process knows",
      )),
      canaries: z.array(z.object({
        tld: z.string(),
        state: z.enum(["failed", "undecided", "untested"]),
      })).check(z.describe(
        "The TLDs whose registry has no passed test on known names in force; available names are unknown there until it " +
          "has. Those of TLDS that were never tested are untested",
      )),
      neededWhois: z.array(z.object({
        tld: z.string(),
        host: z.string(),
        outOfService: z.optional(
          text("Why the server is not asked, so that results go without it"),
        ),
      })).check(z.describe(
        "The TLDs whose names are available only with the word of their WHOIS server, which tells the names that the " +
          "registry withholds",
      )),
      limiter: z.enum(["shared", "alone"]).check(
        z.describe("alone: KV is out of reach, so this process counts on its own"),
      ),
    }),
  errors: [],
  run(_query, { version, health, now }) {
    const checks = health.checks();
    const failing = Object.values(checks).includes("failing");
    const { missing, ...table } = health.tlds();
    const gap = missing.length > 0
      ? `No RDAP server is known for ${missing.join(", ")}`
      : undefined;
    return {
      status: failing ? "degraded" as const : "ok" as const,
      version,
      uptimeSeconds: health.uptimeSeconds(),
      checks,
      tlds: { ...table, problem: table.problem ?? gap },
      unreadNotices: health.unreadNotices(),
      jobs: Object.fromEntries(
        Object.entries(health.jobs()).map(([job, { at, outcome }]) => [job, {
          endedAt: new Date(at).toISOString(),
          outcome: outcome.kind,
          message: outcome.kind === "done" ? outcome.message : outcome.reason,
        }]),
      ),
      registries: health.registries().map(({ since, leftMs, ...problem }) => ({
        ...problem,
        since: new Date(since).toISOString(),
        ...(leftMs > 0 && { until: new Date(now() + leftMs).toISOString() }),
      })),
      canaries: health.canaries().flatMap(({ tld, state }) =>
        state === "passed" ? [] : [{ tld, state }]
      ),
      neededWhois: health.neededWhois(),
      limiter: health.limiter(),
    };
  },
});

/** `GET /health/ready`: whether a load balancer should send requests here. */
export const ready = operation({
  name: "ready",
  path: "/health/ready",
  chapter: "service",
  summary: "Get whether this process is ready for requests",
  description:
    "Reads KV. Answers 503 while that fails and while the process shuts down. Its requests are not counted.",
  isUncounted: true,
  query: () => z.object({}),
  answer: () => z.object({ status: z.literal("ready") }),
  errors: [],
  async run(_query, { isReady }) {
    if (!await isReady()) throw new ApiError("service_unavailable");
    return { status: "ready" as const };
  },
});

/** `GET /metrics`: what this process counts. */
export const metrics = operation({
  name: "metrics",
  path: "/metrics",
  chapter: "service",
  summary: "Metrics of this process for Prometheus",
  description:
    "Prometheus' text format 0.0.4, counted since the process started: answers by state and source, unknown ones by " +
    "reason, upstreams and queues by host, canaries by TLD, the rate limiter, KV and jobs. Checked names are " +
    "never in it. Its requests have a count of their own.",
  query: () => z.object({}),
  answer: () => z.string(),
  textHeaders: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
  errors: [],
  run: (_query, { printMetrics }) => printMetrics(),
});
