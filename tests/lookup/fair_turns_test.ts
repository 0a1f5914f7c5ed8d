import { assert, assertEquals } from "@std/assert";
import { startLab } from "../lab/lab.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const HOST = "rdap.identitydigital.services";
/** Each of them is asked for under four TLDs of the host. */
const NAMES = 6;

/** How a client asks for one domain: over HTTP as JSON, as a stream, or over MCP. */
const WAYS: readonly [
  string,
  (url: string, label: string, headers: HeadersInit) => Promise<Response>,
][] = [
  ["JSON", (url, label, headers) => fetch(`${url}/check?name=${label}&tld=io`, { headers })],
  ["a stream", (url, label, headers) =>
    fetch(`${url}/check?name=${label}&tld=io`, {
      headers: { ...headers, accept: "application/x-ndjson" },
    })],
  ["MCP", (url, label, headers) =>
    fetch(`${url}/mcp/`, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "check_domain", arguments: { names: [label], tlds: ["io"] } },
      }),
    })],
];

for (const [way, ask] of WAYS) {
  Deno.test(`a client with one name by ${way} goes before the queue of a client with many`, async () => {
    await using lab = await startLab();
    const paceOf = () => ({ concurrency: 1, burst: 1, everyMs: 40 });
    const env = { TRUSTED_PROXIES: "1", TLDS: "ai,info,io,me" };
    await using service = await startService(lab, { env, paceOf });
    await service.services.renewCanaries();
    lab.clear();
    const greedy = Array.from(
      { length: NAMES },
      (_, n) =>
        service.get(`/check?name=greedy-${n}`, { headers: { "x-forwarded-for": "192.0.2.1" } }),
    );
    const asked = () => lab.requests.filter(({ host }) => host === HOST).map(({ path }) => path);
    await until("the greedy client's queue is under way", () => asked().length >= 5);
    const response = await ask(service.url, "person", { "x-forwarded-for": "198.51.100.7" });
    assertEquals(response.status, 200);
    await response.text();
    const turn = asked().findIndex((path) => path.endsWith("/person.io"));
    await Promise.all(greedy);
    assertEquals(asked().length, 4 * NAMES + 1);
    // Behind the whole queue it would be the last. On a busy machine it takes some turns until it has arrived.
    assert(turn >= 0 && turn < 2 * NAMES, `${turn} questions of the greedy client went before it`);
  });
}
