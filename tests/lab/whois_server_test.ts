import { assertEquals, assertMatch } from "@std/assert";
import { startLab } from "./lab.ts";

/** What the lab's server sends for a line. */
async function whois(address: string, line: string): Promise<string> {
  const [hostname = "", port] = address.split(":");
  const connection = await Deno.connect({ hostname, port: Number(port) });
  await connection.write(new TextEncoder().encode(line));
  return await new Response(connection.readable).text();
}

Deno.test("the WHOIS server answers in the form of the TLD, by the script of the name", async () => {
  await using lab = await startLab();
  lab.script("kept.io", { dns: "nxdomain", rdap: "free", whois: "globalblock" });
  const ask = (line: string) => whois(lab.whoisServer, `${line}\r\n`);
  assertMatch(await ask("domain taken.com"), /^ {3}Domain Name: TAKEN\.COM\r\n/);
  assertMatch(await ask("taken.io"), /\nDomain Name: taken\.io\n/);
  assertMatch(await ask("zebra.online"), /^Domain zebra\.online is available for registration\n/);
  assertMatch(await ask("kept.io"), /blocked by a GlobalBlock service/);
  lab.scriptWhois("io", "record");
  assertMatch(await ask("kept.io"), /\nDomain Name: kept\.io\n/);
  assertEquals(lab.whoisQueries.map(({ query }) => query).slice(0, 2), [
    "domain taken.com",
    "taken.io",
  ]);
});

Deno.test("the WHOIS server lists similar names for a query that is not in the registry's form", async () => {
  await using lab = await startLab();
  for (const line of ["taken.com", "domain taken.io", "taken.dev"]) {
    assertEquals(
      /Registrar|No match|not found/.test(await whois(lab.whoisServer, `${line}\r\n`)),
      false,
    );
  }
});
