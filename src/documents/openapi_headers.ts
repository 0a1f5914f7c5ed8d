/** The headers of answers as OpenAPI has them. */

interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

const COUNT = { type: "integer", minimum: 0 };

/** What every answer carries. */
export const RESPONSE_HEADERS: Readonly<Record<string, Header>> = {
  "X-RateLimit-Limit": always("Requests in any 60 seconds", { type: "integer", minimum: 1 }),
  "X-RateLimit-Remaining": always("Requests left now", COUNT),
  "X-RateLimit-Reset": always("When the next slot comes free, in Unix seconds", COUNT),
  "RateLimit-Policy": always("The limit in the IETF's form", { type: "string" }),
  "RateLimit": always("How it stands, in the IETF's form", { type: "string" }),
  "X-Request-Id": always("The caller's own where it is harmless, else a new one", {
    type: "string",
  }),
  "Cache-Control": always("no-store: what is left of a limit is nobody else's", { type: "string" }),
};

/** What the answer of a check carries besides, unless it is a stream. */
export const SERVER_TIMING: Readonly<Record<string, Header>> = {
  "Server-Timing": {
    description:
      "Whether the cache answered, and in ms what a look-up of one domain spent: dns, gate (waiting for a " +
      "turn), rdap, trust (testing the registry) and total; a stream has none",
    required: false,
    schema: { type: "string" },
  },
};

/** What a 429 carries besides. */
export const RETRY_AFTER: Readonly<Record<string, Header>> = {
  "Retry-After": always("Seconds until the same request would be let in", {
    type: "integer",
    minimum: 1,
  }),
};

/** References to what every answer carries. */
export const LIMIT_HEADERS: Readonly<Record<string, { $ref: string }>> = Object.fromEntries(
  Object.keys(RESPONSE_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

function always(description: string, schema: Header["schema"]): Header {
  return { description, required: true, schema };
}
