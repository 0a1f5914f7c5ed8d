import { assertEquals } from "@std/assert";
import {
  type BodyFault,
  type BodyLimits,
  type BodyReading,
  createBodyReader,
} from "../../src/api/request_body.ts";

const LIMITS: BodyLimits = { maxBytes: 8, deadlineMs: 60_000, atOnce: 3, perClient: 2 };

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
const from = (client: string, site = client) => ({ client, site });

function refused(reason: BodyFault): BodyReading {
  return { kind: "refused", reason };
}

Deno.test("createBodyReader() reads the text of a body in any chunks", async () => {
  const read = createBodyReader(LIMITS);
  const one = openRequest();
  const reading = read(one.request, from("a"));
  const [first = 0, second = 0] = new TextEncoder().encode("\u00e9");
  one.send("ab");
  one.end();
  assertEquals(await reading, { kind: "text", text: "ab" });
  const bytes = new Blob([new Uint8Array([first]), new Uint8Array([second])]).stream();
  const split = new Request("http://localhost/", { method: "POST", body: bytes });
  assertEquals(await read(split, from("a")), { kind: "text", text: "\u00e9" });
  assertEquals(await read(new Request("http://localhost/", { method: "POST" }), from("a")), {
    kind: "text",
    text: "",
  });
});

Deno.test("createBodyReader() refuses and cancels a body that is too large, with Content-Length or without", async () => {
  const read = createBodyReader(LIMITS);
  const announced = openRequest({ "content-length": "9" });
  assertEquals(await read(announced.request, from("a")), refused("tooLarge"));
  const one = openRequest();
  const reading = read(one.request, from("a"));
  one.send("12345678");
  one.send("9");
  assertEquals(await reading, refused("tooLarge"));
  assertEquals(one.isCancelled(), true);
});

Deno.test("createBodyReader() refuses and cancels a body that misses its deadline", async () => {
  const read = createBodyReader({ ...LIMITS, deadlineMs: 1 });
  const one = openRequest();
  one.send("1");
  assertEquals(await read(one.request, from("a")), refused("late"));
  assertEquals(one.isCancelled(), true);
});

Deno.test("createBodyReader() refuses bodies over its limits for all clients and for one, unread", async () => {
  const read = createBodyReader(LIMITS);
  const from = (client: string) => ({ client, site: "the site of all" });
  const open = ["a", "a", "b"].map((client) => {
    const one = openRequest();
    return { ...one, reading: read(one.request, from(client)) };
  });
  const unread = openRequest();
  assertEquals(await read(unread.request, from("c")), refused("busy"));
  assertEquals(unread.request.bodyUsed, false);
  open[2]?.end();
  await open[2]?.reading;
  // Two of this client are being read.
  assertEquals(await read(openRequest().request, from("a")), refused("busy"));
  const other = openRequest();
  const reading = read(other.request, from("c"));
  other.end();
  assertEquals((await reading).kind, "text");
  // Every outcome releases the slot.
  open[0]?.fail();
  assertEquals(await open[0]?.reading, refused("broken"));
  open[1]?.send("123456789");
  assertEquals(await open[1]?.reading, refused("tooLarge"));
  const again = [openRequest(), openRequest()].map((one) => {
    one.end();
    return read(one.request, from("a"));
  });
  assertEquals((await Promise.all(again)).map(({ kind }) => kind), ["text", "text"]);
});

Deno.test("createBodyReader() drops the oldest body of the busiest site for another site's, not for its own", async () => {
  const read = createBodyReader({ ...LIMITS, atOnce: 4 });
  const lone = openRequest();
  const loneReading = read(lone.request, from("b"));
  const site = ["a1", "a2", "a3"].map((client) => {
    const one = openRequest();
    return { ...one, reading: read(one.request, from(client, "a")) };
  });
  assertEquals(await read(openRequest().request, from("a4", "a")), refused("busy"));
  const other = openRequest();
  const reading = read(other.request, from("c"));
  assertEquals(await site[0]?.reading, refused("busy"));
  assertEquals(site.map(({ isCancelled }) => isCancelled()), [true, false, false]);
  for (const one of [lone, other]) one.end();
  assertEquals([(await loneReading).kind, (await reading).kind], ["text", "text"]);
  for (const one of site.slice(1)) one.end();
  await Promise.all(site.map(({ reading }) => reading));
});
