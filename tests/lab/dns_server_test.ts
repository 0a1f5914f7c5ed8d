import { assertEquals } from "@std/assert";
// @ts-types="@types/dns-packet"
import packet from "dns-packet";
import { Buffer } from "node:buffer";
import type { DnsBehaviour } from "./dns_behaviour.ts";
import { type DnsServer, startDnsServer } from "./dns_server.ts";

const QUESTION = packet.streamEncode({ id: 7, questions: [{ type: "NS", name: "x.com" }] });

const RCODES: readonly [DnsBehaviour["kind"], string, string[]][] = [
  ["nxdomain", "NXDOMAIN", ["com"]],
  ["nodata", "NOERROR", ["com"]],
  ["servfail", "SERVFAIL", []],
  ["refused", "REFUSED", []],
];
for (const [kind, rcode, soaOwners] of RCODES) {
  Deno.test(`startDnsServer() answers ${kind} with its RCODE and SOA`, async () => {
    await using server = await startDnsServer({ answer: () => ({ kind } as DnsBehaviour) });
    const reply = await askOverTcp(server, QUESTION);
    // Decoded messages have an `rcode`, though the types lack it.
    assertEquals((reply as { rcode?: string }).rcode, rcode);
    assertEquals(reply.authorities?.map(({ name }) => name), soaOwners);
  });
}

/** Asks over TCP and reads one reply. */
async function askOverTcp({ address }: DnsServer, message: Uint8Array): Promise<packet.Packet> {
  const [hostname = "", port] = address.split(":");
  using connection = await Deno.connect({ hostname, port: Number(port) });
  await connection.write(message);
  let bytes = Buffer.alloc(0);
  const chunk = new Uint8Array(4096);
  while (bytes.length < 2 || bytes.length < 2 + bytes.readUInt16BE()) {
    bytes = Buffer.concat([bytes, chunk.subarray(0, await connection.read(chunk) ?? 0)]);
  }
  return packet.streamDecode(bytes);
}
