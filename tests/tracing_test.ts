import { assert, assertEquals } from "@std/assert";
import { startLab } from "./lab/lab.ts";
import { startProcess } from "./support/process.ts";
import type { Json } from "./support/service.ts";
import { until } from "./support/until.ts";

const SECRET = "qzxsecretvw";
/** Attributes that Deno sets and that only an operator's collector can remove. */
const DENOS_OWN = ["url.full", "url.path", "url.query"];
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
  for (const path of Object.keys(ROUTES)) await (await fetch(`${url}${path}`)).body?.cancel();
}

Deno.test("server spans have the name of their route, upstream spans that of their host, and our attributes no checked name", async () => {
  await using lab = await startLab();
  await using otlp = startOtlpReceiver();
  await using service = await startProcess(lab, {
    ...otlp.env,
    TLDS: "com",
    OTEL_TRACES_SAMPLER: "parentbased_always_on",
  });
  await askAll(service.url);
  await otlp.received("the last request", ({ name }) => name === "GET /static/:file");
  await otlp.received(
    "a registered name",
    ({ attributes }) =>
      attributes["server.address"] === "rdap.verisign.com" &&
      attributes["http.response.status_code"] === "200",
  );
  const servers = otlp.spans.filter(({ kind }) => kind === SERVER);
  assertEquals(
    servers.map(({ name, attributes }) => [name, attributes["http.route"]]),
    Object.values(ROUTES).map((route) => [`GET ${route}`, route]),
  );
  // The registry has no entry for the name and the canary's made-up one, but for the canary's other one.
  const seen = otlp.spans.flatMap(({ name, attributes }) => {
    const isAsked = attributes["server.address"] === "rdap.verisign.com";
    return isAsked ? [`${name}: ${attributes["http.response.status_code"]}`] : [];
  });
  const answers = ["GET rdap.verisign.com: 200", "GET rdap.verisign.com: 404"];
  assertEquals([...new Set(seen)].toSorted(), answers);
  // Without the spans of Deno's own fetch: their parent is not sampled.
  assertEquals(otlp.spans.filter(({ kind, name }) => kind === CLIENT && name === "GET"), []);
  for (const { name, attributes } of otlp.spans) {
    const ours = Object.entries(attributes).filter(([key]) => !DENOS_OWN.includes(key));
    assert(!JSON.stringify([name, ours]).includes(SECRET), JSON.stringify([name, ours]));
  }
  const logs = () => otlp.bodies.filter((body) => body.includes("resourceLogs"));
  await until("logs have come", () => logs().length > 0);
  assertEquals(logs().filter((body) => body.includes(SECRET)), []);
});

Deno.test("OTEL_DENO_TRACING=false keeps Deno's metrics and creates no span", async () => {
  await using lab = await startLab();
  await using otlp = startOtlpReceiver();
  await using service = await startProcess(lab, {
    ...otlp.env,
    TLDS: "com",
    OTEL_DENO_TRACING: "false",
    OTEL_METRIC_EXPORT_INTERVAL: "100",
  });
  await askAll(service.url);
  await until(
    "metrics have come",
    () => otlp.bodies.some((body) => body.includes("http.server")),
  );
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
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const text = await request.text();
    bodies.push(text);
    if (new URL(request.url).pathname.endsWith("/traces")) spans.push(...spansIn(JSON.parse(text)));
    return Response.json({});
  });
  const url = `http://127.0.0.1:${server.addr.port}`;
  return {
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
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_BSP_SCHEDULE_DELAY: "50",
      OTEL_BLRP_SCHEDULE_DELAY: "50",
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
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
