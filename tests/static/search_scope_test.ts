import { assertEquals } from "@std/assert";
import { domainOf, parseInput } from "../../static/parse_input.js";
import { type Filters, scopeOf } from "../../static/search_scope.js";

const TLDS = [
  { tld: "com", prices: { register: 11 } },
  { tld: "io", prices: { register: 28 } },
  { tld: "cc" },
  { tld: "xyz", prices: { register: 2 } },
  { tld: "eth" },
];

function scope(text: string, filters: Partial<Filters> = {}, tlds = TLDS): string {
  const parsed = parseInput(text);
  if (parsed.kind !== "name" && parsed.kind !== "names") throw new Error(parsed.kind);
  const all = { availableOnly: false, tlds: "", sort: "", ...filters } as const;
  const { isGrid, choice, domains } = scopeOf(parsed, tlds, all);
  return `${isGrid ? "grid" : "rows"} ${choice}: ${domains.map(domainOf).join(" ")}`;
}

// deno-fmt-ignore -- a table
const SCOPES: readonly (readonly [text: string, filters: Partial<Filters>, shown: string])[] = [
  // A row for each TLD of one name, all of which stay when some are chosen.
  ["a", {}, "rows all: a.com a.io a.cc a.xyz a.eth"],
  ["a.xyz", { tlds: "popular" }, "rows popular: a.com a.io a.cc a.xyz a.eth"],
  ["a", { sort: "price" }, "rows all: a.xyz a.com a.io a.cc a.eth"],
  ["a.co.uk", { sort: "price" }, "rows all: a.co.uk a.xyz a.com a.io a.cc a.eth"],
  // A grid of several names under the chosen TLDs, the popular ones if none are.
  ["a b", {}, "grid popular: a.com a.io b.com b.io"],
  ["a b", { tlds: "all" }, "grid all: a.com a.io a.cc a.xyz b.com b.io b.cc b.xyz"],
  ["a b", { tlds: "io,cc", sort: "price" }, "grid io,cc: a.io a.cc b.io b.cc"],
  ["a b.eth c.cc", {}, "grid popular: a.com a.io b.eth c.cc"],
  ["a b", { tlds: "eth" }, "grid popular: a.com a.io b.com b.io"],
  // TLDs that were named first and as they were named, of any TLD, and no .eth in a grid.
  ["a", { tlds: "de,io" }, "rows de,io: a.de a.io a.com a.cc a.xyz a.eth"],
  ["a.fr", { tlds: "de" }, "rows de: a.fr a.de a.com a.io a.cc a.xyz a.eth"],
  ["a b.io", { tlds: "de,eth,com" }, "grid de,eth,com: a.de a.com b.io"],
  ["a b", { tlds: "de,com", sort: "price" }, "grid de,com: a.com a.de b.com b.de"],
  // The rows of a list of domains as they were given, or the cheap ones first.
  ["b.io a.eth a.com", { tlds: "popular" }, "rows all: b.io a.eth a.com"],
  ["b.io a.eth a.com", { sort: "price" }, "rows all: a.com b.io a.eth"],
];

Deno.test("scopeOf() has the rows of one name or of domains, or the grid of names, under the TLDs that are chosen", () => {
  for (const [text, filters, shown] of SCOPES) {
    assertEquals(scope(text, filters), shown, `${text} ${JSON.stringify(filters)}`);
  }
  assertEquals(scope("a b", {}, TLDS.slice(2)), "grid popular: a.cc a.xyz b.cc b.xyz");
});
