import { assertEquals, assertRejects } from "@std/assert";
// @ts-types="@types/dns-packet"
import packet from "dns-packet";
import { Buffer } from "node:buffer";
import type { DnsBehaviour } from "./dns_behaviour.ts";
import { type DnsServer, startDnsServer } from "./dns_server.ts";

Deno.test("startDnsServer() names the name servers of a delegated name", async () => {
  const nameServers = ["a.example", "b.example"];
  await using server = await startDnsServer({ answer: () => ({ kind: "delegated", nameServers }) });
  assertEquals(await resolveNs(server), ["a.example.", "b.example."]);
});

Deno.test("startDnsServer() refers to the name servers, as a TLD's own servers do", async () => {
  await using server = await startDnsServer({ answer: () => ({ kind: "referral" }) });
  assertEquals((await resolveNs(server)).length, 2);
});

Deno.test("startDnsServer() gives TXT records of several strings, and a long answer", async () => {
  const records = [["one"], ["two", "é".repeat(100)], ["x".repeat(255), "y".repeat(255)]];
  await using server = await startDnsServer({ answer: () => ({ kind: "text", records }) });
  const [ipAddr = "", port] = server.address.split(":");
  const nameServer = { ipAddr, port: Number(port) };
  const found = await Deno.resolveDns("x.com.", "TXT", { nameServer });
  // Deno gives each octet as a character.
  assertEquals(found, [["one"], ["two", "Ã©".repeat(100)], ["x".repeat(255), "y".repeat(255)]]);
});

const WITHOUT_RECORDS = [
  "upwardReferral",
  "nxdomain",
  "nodata",
  "rewritten",
  "servfail",
  "refused",
] as const;
for (const kind of WITHOUT_RECORDS) {
  Deno.test(`startDnsServer() has no records to give: ${kind}`, async () => {
    await using server = await startDnsServer({ answer: () => ({ kind }) });
    await assertRejects(() => resolveNs(server), Deno.errors.NotFound, "no records found");
  });
}

for (const kind of ["silent", "garbage", "wrongId"] as const) {
  Deno.test(`startDnsServer() gives no answer that counts: ${kind}`, async () => {
    await using server = await startDnsServer({ answer: () => ({ kind }) });
    await assertRejects(() => resolveNs(server, AbortSignal.timeout(150)), DOMException);
    assertEquals(server.queries.length, 1);
  });
}

Deno.test("startDnsServer() gives a truncated answer in full over TCP", async () => {
  await using server = await startDnsServer({ answer: () => ({ kind: "truncated" }) });
  assertEquals((await resolveNs(server)).length, 60);
  assertEquals(server.queries.map(({ transport }) => transport), ["udp", "tcp"]);
});

Deno.test("startDnsServer() records queries in lower case, without the trailing dot", async () => {
  await using server = await startDnsServer({ answer: () => ({ kind: "delegated" }) });
  await resolveNs(server, undefined, "Taken.COM.");
  const [query] = server.queries;
  assertEquals([query?.name, query?.type, query?.transport], ["taken.com", "NS", "udp"]);
});

const RCODES: readonly [DnsBehaviour["kind"], string, string[]][] = [
  ["nxdomain", "NXDOMAIN", ["com"]],
  ["nodata", "NOERROR", ["com"]],
  ["servfail", "SERVFAIL", []],
  ["refused", "REFUSED", []],
];
for (const [kind, rcode, soaOwners] of RCODES) {
  Deno.test(`startDnsServer() answers ${kind} with its RCODE and SOA`, async () => {
    await using server = await startDnsServer({ answer: () => ({ kind } as DnsBehaviour) });
    const [reply] = await askOverTcp(server, [question("x.com")]);
    // Decoded messages have an `rcode`, though the types lack it.
    assertEquals((reply as { rcode?: string } | undefined)?.rcode, rcode);
    assertEquals(reply?.authorities?.map(({ name }) => name), soaOwners);
  });
}

Deno.test("startDnsServer() reads TCP messages that arrive in pieces or together", async () => {
  await using server = await startDnsServer({ answer: () => ({ kind: "delegated" }) });
  const [first, second] = [question("one.com"), question("two.com")];
  const together = Buffer.concat([first, second]);
  const replies = await askOverTcp(server, [together.subarray(0, 1), together.subarray(1)], 2);
  assertEquals(replies.map((reply) => reply.questions?.[0]?.name), ["one.com", "two.com"]);
});

Deno.test("startDnsServer() stays up when it is asked nonsense", async () => {
  await using server = await startDnsServer({ answer: () => ({ kind: "delegated" }) });
  const replies = await askOverTcp(server, [Buffer.from([0, 1, 7]), question("x.com")]);
  assertEquals(replies.length, 1);
});

Deno.test("close() cancels delayed answers and connections that are open", async () => {
  const asked = Promise.withResolvers<void>();
  const server = await startDnsServer({
    answer() {
      asked.resolve();
      return { kind: "delegated", delayMs: 60_000 };
    },
  });
  const reply = askOverTcp(server, [question("x.com")]);
  await asked.promise;
  await server.close();
  assertEquals(await reply, []);
});

function resolveNs({ address }: DnsServer, signal?: AbortSignal, name = "x.com.") {
  const [ipAddr = "", port] = address.split(":");
  const nameServer = { ipAddr, port: Number(port) };
  return Deno.resolveDns(name, "NS", { nameServer, ...(signal ? { signal } : {}) });
}

function question(name: string): Buffer {
  return packet.streamEncode({ id: 7, questions: [{ type: "NS", name }] });
}

/** Writes the pieces one by one and reads until so many replies have come or the server disconnects. */
async function askOverTcp({ address }: DnsServer, pieces: readonly Uint8Array[], count = 1) {
  const [hostname = "", port] = address.split(":");
  using connection = await Deno.connect({ hostname, port: Number(port) });
  for (const piece of pieces) await connection.write(piece);
  const replies: packet.Packet[] = [];
  let bytes = Buffer.alloc(0);
  const chunk = new Uint8Array(4096);
  while (replies.length < count) {
    const read = await connection.read(chunk).catch(() => null);
    if (read === null) break;
    bytes = Buffer.concat([bytes, chunk.subarray(0, read)]);
    while (bytes.length >= 2 && bytes.length >= 2 + bytes.readUInt16BE()) {
      const end = 2 + bytes.readUInt16BE();
      replies.push(packet.streamDecode(bytes.subarray(0, end)));
      bytes = bytes.subarray(end);
    }
  }
  return replies;
}
