import { until } from "../support/until.ts";

/** A span as OTLP's JSON has it, with its attributes as an object. */
export interface ReceivedSpan {
  name: string;
  /** 2: server; 3: client. */
  kind: number;
  attributes: Record<string, string>;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

/** Starts a receiver of OpenTelemetry's OTLP/HTTP in JSON. */
export function startOtlpReceiver() {
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

/** The part of OTLP's JSON that the spans are in. */
interface Traces {
  resourceSpans: { scopeSpans: { spans: (ReceivedSpan & { attributes: Attribute[] })[] }[] }[];
}

function spansIn({ resourceSpans }: Traces): ReceivedSpan[] {
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  return spans.map(({ name, kind, attributes }) => ({
    name,
    kind,
    attributes: Object.fromEntries(
      attributes.map(({ key, value }) => [key, `${Object.values(value)[0]}`]),
    ),
  }));
}
