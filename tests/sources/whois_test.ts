import { assertEquals, assertRejects } from "@std/assert";
import type { WhoisText } from "../../src/rules/answer.ts";
import { createWhoisQuery } from "../../src/sources/whois.ts";
import { startWhoisServer } from "../lab/whois_server.ts";
import type { WhoisBehaviour } from "../lab/whois_behaviours.ts";
import { WHOIS_FORMS } from "../lab/whois_forms.ts";

const { signal: NEVER } = new AbortController();
/** For servers that never end their answer. */
const SOON_MS = 100;

interface Options {
  allowInsecure?: boolean;
  stop?: AbortSignal;
  deadlineMs?: number;
  query?: string;
}

/** The reply about zebra.io of a server that does this. */
async function ask(
  answer: WhoisBehaviour,
  { allowInsecure = true, stop = NEVER, deadlineMs, query = "zebra.io" }: Options = {},
): Promise<{ reply: WhoisText; queries: string[] }> {
  await using server = await startWhoisServer({ answer: () => answer });
  const queryWhois = createWhoisQuery({
    connect: Deno.connect,
    allowInsecure,
    stop,
    now: () => 7,
    deadlineMs,
  });
  const [hostname = "", port] = server.address.split(":");
  const reply = await queryWhois({ hostname, port: Number(port) }, query);
  return { reply, queries: server.queries.map(({ query }) => query) };
}

function failed(fault: "down" | "unclear", what: string, isClosed = false): WhoisText {
  return {
    kind: "failed",
    fault,
    why: `The registry's WHOIS server ${what}`,
    ...(isClosed && { isClosed }),
  };
}

Deno.test("queryWhois() sends one line and returns the whole text, decoded", async () => {
  const { reply, queries } = await ask("record");
  assertEquals(queries, ["zebra.io"]);
  assertEquals(reply, { kind: "text", text: WHOIS_FORMS.io?.record("zebra.io") ?? "", askedAt: 7 });
  const latin = await ask("latin1");
  assertEquals(latin.reply.kind === "text" && latin.reply.text.includes("M�ller"), true);
});

const FAULTS: [WhoisBehaviour, Options, WhoisText][] = [
  ["silent", { deadlineMs: SOON_MS }, failed("down", "did not answer in time")],
  ["drip", { deadlineMs: SOON_MS }, failed("down", "did not answer in time")],
  ["reset", {}, failed("down", "cannot be reached", true)],
  ["empty", {}, failed("down", "sent no answer", true)],
  ["oversized", {}, failed("unclear", "sent too long an answer")],
];

for (const [behaviour, options, reply] of FAULTS) {
  Deno.test(`queryWhois() fails for a server that does ${behaviour}`, async () => {
    assertEquals((await ask(behaviour, options)).reply, reply);
  });
}

Deno.test("queryWhois() fails for a port on which nothing listens", async () => {
  const queryWhois = createWhoisQuery({
    connect: Deno.connect,
    allowInsecure: true,
    stop: NEVER,
    now: () => 7,
  });
  const server = await startWhoisServer({ answer: () => "record" });
  const [hostname = "", port] = server.address.split(":");
  await server.close();
  const reply = await queryWhois({ hostname, port: Number(port) }, "zebra.io");
  assertEquals(
    reply,
    { ...failed("down", "cannot be reached"), isUnreachable: true } as WhoisText,
  );
});

Deno.test("queryWhois() sends nothing to a private address, also if a public name led there", async () => {
  const { reply, queries } = await ask("record", { allowInsecure: false });
  assertEquals([reply, queries], [failed("unclear", "has no public address"), []]);
  for (const hostname of ["10.0.0.1", "fe80::1%eth0", "::ffff:127.0.0.1", "198.51.100.7"]) {
    const queryWhois = createWhoisQuery({
      connect: () => Promise.resolve(connectedTo(hostname)),
      allowInsecure: false,
      stop: NEVER,
      now: () => 7,
    });
    const reply = await queryWhois({ hostname: "whois.nic.io", port: 43 }, "zebra.io");
    assertEquals(reply, failed("unclear", "has no public address"));
  }
});

Deno.test("queryWhois() asks a server with a public address", async () => {
  const queryWhois = createWhoisQuery({
    connect: () => Promise.resolve(connectedTo("8.8.8.8")),
    allowInsecure: false,
    stop: NEVER,
    now: () => 7,
  });
  const reply = await queryWhois({ hostname: "whois.nic.io", port: 43 }, "zebra.io");
  assertEquals(reply, failed("down", "sent no answer", true));
});

Deno.test("queryWhois() is cancelled when the service stops, before and after the connection", async () => {
  const cancelled = failed("down", "cannot be reached");
  assertEquals((await ask("record", { stop: AbortSignal.abort() })).reply, cancelled);
  assertEquals((await ask("silent", { stop: AbortSignal.timeout(SOON_MS) })).reply, cancelled);
});

Deno.test("queryWhois() rejects a query that is not one printable line", async () => {
  for (const query of ["zebra.io\r\nother.io", "zebra.io\n", "zebra\0.io", "zébra.io", ""]) {
    await assertRejects(() => ask("record", { query }), TypeError, "one printable line");
  }
});

/** A connection that takes everything and is at its end. */
function connectedTo(
  hostname: string,
): Pick<Deno.TcpConn, "read" | "write" | "close" | "remoteAddr"> {
  return {
    remoteAddr: { transport: "tcp", hostname, port: 43 },
    read: () => Promise.resolve(null),
    write: (bytes) => Promise.resolve(bytes.length),
    close() {},
  };
}
