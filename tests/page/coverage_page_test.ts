import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { withService } from "../support/with_service.ts";

const ANY_TLD = { TLDS: "com,net", ANY_TLD: "on" };
const HTML = { headers: { accept: "text/html" } };

/** The TLDs of a page's rows, and where its next part is. */
async function partOf(url: string): Promise<{ text: string; tlds: string[]; next?: string }> {
  const text = await (await fetch(url, HTML)).text();
  const tlds = [...text.matchAll(/<th scope="row">\.([^ <]+)/g)].map(([, tld = ""]) => tld);
  const [, next] = /rel="next" href="([^"]*)"/.exec(text) ?? [];
  return { text, tlds, ...(next !== undefined && { next: next.replaceAll("&amp;", "&") }) };
}

Deno.test("GET /tlds?coverage=all is a page for browsers, whose links lead through the whole list", async () => {
  await withService(async ({ url, get }) => {
    const { body } = await get("/tlds?coverage=all");
    const first = await partOf(`${url}/tlds?coverage=all`);
    assertEquals(first.tlds, body.tlds.map(({ tld }: { tld: string }) => tld));
    assertStringIncludes(first.text, `TLDs and public suffixes: ${body.total},`);
    const { body: after } = await get(`/tlds?coverage=all&after=${first.tlds.at(-1)}`);
    const second = await partOf(`${url}${first.next}`);
    assertEquals(second.tlds, after.tlds.map(({ tld }: { tld: string }) => tld));
    const plain = await fetch(`${url}/tlds`, HTML);
    assertMatch(plain.headers.get("content-type") ?? "", /json/);
    await plain.body?.cancel();
  }, ANY_TLD);
});

Deno.test("GET /tlds?coverage=all&q= lists what contains a text, also in Unicode, and escapes it", async () => {
  await withService(async ({ url, get }) => {
    const { body } = await get("/tlds?coverage=all&q=.CO.u");
    assertEquals(body.total, body.count);
    assert(body.tlds.every(({ tld }: { tld: string }) => tld.includes("co.u")) && body.count > 2);
    // deno-fmt-ignore -- a table
    const cases: [string, string[], RegExp][] = [
      ["pizza", ["pizza"], /pizza.*Every state, by the registry/s],
      ["рф", ["xn--p1ai"], /\(\.рф\)/],
      ["softbank", ["softbank"], /Reserved: the public cannot register here/],
      ["</table><b>", [], /value="&lt;\/table&gt;&lt;b&gt;".*No TLD and no public suffix/s],
    ];
    for (const [q, tlds, words] of cases) {
      const page = await partOf(`${url}/tlds?${new URLSearchParams({ coverage: "all", q })}`);
      assertEquals([page.tlds, page.next], [tlds, undefined], q);
      assertMatch(page.text, words);
    }
    const part = await partOf(`${url}/tlds?coverage=all&q=co`);
    assertEquals(new URL(part.next ?? "", url).searchParams.get("q"), "co");
  }, ANY_TLD);
});
