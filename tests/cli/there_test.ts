import { assertEquals, assertMatch } from "@std/assert";
import type { Order } from "../../src/cli/arguments.ts";
import type { Pauses } from "../../src/cli/pauses.ts";
import { openThere } from "../../src/cli/there.ts";
import { startLab } from "../lab/lab.ts";
import { type CliOptions, runCli } from "../support/cli.ts";
import { startService } from "../support/service.ts";

interface Asked {
  path: string;
  accept: string | null;
  authorization: string | null;
}

/** A server that answers as it is told, and what it was asked. */
function startServer(answer: (path: string) => Response | Promise<Response>, tlds = TLDS) {
  const asked: Asked[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const { pathname, search } = new URL(request.url);
    const path = `${pathname}${search}`;
    const { headers } = request;
    asked.push({
      path,
      accept: headers.get("accept"),
      authorization: headers.get("authorization"),
    });
    if (pathname.endsWith("/tlds")) return Response.json(tlds);
    return answer(path);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    asked,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const TLDS = { tlds: [{ tld: "com", enabled: true }, { tld: "net", enabled: true }] };

const row = (domain: string) => ({
  domain,
  tld: domain.split(".")[1],
  available: true,
  status: ["undelegated", "inactive"],
  premium: false,
  source: "rdap",
  checkedAt: "2026-11-21T12:00:00.000Z",
  responseMs: 5,
});

function ndjson(...values: unknown[]): Response {
  const body = values.map((value) => `${JSON.stringify(value)}\n`).join("");
  return new Response(body, { headers: { "content-type": "application/x-ndjson; charset=utf-8" } });
}

/** Runs the command against a service, by a clock that only waits move. */
async function run(args: string[], options: CliOptions = {}) {
  const waits: number[] = [];
  let time = 0;
  const now = () => time;
  const stop = new AbortController().signal;
  const pauses: Pauses = {
    wait(_whom, ms) {
      waits.push(ms);
      time += ms;
      return Promise.resolve();
    },
  };
  const ran = await runCli(args, ({ service }: Order) => {
    if (service === undefined) throw new Error("Cannot open: no --url");
    return openThere({ ...service, fetch, pauses, stop, now });
  }, options);
  return { ...ran, waits };
}

Deno.test("check --url asks a service once for all TLDs, and takes its rows as they are streamed", async () => {
  await using server = startServer(() =>
    ndjson(row("x.net"), row("x.com"), { name: "x", count: 2, totalMs: 5, timestamp: "now" })
  );
  const { code, out, err } = await run(["x", "--url", server.url, "--key", "k", "--ndjson"]);
  assertEquals([code, err], [0, ""]);
  assertEquals(out.trimEnd().split("\n").map((line) => JSON.parse(line)), [
    row("x.net"),
    row("x.com"),
  ]);
  assertEquals(server.asked, [
    { path: "/tlds", accept: "application/json", authorization: "Bearer k" },
    {
      path: "/check?name=x",
      accept: "application/x-ndjson, application/json;q=0.9",
      authorization: "Bearer k",
    },
  ]);
});

Deno.test("check --url shows a row before the answer is complete", async () => {
  const { promise: seen, resolve: see } = Promise.withResolvers<void>();
  await using server = startServer(() => {
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        const send = (value: unknown) =>
          controller.enqueue(new TextEncoder().encode(`${JSON.stringify(value)}\n`));
        send(row("x.com"));
        await seen;
        send(row("x.net"));
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "application/x-ndjson" } });
  });
  let out = "";
  await run(["x", "--url", server.url], {
    write: (text) => {
      out += text;
      if (out.includes("x.com")) see();
      return Promise.resolve();
    },
  });
  assertMatch(out, /x\.com[^]+x\.net[^]+2 domains/);
});

Deno.test("check --url takes plain JSON where the service does not stream", async () => {
  await using server = startServer(() => Response.json({ results: [row("x.com"), row("x.net")] }));
  const { code, out } = await run(["x", "--url", server.url, "--json"]);
  assertEquals([code, JSON.parse(out)], [0, [row("x.com"), row("x.net")]]);
  assertEquals(server.asked.length, 2);
});

Deno.test("check --url asks our own service, which streams, and for single TLDs one by one", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "com,dev,xyz" } });
  const { code, out } = await run(["premium", "taken.com", "--url", `${service.url}/`]);
  assertEquals(code, 0);
  assertMatch(
    out,
    /^ {2}\$ Premium {4}premium\.xyz +not in the registry, premium price · \d+ ms$/m,
  );
  assertMatch(out, /^✗ Taken {6}taken\.com/m);
  const some = await run(["taken", "--tld", "dev,com", "--url", service.url, "--json"]);
  const domains = JSON.parse(some.out).map(({ domain }: { domain: string }) => domain);
  assertEquals(domains, ["taken.dev", "taken.com"]);
  const strange = await run(["taken.nowhere", "--url", service.url]);
  assertEquals([strange.code, strange.out], [1, ""]);
  assertEquals(strange.err, "TLD nowhere is not supported; use one of com, dev, xyz, eth\n");
});

Deno.test("check --url waits as long as a service that limits it says, and asks again", async () => {
  let refusals = 2;
  await using server = startServer(() => {
    if (refusals-- <= 0) return Response.json({ results: [row("x.com")] });
    return new Response("{}", { status: 429, headers: { "retry-after": refusals ? "7" : "0" } });
  });
  const { code, waits, out } = await run(["x.com", "--url", server.url]);
  // None at all would be what it complained of.
  assertEquals([code, waits], [0, [7_000, 1_000]]);
  assertMatch(out, /Available {2}x\.com/);
});

Deno.test("check --url gives a name up where the service wants a pause that nobody waits for", async () => {
  await using server = startServer(() =>
    new Response("{}", { status: 429, headers: { "retry-after": "3600" } })
  );
  const { code, out, waits } = await run(["x.com", "--url", server.url]);
  assertEquals([code, waits], [2, []]);
  assertMatch(out, /Unknown {4}x\.com {2}127\.0\.0\.1:\d+ allows no more for 3600 s/);
});

const FOUND = {
  available: true,
  source: "rpc",
  checkedAt: "2026-11-21T12:00:00.000Z",
  responseMs: 5,
};

// deno-fmt-ignore -- a table
const ANSWERS: [string, () => Response, RegExp][] = [
  ["a refusal", () => Response.json({ error: "x", message: "Not\x1b[2J now" }, { status: 503 }), /answered 503: Not\uFFFD\[2J now/],
  ["a refusal without words", () => new Response("<html>", { status: 502 }), /answered 502$/m],
  ["a redirect", () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1:1/" } }), /redirects to http:\/\/127\.0\.0\.1:1\/; give that --url/],
  ["no JSON", () => new Response("<html>"), /could not be read to its end/],
  ["another JSON", () => Response.json([1]), /did not answer for it/],
  ["rows of another name", () => Response.json({ results: [row("y.com"), null, 1] }), /did not answer for it/],
  ["a row of another shape", () => Response.json({ results: [{ ...row("x.com"), status: "free" }] }), /did not answer for it/],
  ["a row that says of itself to have another TLD", () => Response.json({ ...row("x.com"), tld: "net" }), /did not answer for it/],
  ["an answer about a name on Ethereum", () => Response.json({ name: "x.com", ...FOUND }), /did not answer for it/],
  ["a stream that breaks off", () => new Response('{"domain":"x.c', { headers: { "content-type": "application/x-ndjson" } }), /could not be read to its end/],
  ["a body without end", () => new Response(ReadableStream.from(endless()), { headers: { "content-type": "application/json" } }), /could not be read to its end/],
];

function* endless(): Generator<Uint8Array> {
  for (;;) yield new Uint8Array(65_536).fill(32);
}

Deno.test("check --url makes an unknown of whatever is no answer, and never more", async () => {
  for (const [what, answer, said] of ANSWERS) {
    await using server = startServer(answer);
    const { code, out } = await run(["x.com", "--url", server.url]);
    assertEquals(code, 2, what);
    assertMatch(out, /^\? Unknown {4}x\.com/, what);
    assertMatch(out, said);
  }
});

// deno-fmt-ignore -- a table
const ETH_ANSWERS: [string, unknown, boolean][] = [
  ["an answer about it", { name: "xyz.eth", ...FOUND }, true],
  ["another domain beside it", { name: "xyz.eth", domain: "other.net", ...FOUND }, false],
  ["another TLD beside it", { name: "xyz.eth", tld: "net", ...FOUND }, false],
  ["an answer about a domain", { ...row("xyz.eth"), name: "xyz.eth" }, false],
];

Deno.test("check --url shows of a name on Ethereum nothing that nobody asked for", async () => {
  for (const [what, answer, isShown] of ETH_ANSWERS) {
    await using server = startServer(() => Response.json(answer));
    const { code, out } = await run(["xyz.eth", "--url", server.url, "--ndjson"]);
    const { domain, tld, available } = JSON.parse(out);
    assertEquals([domain, tld, available], ["xyz.eth", "eth", isShown], what);
    assertEquals(code, isShown ? 0 : 2, what);
  }
});

Deno.test("check --url shows a service's words to no terminal that could obey them, and to programs as they are", async () => {
  const words = "a\x1b]0;b\x07\x9b2J\u202e\u{e0001}";
  const sent = { ...row("x.com"), error: words, source: words, status: [words], [words]: words };
  await using server = startServer(() => Response.json(sent));
  for (const format of ["csv", "ndjson", "json"]) {
    const { code, out } = await run(["x.com", "--url", server.url, `--${format}`]);
    assertEquals(code, 0);
    assertEquals(/[\p{Cc}\p{Cf}]/u.test(out.replace(/\r?\n/g, "")), false, format);
    if (format !== "csv") assertEquals([JSON.parse(out)].flat(), [sent]);
  }
});

Deno.test("check --url --csv leaves a cell empty where a service sent what is no text", async () => {
  const odd = { toString: 1 };
  await using server = startServer(() => Response.json({ ...row("x.com"), owner: odd }));
  const { code, out } = await run(["x.com", "--url", server.url, "--csv"]);
  assertEquals([code, out.split("\r\n")[1]?.endsWith(",5,,,,")], [0, true]);
});

Deno.test("check --url says so where a service has no TLD to check a name under", async () => {
  const none = { tlds: [{ tld: "com", enabled: false }] };
  await using server = startServer(() => Response.json({ name: "xyz.eth", ...FOUND }), none);
  const named = await run(["x", "--url", server.url]);
  assertEquals([named.code, named.out], [1, ""]);
  assertEquals(named.err, "No TLD is enabled; only names under .eth can be checked\n");
  const lists = { "-": "x\nxyz.eth\n" };
  const listed = await run(["-", "--url", server.url], { lists });
  assertEquals(listed.code, 1);
  assertMatch(listed.err, /^stdin:1: x: No TLD is enabled/);
  assertMatch(listed.out, /Available {2}xyz\.eth/);
});

Deno.test("check --url tells what it could not ask, and sends no key for everybody to read", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  const wrong = await run(["x", "--url", `${service.url}/elsewhere`]);
  assertEquals([wrong.code, wrong.out], [1, ""]);
  assertMatch(wrong.err, /^The service answered 404: There is nothing/);
  const gone = await run(["x", "--url", "http://127.0.0.1:1"]);
  assertEquals([gone.code, gone.err], [1, "127.0.0.1:1 could not be reached\n"]);
  const other = await run(["x", "--url", lab.bootstrapUrl.replace("iana.lab", "127.0.0.1:1")]);
  assertEquals(other.code, 1);
  const open = await run(["x", "--url", "http://192.0.2.1", "--key", "k"]);
  assertEquals([open.code, open.waits], [1, []]);
  assertMatch(open.err, /^A key would travel to 192\.0\.2\.1 for everybody to read/);
});
