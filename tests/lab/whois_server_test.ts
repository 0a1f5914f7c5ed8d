import { assertEquals } from "@std/assert";
import { startLab } from "./lab.ts";

/** What the lab's server sends for a line. */
async function whois(address: string, line: string): Promise<string> {
  const [hostname = "", port] = address.split(":");
  const connection = await Deno.connect({ hostname, port: Number(port) });
  await connection.write(new TextEncoder().encode(line));
  return await new Response(connection.readable).text();
}

Deno.test("the WHOIS server lists similar names for a query that is not in the registry's form", async () => {
  await using lab = await startLab();
  for (const line of ["taken.com", "domain taken.io", "taken.dev"]) {
    assertEquals(
      /Registrar|No match|not found/.test(await whois(lab.whoisServer, `${line}\r\n`)),
      false,
    );
  }
});
