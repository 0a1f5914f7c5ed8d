import { assertEquals, assertRejects } from "@std/assert";
import type { TestFault, WhoisText } from "../../src/rules/answer.ts";
import { type ConnectTcp, createWhoisQuery } from "../../src/sources/whois.ts";
import { startWhoisServer } from "../lab/whois_server.ts";
import type { WhoisBehaviour } from "../lab/whois_behaviours.ts";
import { WHOIS_FORMS } from "../lab/whois_forms.ts";
import { idle } from "../support/until.ts";

const { signal: NEVER } = new AbortController();
/** For servers that never end their answer. */
const SOON_MS = 100;

type Options = Partial<Parameters<typeof createWhoisQuery>[0]> & { query?: string };

function queryServer(address: string, { query = "zebra.io", ...options }: Options = {}) {
  const usual = { connect: Deno.connect, allowInsecure: true, stop: NEVER, now: () => 7 };
  const [hostname = "", port] = address.split(":");
  return createWhoisQuery({ ...usual, ...options })({ hostname, port: Number(port) }, query);
}

/** The reply about zebra.io of a server that does this. */
async function ask(answer: WhoisBehaviour, options?: Options) {
  await using server = await startWhoisServer({ answer: () => answer });
  const reply = await queryServer(server.address, options);
  return { reply, queries: server.queries.map(({ query }) => query) };
}

function failed(fault: "down" | "unclear", what: string, testFault?: TestFault): WhoisText {
  const why = `The registry's WHOIS server ${what}`;
  return { kind: "failed", fault, why, ...(testFault && { testFault }) };
}

Deno.test("queryWhois() sends one printable line, rejects any other query, and returns the whole text, decoded", async () => {
  const { reply, queries } = await ask("record");
  assertEquals(queries, ["zebra.io"]);
  assertEquals(reply, { kind: "text", text: WHOIS_FORMS.io?.record("zebra.io") ?? "", askedAt: 7 });
  const latin = await ask("latin1");
  assertEquals(latin.reply.kind === "text" && latin.reply.text.includes("Müller"), true);
  for (const query of ["zebra.io\r\nother.io", "zebra.io\n", "zebra\0.io", "zébra.io", ""]) {
    await assertRejects(() => ask("record", { query }), TypeError, "one printable line");
  }
});

const FAULTS: [WhoisBehaviour, Options, WhoisText][] = [
  ["silent", { deadlineMs: SOON_MS }, failed("down", "did not answer in time")],
  ["drip", { deadlineMs: SOON_MS }, failed("down", "did not answer in time")],
  ["reset", {}, failed("down", "cannot be reached", "refused")],
  ["empty", {}, failed("down", "sent no answer", "refused")],
  ["oversized", {}, failed("unclear", "sent too long an answer")],
];

Deno.test("queryWhois() fails for a server that does not answer, and for a port on which nothing listens", async () => {
  for (const [behaviour, options, reply] of FAULTS) {
    assertEquals((await ask(behaviour, options)).reply, reply, behaviour);
  }
  const server = await startWhoisServer({ answer: () => "record" });
  await server.close();
  const unreachable = { ...failed("down", "cannot be reached"), testFault: "unreachable" };
  assertEquals<unknown>(await queryServer(server.address), unreachable);
});

Deno.test("queryWhois() sends nothing to a private address, also if a public name led there", async () => {
  const { reply, queries } = await ask("record", { allowInsecure: false });
  const refused = failed("unclear", "has no public address");
  assertEquals([reply, queries], [refused, []]);
  const hosts = ["10.0.0.1", "fe80::1%eth0", "::ffff:127.0.0.1", "198.51.100.7", "8.8.8.8"];
  for (const hostname of hosts) {
    const connect = () => Promise.resolve(connectedTo(hostname));
    const options = { connect, allowInsecure: false };
    const reply = hostname === "8.8.8.8" ? failed("down", "sent no answer", "refused") : refused;
    assertEquals(await queryServer("whois.nic.io:43", options), reply, hostname);
  }
});

Deno.test("queryWhois() is cancelled when the service stops, before and after the connection", async () => {
  const cancelled = failed("unclear", "cannot be reached");
  assertEquals((await ask("record", { stop: AbortSignal.abort() })).reply, cancelled);
  assertEquals((await ask("silent", { stop: AbortSignal.timeout(SOON_MS) })).reply, cancelled);
});

Deno.test("queryWhois() closes a connection that opens after its time, which Deno loses if it has the signal", async () => {
  const opening = Promise.withResolvers<void>();
  const seen: string[] = [];
  const connect = async ({ signal }: { hostname: string; signal?: AbortSignal }) => {
    await opening.promise;
    seen.push("opened");
    signal?.throwIfAborted();
    return connectedTo("127.0.0.1", () => void seen.push("closed"));
  };
  const asking = queryServer("whois.nic.io:43", { connect, deadlineMs: 1 });
  const late = { ...failed("down", "did not answer in time"), testFault: "unreachable" };
  assertEquals<unknown>(await asking, late);
  opening.resolve();
  await idle();
  assertEquals(seen, ["opened", "closed"]);
});

/** A connection that takes everything and is at its end. */
function connectedTo(hostname: string, close = () => {}): Awaited<ReturnType<ConnectTcp>> {
  return {
    remoteAddr: { transport: "tcp", hostname, port: 43 },
    read: () => Promise.resolve(null),
    write: (bytes) => Promise.resolve(bytes.length),
    [Symbol.dispose]: close,
  };
}
