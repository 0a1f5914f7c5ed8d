import { assertEquals, assertMatch } from "@std/assert";
import { REMOTE_NAMES } from "../../src/cli/check_options.ts";
import { type CliOptions, runCli, runRemote } from "../support/cli.ts";
import { FakeTime } from "../support/fake_time.ts";
import { startHttpServer } from "../support/http_server.ts";
import { testsOnLab } from "../support/on_lab.ts";
import { takenRow } from "../support/taken_row.ts";
import { idle, until } from "../support/until.ts";

const test = testsOnLab({ env: { TLDS: "com,dev,xyz" } });

/** The body of a POST request. */
interface Body {
  names: string[];
  /** Absent for those of the service. */
  tlds?: string[];
}

/** Starts a server with the given responses, which records its requests. */
function startServer(
  answer: (path: string, body: Body) => Response | Promise<Response>,
  tlds: unknown = TLDS,
) {
  const requests: { path: string; headers: Headers; body: Body | undefined }[] = [];
  const server = startHttpServer(async (request) => {
    const { pathname, search } = new URL(request.url);
    const path = `${pathname}${search}`;
    const body: Body | undefined = request.body === null ? undefined : await request.json();
    requests.push({ path, headers: request.headers, body });
    if (pathname.endsWith("/tlds")) return Response.json(tlds);
    return await answer(path, body ?? { names: [] });
  });
  return { ...server, requests };
}

/** A service's list of TLDs. */
const tldsOf = (...tlds: readonly string[]) => ({
  count: tlds.length,
  tlds: tlds.map((tld) => ({ tld, type: "gTLD", enabled: true })),
});

const TLDS = tldsOf("com", "net", "org");

const row = (domain: string) => {
  const [label = "", ...tld] = domain.split(".");
  const free = { state: "available", available: true, status: ["undelegated", "inactive"] };
  return { ...takenRow(label, tld.join(".")), ...free, source: "rdap" };
};

function ndjson(...values: unknown[]): Response {
  const body = values.map((value) => `${JSON.stringify(value)}\n`).join("");
  return new Response(body, { headers: { "content-type": "application/x-ndjson; charset=utf-8" } });
}

/** Runs the command on a server; `rows` are those of `--ndjson`. */
async function checkAt({ url }: { url: string }, line: string, options?: CliOptions) {
  const ran = await runRemote([...line.split(" "), "--url", url], options);
  const rows = () => ran.out.trimEnd().split("\n").map((line) => JSON.parse(line));
  return { ...ran, rows };
}

Deno.test("check --url sends one request for all TLDs, and prints each row before the response is complete", async () => {
  const sent = [row("x.net"), row("x.com"), row("x.org")];
  const seen = Promise.withResolvers<void>();
  await using server = startServer(() => {
    const lines = async function* () {
      yield `${JSON.stringify(sent[0])}\n`;
      await seen.promise;
      yield* ndjson(...sent.slice(1), { totalMs: 5 }).body!.pipeThrough(new TextDecoderStream());
    };
    return new Response(ReadableStream.from(lines()).pipeThrough(new TextEncoderStream()));
  });
  let out = "";
  const write = (text: string) => Promise.resolve(void (out += text, seen.resolve()));
  const { code, err } = await checkAt(server, "x --key k --ndjson", { write });
  const rows = out.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals([code, err, rows], [0, "", sent]);
  const requests = server.requests.map((
    { path, headers, body },
  ) => [path, headers.get("accept"), headers.get("authorization"), body]);
  assertEquals(requests, [
    ["/tlds", "application/json", "Bearer k", undefined],
    ["/check", "application/x-ndjson", "Bearer k", { names: ["x"] }],
  ]);
});

const times = { askedAt: "2026-11-21T12:00:00.000Z", ms: 5, cached: false };
const said = { said: "404 \u001b[2J", means: "not_found" };
const entry = { witness: "rdap", host: "rdap.example", ...said, ...times };

Deno.test("check --url --explain asks the service for evidence, and cleans what it sends", async () => {
  await using server = startServer((_path, { names }) => {
    const ruled = { canary: { found: "passed" }, rule: { means: "unknown", text: "None" } };
    const evidence = [entry, { ...entry, ...ruled }];
    if (names[0] === "y") return ndjson({ ...row("y.com"), evidence });
    // A service of another version may have other words.
    const other = { evidence: [{ ...entry, means: "novel" }] };
    return ndjson({ ...row("x.com"), evidence }, row("x.net"), { ...row("x.org"), ...other });
  });
  const { code, out } = await checkAt(server, "x y.com --explain");
  assertEquals(code, 0);
  const [, first = "", second = ""] = /^.*x\.com.*\n(.*)\n(.*)$/m.exec(out) ?? [];
  assertMatch(first, /^ {6}RDAP rdap\.example: no such name \(5 ms · .*\), "404 \uFFFD\[2J"$/);
  assertMatch(out, /^ {2}✓ Available {2}x\.org .*\n {6}RDAP rdap\.example: novel \(/m);
  assertMatch(second, / · test of its “not found”: passed · rule: None\), "404 /);
  assertEquals(sentOf(server), ["/check?evidence=1 x ", "/check?evidence=1 y com"]);
});

/** What was requested beside the list of TLDs, in any order. */
const sentOf = ({ requests }: Pick<ReturnType<typeof startServer>, "requests">) =>
  requests.slice(1)
    .map(({ path, body }) =>
      body === undefined ? path : `${path} ${body.names.join()} ${body.tlds ?? ""}`
    )
    .toSorted();

/** Rows of `POST /check`. */
const posted = ({ names, tlds = [] }: Body) =>
  ndjson(...names.flatMap((input) => tlds.map((tld) => ({ input, ...row(`${input}.${tld}`) }))));

/** The same, and xyz.eth as available. */
const postedOrFound = (path: string, body: Body) =>
  path.startsWith("/v1/ens") ? Response.json({ name: "xyz.eth", ...FOUND }) : posted(body);

Deno.test("check --url sends one request for a name with several TLDs, and one more for .eth", async () => {
  await using server = startServer(postedOrFound, tldsOf("com", "net", "org", "ai", "io"));
  const ran = await checkAt(server, "xyz --tld com,io,eth,ai --ndjson --explain");
  const rows = ran.rows();
  const domains = rows.map(({ domain }) => domain).toSorted();
  assertEquals([ran.code, domains], [0, ["xyz.ai", "xyz.com", "xyz.eth", "xyz.io"]]);
  // Rows are those of a request for one domain.
  assertEquals(rows.find(({ tld }) => tld === "io"), row("xyz.io"));
  assertEquals(sentOf(server), ["/check?evidence=1 xyz com,io,ai", "/v1/ens/check?name=xyz"]);
});

Deno.test("check --url sends the names of a list under the same TLDs together, 200 at most, and reads no more than it may send", async () => {
  const answered = Promise.withResolvers<void>();
  await using server = startServer(async (_path, body) => {
    await answered.promise;
    return posted(body);
  });
  const names = Array.from({ length: 450 }, (_, n) => `name-${n}`);
  const running = checkAt(server, "- --tld com,net --ndjson", { lists: { "-": names.join("\n") } });
  const sent = () => server.requests.slice(1).map(({ body }) => body?.names ?? []);
  await until("all that may be sent are sent", () => sent().flat().length === REMOTE_NAMES);
  await idle();
  assertEquals([sent().flat().length, sent().every(({ length }) => length <= 200)], [400, true]);
  answered.resolve();
  const { code, rows } = await running;
  assertEquals([code, rows().length], [0, 900]);
  assertEquals(sent().flat().toSorted(), names.toSorted());
  assertEquals(sent().length < 20, true, `${sent().length} requests`);
});

Deno.test("check --url has a row for each line of a list, also where a name stands in it twice", async () => {
  await using server = startServer((_path, body) => posted(body));
  const { code, rows } = await checkAt(server, "a.com b.com https://a.com/x a.com --ndjson");
  const domains = rows().map(({ domain }) => domain).toSorted();
  assertEquals([code, domains], [0, ["a.com", "a.com", "a.com", "b.com"]]);
});

Deno.test("check --url --details asks for the details of taken rows, side by side", async () => {
  const domains = ["x.com", "x.net", "x.org"];
  const taken = { state: "taken", available: false };
  const asked: string[] = [];
  const all = Promise.withResolvers<void>();
  await using server = startServer(async (path) => {
    if (path.startsWith("/check")) {
      const [free, ...rows] = domains.map((domain) => ({ ...row(domain), status: ["active"] }));
      return ndjson(free, ...rows.map((row) => ({ ...row, ...taken })), { totalMs: 5 });
    }
    const domain = path.replace("/details?domain=", "");
    if (asked.push(domain) === 2) all.resolve();
    await all.promise;
    const { checkedAt } = row(domain);
    return Response.json({ domain, ...taken, source: "dns", checkedAt, dnssec: true });
  });
  const { code, out } = await checkAt(server, "x --details --ndjson");
  assertEquals([code, asked.toSorted()], [0, ["x.net", "x.org"]]);
  assertEquals(out.match(/"dnssec":true/g)?.length, 2);
});

Deno.test("check --url --dry-run lists the domains of the service's TLDs", async () => {
  await using server = startServer(() => new Response("{}", { status: 500 }));
  const { code, out } = await checkAt(server, "x y.dev --dry-run");
  assertEquals([code, out], [0, "x.com\nx.net\nx.org\ny.dev\n"]);
  assertEquals(server.requests.map(({ path }) => path), ["/tlds"]);
});

Deno.test("check --url sends as many names as the limit admits, and the others once Retry-After has passed", async () => {
  for (const [retryAfter, pauseMs] of [["30", 30_000], ["0", 1_000]] as const) {
    let remaining = 2;
    await using server = startServer((_path, body) => {
      if (body.names.length > remaining) {
        // Another service may send a fraction.
        const headers = { "retry-after": retryAfter, "x-ratelimit-remaining": `${remaining}.5` };
        // Then all have been admitted.
        if (remaining === 0) remaining = 9;
        return new Response("{}", { status: 429, headers });
      }
      remaining -= body.names.length;
      return posted(body);
    });
    const { code, rows, waits } = await checkAt(server, "a b c d e --tld com,net --ndjson");
    assertEquals([code, rows().length], [0, 10]);
    assertEquals(waits.every((ms) => ms === pauseMs) && waits.length > 0, true, `${waits}`);
  }
});

Deno.test("check --url asks again once for the rows that a cut stream has left out", async () => {
  for (const cuts of [1, 2]) {
    let times = 0;
    await using server = startServer((_path, { names, tlds = [] }) => {
      const [first = ""] = names;
      if (++times <= cuts) return ndjson({ input: first, ...row(`${first}.com`) });
      const domains = names.flatMap((input) => tlds.map((tld) => `${input}.${tld}`));
      return ndjson(...domains.map(row), { totalMs: 5 });
    });
    const { code, rows, waits } = await checkAt(server, "a b --tld com,net --ndjson");
    assertEquals([code, server.requests.length, waits], [cuts === 1 ? 0 : 2, 1 + 2, [1_000]]);
    assertEquals(rows().length, 4);
  }
});

Deno.test("check --url asks again once for rows that are unknown for a few seconds", async () => {
  for (const [busyTimes, last] of [[1, "available"], [2, "unknown"]] as const) {
    let times = 0;
    await using server = startServer((_path, { names }) => {
      const isBusy = (domain: string) => domain === "x.com" && ++times <= busyTimes;
      const rows = names.map((name) => `${name}.com`).map((domain) =>
        isBusy(domain) ? busy(domain, 4) : domain === "z.com" ? busy(domain, 3_600) : row(domain)
      );
      return ndjson(...rows, { totalMs: 5 });
    });
    const { rows, waits } = await checkAt(server, "x.com y.com z.com --ndjson");
    const states = rows().map(({ domain, state }) => `${domain} ${state}`);
    const shown = ["y.com available", "z.com unknown", `x.com ${last}`];
    assertEquals([states, waits], [shown, [4_000]]);
  }
});

test("check --url works with this service: streamed rows, and one request for a name", async (service) => {
  const { code, out } = await checkAt({ url: `${service.url}/` }, "premium taken.com");
  assertEquals(code, 0);
  const premium = /^ {2}\$ Premium {4}premium\.xyz +not in the registry, premium price · \d+ ms$/m;
  assertMatch(out, premium);
  assertMatch(out, /^✗ Taken {6}taken\.com/m);
  const line = "taken free-name html --tld dev,xyz --sort name --explain --ndjson";
  const local = await runCli(line.split(" "), service.services);
  const remote = await checkAt(service, line);
  /** The fields of each row, in their order. */
  const fieldsOf = (out: string) => out.match(/"\w+":|\n/g);
  assertEquals(fieldsOf(remote.out), fieldsOf(local.out));
  assertMatch(remote.out, /"domain":"taken\.xyz"/);
  const strange = await checkAt(service, "taken.nowhere");
  assertEquals(strange.code, 2);
  const unsupported = /taken\.nowhere +The service answered 400: .*Unsupported TLD: send one of/;
  assertMatch(strange.out, unsupported);
});

/** A row of a domain whose registry was not asked. */
const busy = (domain: string, retryAfter: unknown = 15) => ({
  ...row(domain),
  state: "unknown",
  available: false,
  status: ["unknown"],
  error: "Too many look-ups are queued for rdap.example; try again in a few seconds",
  retryAfter,
});

const FOUND = { available: true, source: "rpc", checkedAt: times.askedAt, responseMs: 5 };

// deno-fmt-ignore -- a table
const ANSWERS: [string, () => Response, RegExp][] = [
  ["a refusal", () => Response.json({ error: "x", message: "Not\x1b[2J now" }, { status: 500 }), /answered 500: Not\uFFFD\[2J now/],
  ["a refusal of the name", () => ndjson({ input: "x", error: "invalid_name", message: "Not\x1b[2J that", code: 400 }), /answered 400: Not\uFFFD\[2J that/],
  ["a refusal without a message", () => new Response("<html>", { status: 500 }), /answered 500$/m],
  ["a redirect", () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1:1/" } }), /redirects to http:\/\/127\.0\.0\.1:1\/; use that as --url/],
  ["no JSON", () => new Response("<html>"), /Cannot read the service's response/],
  ["another JSON", () => ndjson([1]), /returned no valid result for this name/],
  ["rows of another name", () => ndjson(row("y.com"), null, 1), /returned no valid result for this name/],
  ["a row with a pause that is no number", () => ndjson(busy("x.com", "15")), /returned no valid result for this name/],
  ["a row of another shape", () => ndjson({ ...row("x.com"), status: "free" }), /returned no valid result for this name/],
  ["a row whose evidence is a text", () => ndjson({ ...row("x.com"), evidence: "text" }), /returned no valid result for this name/],
  ["a Retry-After that is too long", () => new Response("{}", { status: 429, headers: { "retry-after": "3600" } }), /x\.com +Too many requests to 127\.0\.0\.1:\d+; retry in 3600 s/],
  ["a row that is likely what no name can be", () => ndjson({ ...busy("x.com"), likely: "novel" }), /returned no valid result for this name/],
  ["a row with another TLD in it", () => ndjson({ ...row("x.com"), tld: "net" }), /returned no valid result for this name/],
  ["a result for an ENS name", () => ndjson({ name: "x.com", ...FOUND }), /returned no valid result for this name/],
  ["a truncated stream", () => new Response('{"domain":"x.c', { headers: { "content-type": "application/x-ndjson" } }), /Cannot read the service's response/],
  ["an endless body", () => new Response(ReadableStream.from(endless()), { headers: { "content-type": "application/x-ndjson" } }), /Cannot read the service's response/],
];

function* endless(): Generator<Uint8Array> {
  for (;;) yield new Uint8Array(65_536).fill(32);
}

Deno.test("check --url reports a name as unknown when the response is invalid or a pause is too long", async () => {
  for (const [what, answer, message] of ANSWERS) {
    await using server = startServer(answer);
    const { code, out } = await checkAt(server, "x.com --explain");
    assertEquals(code, 2, what);
    assertMatch(out, /^\? Unknown {4}x\.com/, what);
    assertMatch(out, message, what);
  }
});

Deno.test("check --url shows the .eth name that was asked for, whatever else an ENS result has beside it", async () => {
  const found = { ...row("xyz.eth"), domain: "other.net", tld: "net", ...FOUND };
  for (const [name, isShown] of [["xyz.eth", true], ["a.eth", false]] as const) {
    await using server = startServer(() => Response.json({ ...found, name }));
    const { code, rows } = await checkAt(server, "xyz.eth --ndjson");
    const [{ domain, tld, available }] = rows();
    assertEquals([domain, tld, available, code], ["xyz.eth", "eth", isShown, isShown ? 0 : 2]);
  }
});

Deno.test("check --url escapes control characters of a service, so that JSON keeps and terminals ignore them", async () => {
  const words = "a\x1b]0;b\x07\x9b2J\u202e\u{e0001}";
  const sent = { ...row("x.com"), unicode: words, requirements: words };
  await using server = startServer(() => ndjson(sent));
  for (const format of ["csv", "ndjson", "json"]) {
    const { code, out } = await checkAt(server, `x.com --${format}`);
    assertEquals(code, 0);
    assertEquals(/[\p{Cc}\p{Cf}]/u.test(out.replace(/\r?\n/g, "")), false, format);
    if (format !== "csv") assertEquals([JSON.parse(out)].flat(), [sent]);
  }
});

Deno.test("check --url checks domains and ENS names, and tells of others that no TLD is enabled, or none of --preset", async () => {
  const cases = [[[], "", "is"], [["com"], " --preset country", "of --preset country is"]] as const;
  for (const [tlds, option, which] of cases) {
    await using server = startServer(postedOrFound, tldsOf(...tlds));
    const { code, out, err } = await checkAt(server, `x xyz.eth x.de --csv${option}`);
    assertEquals([code, out.match(/\S+,available/g)?.length], [1, 2]);
    assertEquals(err, `x: No TLD ${which} enabled; send a name with its TLD\n`);
  }
});

test("check --url reports an unusable service, and refuses to send a key over plain HTTP", async (service) => {
  await using other = startServer(() => ndjson(), { tlds: "com" });
  const refusal = "Refusing to send an API key over plain HTTP to 192.0.2.1; use https\n";
  const cases = [
    [`${service.url}/elsewhere`, "x", "The service answered 404: Not found"],
    ["http://127.0.0.1:1", "x --dry-run", "Cannot reach 127.0.0.1:1\n"],
    [other.url, "x", "The service returned no valid answer to /tlds\n"],
    ["http://192.0.2.1", "x --key k", refusal],
  ] as const;
  for (const [url, line, message] of cases) {
    const { code, out, err, waits } = await checkAt({ url }, line);
    assertEquals([code, out, waits], [1, "", []], url);
    assertEquals(err.slice(0, message.length), message, url);
  }
});

Deno.test("check --url waits for the service as long as it says, once for all requests that wait for the same, and not after Ctrl-C", async () => {
  using time = new FakeTime(0);
  const stop = new AbortController();
  for (const told of ["192.0.2.1 is busy; waiting 1 s\ngone\n", "Interrupted\n"]) {
    const running = runCli(["x"], async (_options, wait) => {
      if (told === "Interrupted\n") stop.abort();
      await Promise.all([wait(999, "192.0.2.1 is busy"), wait(1, "192.0.2.1 is busy")]);
      return new Error("gone");
    }, { stop: stop.signal });
    await time.runAll();
    assertEquals([(await running).err, Date.now()], [told, 999]);
  }
});
