import { assert, assertEquals, assertRejects } from "@std/assert";
import { chunksOf, createBodyReader, createPulledBody, type Sender } from "../../src/api/bodies.ts";
import type { ApiError } from "../../src/api/errors.ts";
import type { CheckDomain } from "../../src/lookup/check_domain.ts";
import { changedApp } from "../support/changed_app.ts";
import { mcpPost, toolCall } from "../support/mcp.ts";
import { onLab } from "../support/on_lab.ts";
import { takenRow } from "../support/taken_row.ts";
import { until } from "../support/until.ts";

const LIMITS = { maxBytes: 8, deadlineMs: 60_000, atOnce: 3, perClient: 2 };

/** A request whose body the test sends in pieces. */
function openRequest(headers: Record<string, string> = {}) {
  let cancelled = false;
  let push: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (push = controller),
    cancel: () => void (cancelled = true),
  });
  return {
    request: new Request("http://localhost/", { method: "POST", body, headers }),
    send: (text: string) => push?.enqueue(new TextEncoder().encode(text)),
    end: () => push?.close(),
    fail: () => push?.error(new Error("reset")),
    isCancelled: () => cancelled,
  };
}

/** A sender whose site is the client's own. */
const from = (client: string) => ({ client, site: client });

/** A reader that returns the code of an error. */
function openReader(limits: typeof LIMITS) {
  const read = createBodyReader(limits);
  return (request: Request, sender: Sender): Promise<string> =>
    read(request, sender).catch(({ code }: ApiError) => code);
}

const [TOO_LARGE, NOT_WHOLE, BUSY] = ["payload_too_large", "invalid_body", "service_unavailable"];

/** Opens requests whose bodies are being read. */
function openingBy(read: ReturnType<typeof openReader>, siteOfAll?: string) {
  return (client: string, site = siteOfAll ?? client) => {
    const one = openRequest();
    const reading = read(one.request, { client, site });
    const ended = () => {
      one.end();
      return reading;
    };
    return { ...one, reading, ended };
  };
}

Deno.test("createBodyReader() reads the text of a body in any chunks", async () => {
  const read = openReader(LIMITS);
  const bytes = [...new TextEncoder().encode("ab\u00e9")].map((byte) => Uint8Array.of(byte));
  for (const [chunks, text] of [[bytes, "ab\u00e9"], [[], ""], [undefined, ""]] as const) {
    const body = chunks === undefined ? null : ReadableStream.from(chunks);
    const request = new Request("http://localhost/", { method: "POST", body });
    assertEquals(await read(request, from("a")), text);
  }
});

Deno.test("createBodyReader() refuses and cancels a body that is too large, with Content-Length or without, or late", async () => {
  const read = openReader(LIMITS);
  assertEquals(await read(openRequest({ "content-length": "9" }).request, from("a")), TOO_LARGE);
  const [large, late] = [openRequest(), openRequest()];
  for (const text of ["12345678", "9"]) large.send(text);
  assertEquals(await read(large.request, from("a")), TOO_LARGE);
  late.send("1");
  assertEquals(await openReader({ ...LIMITS, deadlineMs: 1 })(late.request, from("a")), NOT_WHOLE);
  assertEquals([large.isCancelled(), late.isCancelled()], [true, true]);
});

Deno.test("createBodyReader() refuses bodies over its limits for all clients and for one, unread, and each outcome frees a place", async () => {
  const open = openingBy(openReader(LIMITS), "the site of all");
  const [first, second, third] = [open("a"), open("a"), open("b")];
  const unread = open("c");
  assertEquals(await unread.reading, BUSY);
  assertEquals(unread.request.bodyUsed, false);
  assertEquals(await third.ended(), "");
  assertEquals(await open("a").reading, BUSY);
  first.fail();
  assertEquals(await first.reading, NOT_WHOLE);
  second.send("123456789");
  assertEquals(await second.reading, TOO_LARGE);
  for (const one of [open("a"), open("a")]) assertEquals(await one.ended(), "");
});

Deno.test("createBodyReader() drops the oldest body of the busiest site for another site's, not for its own", async () => {
  const open = openingBy(openReader({ ...LIMITS, atOnce: 4 }));
  const lone = open("b");
  const site = ["a1", "a2", "a3"].map((client) => open(client, "a"));
  assertEquals(await open("a4", "a").reading, BUSY);
  const other = open("c");
  assertEquals(await site[0]?.reading, BUSY);
  assertEquals(site.map(({ isCancelled }) => isCancelled()), [true, false, false]);
  for (const one of [lone, other, ...site.slice(1)]) assertEquals(await one.ended(), "");
});

/** Characters of a row: three are more than the sockets of both sides hold. */
const LONG = 8_000_000;

const NEVER = new AbortController().signal;
const SENDER = { client: "192.0.2.1", site: "192.0.2.0/24" };

Deno.test("an answer of any form is cut where its client reads nothing, and whole where it reads", () =>
  onLab(async ({ services }) => {
    let written = 0;
    const checkDomain: CheckDomain = (label, tld) => {
      const row = takenRow(label, tld);
      const toJSON = () => (written++, { ...row, reason: "x".repeat(LONG) });
      return Promise.resolve(Object.assign(row, { toJSON }));
    };
    /** Serves the rows, and cuts an answer of which a client takes nothing for so long. */
    function serve(unreadMs: number): Deno.HttpServer<Deno.NetAddr> {
      const { app } = changedApp(services, { checkDomain }, { ms: unreadMs });
      const onError = () => new Response();
      return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {}, onError }, app.fetch);
    }
    await using patient = serve(60_000);
    await using strict = serve(20);

    /** The characters of an answer that the client begins to read after a while. */
    async function lengthOf(server: typeof strict, request: readonly string[], afterMs = 0) {
      using connection = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
      await connection.write(new TextEncoder().encode(request.join("\r\n")));
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      return (await new Response(connection.readable).text()).length;
    }

    const json = "application/json";
    const call = toolCall("check_domain", { names: ["any"], details: true });
    const forms = [json, "application/x-ndjson", "text/event-stream"];
    const requests = [
      ...forms.map((accept) => ["GET /check?name=any", accept, ""]),
      ...forms.map((accept) => ["POST /check", accept, '{"names":["any"]}']),
      ["POST /mcp/", `${json}, text/event-stream`, JSON.stringify(call)],
    ];
    for (const [line = "", accept = "", text = ""] of requests) {
      const head = [`${line} HTTP/1.1`, "host: localhost", `accept: ${accept}`];
      const ofBody = [`content-type: ${json}`, `content-length: ${text.length}`];
      const request = [...head, "connection: close", ...ofBody, "", text];
      const what = `${line} as ${accept}`;
      assert(await lengthOf(patient, request) > 3 * LONG, `whole: ${what}`);
      await until(`cut: ${what}`, async () => {
        written = 0;
        return await lengthOf(strict, request, 100) < 3 * LONG;
      });
      // The rows of a stream become text when they are pulled.
      if (!accept.startsWith(json)) assert(written < 3, what);
    }
  }, { env: { TLDS: "ai,com,net" } }));

Deno.test("a long JSON answer has the length and the bytes of the whole text", () =>
  onLab(async ({ services }) => {
    const reason = "ä€😀".repeat(20_000);
    const rowOf = (label: string, tld: string) => ({ ...takenRow(label, tld), reason });
    const checkDomain: CheckDomain = (label, tld) => Promise.resolve(rowOf(label, tld));
    const { ask } = changedApp(services, { checkDomain });
    const answer = await ask("/check?name=any");
    const length = Number(answer.headers.get("content-length"));
    const bytes = await answer.bytes();
    assertEquals(bytes.length, length);
    const { results } = JSON.parse(new TextDecoder().decode(bytes));
    assertEquals(results, ["ai", "com", "net"].map((tld) => rowOf("any", tld)));
    const head = await ask("/check?name=any", { method: "HEAD" });
    assertEquals(head.status, 200);
    // Its own, whose time in ms may have another number of digits.
    const others = Math.abs(Number(head.headers.get("content-length")) - length);
    assert(others <= 4, `${others}`);
  }, { env: { TLDS: "ai,com,net" } }));

Deno.test("a pulled body waits for a chunk as long as it takes where the client reads", async () => {
  const late = Promise.withResolvers<void>();
  async function* chunks() {
    yield new Uint8Array(1);
    await late.promise;
    yield new Uint8Array(2);
  }
  const reader = createPulledBody({ ms: 1, ending: NEVER })(chunks(), SENDER).getReader();
  assertEquals((await reader.read()).value?.length, 1);
  const second = reader.read();
  setTimeout(late.resolve, 20);
  assertEquals((await second).value?.length, 2);
  await reader.cancel();
});

Deno.test("a pulled body ends its chunks and gives its place back when the client reads nothing, no more, or leaves", async () => {
  for (const reads of ["none", "one", "and leaves"] as const) {
    const ended = Promise.withResolvers<void>();
    const chunks = function* () {
      try {
        for (;;) yield new Uint8Array(1);
      } finally {
        ended.resolve();
      }
    };
    const bounds = { ms: reads === "and leaves" ? 60_000 : 1, limits: { atOnce: 1, perClient: 1 } };
    const pulledBody = createPulledBody({ ...bounds, ending: NEVER });
    const reader = pulledBody(chunks(), SENDER).getReader();
    if (reads === "none") await assertRejects(() => reader.closed, Error);
    else await reader.read();
    if (reads === "and leaves") await reader.cancel();
    // Chunks that have not begun need no end.
    if (reads !== "none") await ended.promise;
    const end = reads === "and leaves" || "cut";
    assertEquals(await reader.read().then(({ done }) => done, () => "cut"), end);
    await pulledBody(chunks(), SENDER).cancel();
  }
});

Deno.test("a pulled body gives its place back when its chunks fail", async () => {
  const pulledBody = createPulledBody({ limits: { atOnce: 1, perClient: 1 }, ending: NEVER });
  async function* failing(): AsyncGenerator<Uint8Array, void> {
    yield new Uint8Array(1);
    await Promise.reject(new RangeError("a bug"));
  }
  await assertRejects(() => new Response(pulledBody(failing(), SENDER)).bytes(), RangeError);
  const next = new Response(pulledBody(chunksOf(new Uint8Array(3)), SENDER));
  assertEquals((await next.bytes()).length, 3);
});

Deno.test("a pulled body leaves no timer behind for a client that has left when the process ends", async () => {
  const ending = new AbortController();
  const body = createPulledBody({ ending: ending.signal })(chunksOf(new Uint8Array(3)), SENDER);
  await body.getReader().read();
  ending.abort();
});

Deno.test("a stream without a place takes one of the site that has most, or is 503; each is given back", () =>
  onLab(async ({ services }) => {
    const answered = Promise.withResolvers<void>();
    let checks = 0;
    let signal: AbortSignal | undefined;
    const checkDomain: CheckDomain = async (label, tld, waiter) => {
      checks++;
      signal = waiter?.signal;
      await answered.promise;
      return takenRow(label, tld);
    };
    const { ask } = changedApp(services, { checkDomain }, { limits: { atOnce: 3, perClient: 2 } });
    const open = (address: string, tld = "com") =>
      ask(`/check?name=any&tld=${tld}`, {
        headers: { accept: "application/x-ndjson", "x-forwarded-for": address },
      });
    const [first, second] = [await open("192.0.2.1"), await open("192.0.2.1")];
    const isCut = assertRejects(() => first.text(), Error, "Other clients need its place");
    const refused = await open("192.0.2.1");
    assertEquals([refused.status, refused.headers.get("retry-after")], [503, "1"]);
    assertEquals([(await refused.json()).error, checks], ["service_unavailable", 1]);
    // One that is no stream in the end gives its place back.
    for (let n = 0; n < 3; n++) assertEquals((await open("192.0.2.9", "nope")).status, 400);
    for (const other of ["192.0.2.2", "198.51.100.1"]) {
      assertEquals((await open(other)).status, 200);
    }
    await isCut;
    assertEquals([(await open("192.0.2.3")).status, signal?.aborted], [503, true]);
    // A call has begun by then.
    const headers = { "x-forwarded-for": "192.0.2.3" };
    const call = mcpPost(toolCall("check_domain", { names: ["any.com"] }), { headers });
    assertEquals([(await ask("/mcp/", call)).status, signal?.aborted], [503, true]);
    await second.body?.cancel();
    const again = await open("192.0.2.1");
    answered.resolve();
    assertEquals((await again.text()).split("\n").length, 3);
    assertEquals((await open("192.0.2.1")).status, 200);
  }, { env: { TRUSTED_PROXIES: "1" } }));
