import { assertEquals, assertMatch, assertNotMatch, assertStringIncludes } from "@std/assert";
import { readFilters } from "../../static/search_scope.js";
import { createFrame } from "../../src/page/frame.ts";
import type { TldOffers } from "../../static/tld_offers.js";

const INDEX = await Deno.readTextFile(new URL("../../static/index.html", import.meta.url));
const prices = { register: 10, renew: 30, years: 1, currency: "USD", updatedAt: "" } as const;
const tlds = [{ tld: "com" }, { tld: "io", prices }, { tld: "cc" }];
const OFFERS: TldOffers = { tlds, registrars: [], placeholder: "" };

/** The page with the frame of a search, as the server fills it. */
function pageOf(path: string): string {
  const query = new URL(path, "http://page.test").searchParams;
  const parts = createFrame(INDEX)(query.get("q") ?? "", readFilters(query), OFFERS);
  return parts.reduce((page, [place, text]) => {
    const next = page.replace(place, () => `${text}`);
    // A place that is not in the template would leave the frame half drawn.
    if (next === page) throw new Error(`Cannot find ${place} in the page`);
    return next;
  }, INDEX);
}

function between(page: string, start: string, end: string): string {
  return page.split(start)[1]?.split(end)[0] ?? "";
}

const domainsIn = (text: string) =>
  [...text.matchAll(/class="label">([^<]*)<\/span><wbr><b class="tld">([^<]*)</g)]
    .map(([, label, tld]) => `${label}${tld}`);
const rowsOf = (page: string) => domainsIn(between(page, '<ol id="rows"', "</ol>"));

Deno.test("createFrame() draws a name's answer and its rows, as being checked", () => {
  const page = pageOf("/?q=mine.io");
  assertEquals(domainsIn(between(page, '<div id="answer"', "</h2>")), ["mine.io"]);
  assertStringIncludes(page, '<span class="sentence">is being checked');
  assertEquals(rowsOf(page), ["mine.com", "mine.io", "mine.cc", "mine.eth"]);
  assertNotMatch(page, /aria-label="Results" hidden/);
  assertMatch(page, /aria-label="Names and TLDs" hidden/);
  assertEquals(rowsOf(pageOf("/?q=mine&tlds=popular")), ["mine.com", "mine.io"]);
  const named = pageOf("/?q=mine&tlds=de,io");
  assertEquals(rowsOf(named), ["mine.de", "mine.io"]);
  assertStringIncludes(named, 'id="named-tlds" value="de, io"');
});

Deno.test("createFrame() leaves out what a row has once it is answered", () => {
  const rows = between(pageOf("/?q=mine"), '<ol id="rows"', "</ol>");
  for (const part of [/<li class="row"/g, /<\/li>/g]) assertEquals(rows.match(part)?.length, 4);
  assertNotMatch(rows, /<button|<input/);
  assertStringIncludes(rows, "Checking");
});

Deno.test("createFrame() draws a list of domains as rows, without an answer, and no more than a window shows", () => {
  const page = pageOf("/?q=b.io+a.com");
  assertEquals(rowsOf(page), ["b.io", "a.com"]);
  assertMatch(page, /id="answer" class="answer" hidden/);
  const names = Array.from({ length: 40 }, (_, place) => `name-${place}.com`);
  assertEquals(rowsOf(pageOf(`/?q=${names.join("+")}`)).length, 30);
});

Deno.test("createFrame() draws several names as a grid with the three-year costs of its columns", () => {
  const page = pageOf("/?q=mine+yours&tlds=all");
  const grid = between(page, '<table id="grid"', "</table>").replaceAll(/\s+/g, " ");
  const heads = [...grid.matchAll(/<th scope="col">\.(\w+)<span class="total">([^<]*)</g)];
  assertEquals(heads.map(([, tld, total]) => `${tld} ${total}`), ["com ", "io $70", "cc "]);
  assertStringIncludes(grid, '<span class="trap">3×</span>');
  assertEquals(grid.match(/<th scope="row">/g)?.length, 2);
  assertEquals(grid.match(/class="cell"/g)?.length, 6);
  assertEquals(grid.match(/<(?:thead|tbody)>/g), ["<thead>", "<tbody>"]);
  assertEquals(rowsOf(page), []);
  assertMatch(page, /<ol id="rows" class="rows" hidden role="list">/);
  assertNotMatch(page, /aria-label="Names and TLDs" hidden/);
});

Deno.test("createFrame() draws nothing for a text that is no name, and options where it stands for several", () => {
  for (const path of ["/?q=", "/?q=caf%C3%A9", "/?q=%F0%9F%98%80+"]) {
    assertMatch(pageOf(path), /aria-label="Results" hidden/, path);
  }
  const choices = between(pageOf("/?q=river+stone"), '<ul id="choices"', "</ul>");
  assertMatch(choices, /river-stone/);
  assertNotMatch(choices.split(">")[0] ?? "", /hidden/);
});

Deno.test("createFrame() escapes what a stranger's link has as name and TLD", () => {
  for (const typed of ["<b>x", "a.<img>", '"><script>.com', "$&.com", "a $' b"]) {
    const page = pageOf(`/?${new URLSearchParams({ q: typed })}`);
    assertNotMatch(page, /<b>x|<img>|"><script>\.com/, typed);
    assertEquals(page.split("<!doctype").length, 2, typed);
  }
});
