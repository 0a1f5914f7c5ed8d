import { assert, assertEquals } from "@std/assert";
import { startLab } from "./lab/lab.ts";
import { fetchText } from "./support/fetch_text.ts";
import { startHttpServer } from "./support/http_server.ts";
import { startProcess } from "./support/process.ts";
import type { Json } from "./support/service.ts";
import { until } from "./support/until.ts";

const SECRET = "qzxsecretvw";
/** Attributes that Deno sets and that only an operator's collector can remove. */
const URLS = ["url.full", "url.path", "url.query"];
const SERVER = 2;
const CLIENT = 3;

/** Requests that name a domain, and the routes that answer them. */
const ROUTES = {
  [`/check?name=${SECRET}&tld=com`]: "/check",
  [`/search?q=${SECRET}.com`]: "/search",
  [`/${SECRET}.com`]: "other",
  [`/register?domain=${SECRET}.com`]: "/register",
  [`/static/${SECRET}.js`]: "/static/:file",
};

async function askAll(url: string): Promise<void> {
  for (const path of Object.keys(ROUTES)) await fetchText(`${url}${path}`);
}

Deno.test("server spans have the name of their route, and no checked name is in names or in attributes but those of URLs", async () => {
  await using lab = await startLab();
  await using otlp = startOtlpReceiver();
  await using service = await startProcess(lab, { ...otlp.env, TLDS: "com" });
  await askAll(service.url);
  await otlp.received("the last request", ({ name }) => name === "GET /static/:file");
  await otlp.received("a question to a registry", ({ kind }) => kind === CLIENT);
  const servers = otlp.spans.filter(({ kind }) => kind === SERVER);
  const found = servers.map(({ name, attributes }) => [name, attributes["http.route"]]);
  assertEquals(found, Object.values(ROUTES).map((route) => [`GET ${route}`, route]));
  for (const { name, attributes } of otlp.spans) {
    const others = Object.entries(attributes).filter(([key]) => !URLS.includes(key));
    assert(!JSON.stringify([name, others]).includes(SECRET), JSON.stringify([name, others]));
  }
  const logs = () => otlp.bodies.filter((body) => body.includes("resourceLogs"));
  await until("logs have come", () => logs().length > 0);
  assertEquals(logs().filter((body) => body.includes(SECRET)), []);
});

Deno.test("OTEL_DENO_TRACING=false keeps Deno's metrics and creates no span", async () => {
  await using lab = await startLab();
  await using otlp = startOtlpReceiver();
  const env = { TLDS: "com", OTEL_DENO_TRACING: "false", OTEL_METRIC_EXPORT_INTERVAL: "100" };
  await using service = await startProcess(lab, { ...otlp.env, ...env });
  await askAll(service.url);
  await until("metrics have come", () => otlp.bodies.some((body) => body.includes("http.server")));
  assertEquals(otlp.spans, []);
  assertEquals(otlp.bodies.filter((body) => body.includes(SECRET)), []);
});

/** A span as OTLP's JSON has it, with its attributes as an object. */
interface ReceivedSpan {
  name: string;
  /** 2: server; 3: client. */
  kind: number;
  attributes: Record<string, string>;
}

/** Starts a receiver of OpenTelemetry's OTLP/HTTP in JSON. */
function startOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const server = startHttpServer(async (request) => {
    const text = await request.text();
    bodies.push(text);
    if (new URL(request.url).pathname.endsWith("/traces")) spans.push(...spansIn(JSON.parse(text)));
    return Response.json({});
  });
  return {
    ...server,
    spans,
    /** All bodies as they came, logs and metrics included. */
    bodies,
    /** Settles once a span matches. */
    received: (what: string, isIt: (span: ReceivedSpan) => boolean) =>
      until(`a span of ${what} has come`, () => spans.some(isIt)),
    /** The environment in which Deno exports to it, without delay. */
    env: {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: server.url,
      OTEL_BSP_SCHEDULE_DELAY: "50",
      OTEL_BLRP_SCHEDULE_DELAY: "50",
    },
  };
}

function spansIn({ resourceSpans }: Json): ReceivedSpan[] {
  const spans: Json[] = resourceSpans.flatMap(({ scopeSpans }: Json) =>
    scopeSpans.flatMap(({ spans }: Json) => spans)
  );
  return spans.map(({ name, kind, attributes }) => {
    const values = attributes.map(({ key, value }: Json) => [key, `${Object.values(value)[0]}`]);
    return { name, kind, attributes: Object.fromEntries(values) };
  });
}
