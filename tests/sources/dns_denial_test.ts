import { assertEquals } from "@std/assert";
import { createDenialQuestion } from "../../src/sources/dns_denial.ts";
import type { DnsBehaviour } from "../lab/dns_behaviour.ts";
import { startDnsServer } from "../lab/dns_server.ts";

const NEVER = new AbortController().signal;

/** Asks a server that answers like this, the first query and all others. */
async function askOf(first: DnsBehaviour["kind"], others = first, deadlineMs = 10_000) {
  let count = 0;
  const kindOf = () => (count++ === 0 ? first : others);
  await using server = await startDnsServer({ answer: () => ({ kind: kindOf() } as DnsBehaviour) });
  const [ipAddr = "", port] = server.address.split(":");
  const nameServer = { ipAddr, port: Number(port) };
  const ask = createDenialQuestion({ nameServer, stop: NEVER, deadlineMs });
  const isDenied = await ask("random.com");
  return { isDenied, queries: server.queries.map(({ name, type }) => [name, type]) };
}

for (
  const [kind, isDenied] of [
    ["nxdomain", true],
    ["nodata", true],
    ["delegated", true],
    ["servfail", false],
    ["refused", false],
  ] as const
) {
  Deno.test(`the question about a random name is ${isDenied} when the resolver answers ${kind}`, async () => {
    const asked = await askOf(kind);
    assertEquals(asked, { isDenied, queries: [["random.com", "NS"]] });
  });
}

for (const kind of ["silent", "garbage", "wrongId"] as const) {
  Deno.test(`the question about a random name is sent again when the first answer is ${kind}`, async () => {
    assertEquals(await askOf(kind, "nxdomain", 100), {
      isDenied: true,
      queries: [["random.com", "NS"], ["random.com", "NS"]],
    });
  });
}

Deno.test("the question about a random name is false when the resolver does not answer in time, or cannot be reached", async () => {
  assertEquals((await askOf("silent", "silent", 10)).isDenied, false);
  const nameServer = { ipAddr: "255.255.255.255", port: 53 };
  const ask = createDenialQuestion({ nameServer, stop: NEVER });
  assertEquals(await ask("random.com"), false);
  assertEquals(
    await createDenialQuestion({ nameServer, stop: AbortSignal.abort() })("a.com"),
    false,
  );
});
