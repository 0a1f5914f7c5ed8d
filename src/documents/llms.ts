/** llms.txt: all that a language model needs to use the API, in under 5 KB. */
import { examplesOf } from "../api/examples.ts";
import { jsonSchema } from "../api/operation.ts";
import { STATE_ENTRIES } from "../../static/vocabulary.js";
import { checkNames } from "../api/check_names.ts";
import { type AnyOperation, operations } from "../api/operations.ts";
import type { About } from "./openapi.ts";

/** Renders llms.txt for a service at a base URL. */
export function llms(base: string, { limit }: About): string {
  return `# Domain Availability Service

> Checks whether domains are available, in DNS and at each TLD's own registry. Anything that cannot be verified is \
"unknown", with the reason, never "available".

Base URL: ${base}. JSON answers, no key.

The \`state\` of a row of /check:

${states()}

An unknown row may have \`likely\`, \`available\` or \`taken\`: a guess, so the name stays unknown.

\`checkedAt\` is the time of the result; \`source\` ends in \`+cache\` if cached. \`depth=dns\` asks no registry; \
\`evidence=1\` quotes each witness. \`prices.register\` is for the first \`years\` together.

Limits: ${limit} requests in any 60 seconds per IP address; see X-RateLimit-Remaining, and Retry-After on a 429. \
Errors are \`{error, message, code}\`; the message says what to send.

MCP (streamable HTTP): ${base}/mcp/

## Endpoints

${operations.map((operation) => endpoint(operation, base)).join("\n")}
${postEndpoint()}
## Reference

- [OpenAPI](${base}/openapi.yaml): every parameter, answer and error
`;
}

/** The meaning of each state, a line each. */
export function states(): string {
  return Object.entries(STATE_ENTRIES)
    .map(([state, { meaning }]) => `- \`${state}\`: ${meaning}`)
    .join("\n");
}

function endpoint(operation: AnyOperation, base: string): string {
  const { path, chapter, summary, mediaType } = operation;
  if (chapter === "service") return `- GET ${path}: ${summary}`;
  const [example] = examplesOf(path);
  if (example === undefined) return "";
  const sent = Object.entries(example.query).map(([name, value]) => `${name}=${value}`).join("&");
  return `${endpointLine(operation)}

      curl '${base}${path}${sent === "" ? "" : `?${sent}`}'
${mediaType === undefined ? `      ${trimmed(example.answer)}\n` : ""}`;
}

/** An endpoint with its parameters, as one line. */
export function endpointLine({ path, summary, query }: AnyOperation): string {
  const { properties = {}, required = [] } = jsonSchema(query(), "input");
  const names = Object.keys(properties).map((name) => required.includes(name) ? name : `${name}?`);
  return `- GET ${path}${names.length === 0 ? "" : ` (${names.join(", ")})`}: ${summary}`;
}

/** Without an example of the answer, whose rows are those of the same path by GET. */
function postEndpoint(): string {
  const { path, summary, example: { body } } = checkNames;
  return `- POST ${path} ${JSON.stringify(body)}: ${summary}; each costs one request\n`;
}

/** Longer than a date or a domain in the examples. */
const LONGEST_TEXT = 30;

/** An answer on one line, with each list cut after its first item and long texts cut short. */
export function trimmed(answer: unknown): string {
  const cut = JSON.stringify(answer, (_key, value) => {
    if (typeof value === "string" && value.length > LONGEST_TEXT) return `${value.slice(0, 20)}…`;
    if (!Array.isArray(value) || value.length < 2 || typeof value[0] !== "object") return value;
    return [value[0], "…"];
  });
  return cut.replaceAll(',"…"]', ",…]");
}
