import { assertEquals } from "@std/assert";
import { startLab } from "./lab.ts";

Deno.test("startLab() answers 404 on a wrong host or path", async () => {
  await using lab = await startLab();
  using client = Deno.createHttpClient({ proxy: { url: lab.proxyUrl } });
  const get = async (url: string) => {
    const response = await fetch(url, { client });
    return {
      status: response.status,
      type: response.headers.get("content-type"),
      body: await response.text(),
    };
  };
  const { type, body } = await get("http://rdap.nic.io/domain/taken.io");
  assertEquals(type, "application/rdap+json");
  assertEquals(JSON.parse(body).errorCode, 404);
  const wrongTld = await get("http://rdap.verisign.com/com/v1/domain/taken.net");
  assertEquals([wrongTld.status, wrongTld.body], [404, ""]);
  const help = await get("http://rdap.nic.tv/help");
  assertEquals([help.status, help.type], [404, "text/html"]);
  assertEquals(
    (await get("http://rdap.publicinterestregistry.org/rdap/domain/-x.org")).status,
    400,
  );
  assertEquals((await get("http://rdap.nic.tv/domain/%E0%A4%A")).status, 404);
});
