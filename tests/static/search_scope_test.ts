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

Deno.test("scopeOf() has a row for each TLD of one name, all of which stay when some are chosen", () => {
  assertEquals(scope("a"), "rows all: a.com a.io a.cc a.xyz a.eth");
  assertEquals(scope("a.xyz", { tlds: "popular" }), "rows popular: a.com a.io a.cc a.xyz a.eth");
  assertEquals(scope("a", { sort: "price" }), "rows all: a.xyz a.com a.io a.cc a.eth");
  assertEquals(
    scope("a.co.uk", { sort: "price" }),
    "rows all: a.co.uk a.xyz a.com a.io a.cc a.eth",
  );
});

Deno.test("scopeOf() has a grid of several names under the chosen TLDs, the popular ones if none are", () => {
  assertEquals(scope("a b"), "grid popular: a.com a.io b.com b.io");
  assertEquals(
    scope("a b", { tlds: "all" }),
    "grid all: a.com a.io a.cc a.xyz b.com b.io b.cc b.xyz",
  );
  assertEquals(scope("a b", { tlds: "io,cc", sort: "price" }), "grid io,cc: a.io a.cc b.io b.cc");
  assertEquals(scope("a b.eth c.cc"), "grid popular: a.com a.io b.eth c.cc");
  assertEquals(scope("a b", { tlds: "eth" }), "grid popular: a.com a.io b.com b.io");
  assertEquals(scope("a b", {}, TLDS.slice(2)), "grid popular: a.cc a.xyz b.cc b.xyz");
});

Deno.test("scopeOf() has TLDs that were named first and as they were named, of any TLD, and no .eth in a grid", () => {
  assertEquals(scope("a", { tlds: "de,io" }), "rows de,io: a.de a.io a.com a.cc a.xyz a.eth");
  assertEquals(scope("a.fr", { tlds: "de" }), "rows de: a.fr a.de a.com a.io a.cc a.xyz a.eth");
  assertEquals(scope("a b.io", { tlds: "de,eth,com" }), "grid de,eth,com: a.de a.com b.io");
  assertEquals(
    scope("a b", { tlds: "de,com", sort: "price" }),
    "grid de,com: a.com a.de b.com b.de",
  );
});

Deno.test("scopeOf() has the rows of a list of domains as they were given, or the cheap ones first", () => {
  assertEquals(scope("b.io a.eth a.com", { tlds: "popular" }), "rows all: b.io a.eth a.com");
  assertEquals(scope("b.io a.eth a.com", { sort: "price" }), "rows all: a.com b.io a.eth");
});
