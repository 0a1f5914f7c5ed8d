import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import {
  cleanText,
  collectStatements,
  isStandingNotice,
  plainText,
  quote,
  quoteText,
  withoutDomain,
} from "../../src/rules/readers/statements.ts";

/** Members of a document, and what is said by each: the place, the lines, and whether it is legal text. */
const MEMBERS: [member: Record<string, unknown>, ...statements: string[]][] = [
  [{ errorCode: 404 }, "errorCode (number): 404"],
  [{ rdapConformance: ["rdap_1", "rdap_0"] }, "rdapConformance: rdap_0|rdap_1"],
  [{ title: "Not Found" }, "title: Not Found"],
  [{ empty: ["", " "] }, 'empty: ""|""'],
  [{ description: ["one\ntwo", " ", "three"] }, 'description: one|two|""|three'],
  [{ status: ["reserved"] }, "status: reserved"],
  [{ blocked: true }, "blocked (boolean): true"],
  [{ until: null }, "until (null): null"],
  [
    { remarks: [{ description: [["nested"]] }, { title: "Terms" }] },
    "remarks.description: nested",
    "remarks.title: Terms",
  ],
  [
    { notices: [{ title: "Terms", links: [{ title: "link" }] }, { description: "by us" }] },
    "legal notices.title: Terms",
    "legal notices.links.title: link",
    "notices.description: by us",
  ],
];

Deno.test("collectStatements() collects texts at any depth, and marks legal text", () => {
  const statements = collectStatements(Object.assign({}, ...MEMBERS.map(([member]) => member)));
  const shown = statements?.map(({ place, lines, isLegal }) =>
    `${isLegal ? "legal " : ""}${place}: ${lines.join("|")}`
  );
  assertEquals(shown, MEMBERS.flatMap(([, ...statements]) => statements));
});

Deno.test("collectStatements() returns undefined when there is too much text for an error message", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}`);
  assertEquals(collectStatements({ description: lines(96) })?.[0]?.lines.length, 96);
  assertEquals(collectStatements({ description: lines(97) }), undefined);
  assertEquals(collectStatements({ description: lines(97).join("\n") }), undefined);
  assertEquals(collectStatements({ remarks: lines(97).map((title) => ({ title })) }), undefined);
  const longest = ["x".repeat(16_000), "y".repeat(384)];
  assertEquals(collectStatements({ description: longest })?.length, 1);
  assertEquals(collectStatements({ title: "z", description: longest }), undefined);
});

Deno.test("collectStatements() has each value with its path and type, empty ones included, no path twice, and none for an empty document", () => {
  assertEquals(collectStatements({}), []);
  const json = { a: [], notices: [{ title: "Terms", b: {} }], c: [[1], {}], d: "e" };
  assertEquals(collectStatements(json), [
    { path: "a (list)", place: "a", lines: ["[]"], isLegal: false },
    { path: "notices[0].title (text)", place: "notices.title", lines: ["Terms"], isLegal: true },
    { path: "notices[0].b (object)", place: "notices.b", lines: ["{}"], isLegal: true },
    { path: "c[0][0] (number)", place: "c (number)", lines: ["1"], isLegal: false },
    { path: "c[1] (object)", place: "c", lines: ["{}"], isLegal: false },
    { path: "d (text)", place: "d", lines: ["e"], isLegal: false },
  ]);
  const pathsOf = (json: Record<string, unknown>) =>
    collectStatements(json)?.map(({ path, place }) => `${path} at ${place}`);
  const nested = pathsOf({ a: { b: "x" }, c: [{ d: "x" }] });
  assertEquals(nested, ["a.b (text) at a.b", "c[0].d (text) at c.d"]);
  for (const json of [{ "a.b": "x", c: [{ d: "x" }] }, { a: { b: "x" }, "c[0].d": "x" }]) {
    assertEquals(pathsOf(json)?.every((path) => nested?.includes(path)), false);
  }
  assertEquals(pathsOf({ "": { title: "x" } }), ['"".title (text) at "".title']);
});

Deno.test("isStandingNotice() is true only for legal titles or links", () => {
  const titles = ["RDAP Terms of Service", "Status Codes", "RDDS Inaccuracy Complaint Form"];
  for (const title of [...titles, "Copyright Notice", "DISCLAIMER", "Redacted for privacy"]) {
    assertEquals(isStandingNotice({ title }), true, title);
  }
  const link = (rel: string) => ({ title: "Legal notice", links: [{ rel: "self" }, { rel }] });
  assertEquals(isStandingNotice(link("terms-of-service")), true);
  assertEquals(isStandingNotice(link("alternate")), false);
  const others = [{ title: "Blocked Domain", links: null }, { title: 7 }, { title: ["Terms"] }];
  assertEquals(others.filter(isStandingNotice), []);
});

Deno.test("withoutDomain() removes the domain in any letter case and in its Unicode form", () => {
  const [label, domain] = ["xn--bcher-kva", "xn--bcher-kva.dev"];
  const text = "B\u00dcCHER.DEV (xn--bcher-kva.dev, xn--bcher-kva) is not b\u00fccher-dev";
  const shown = withoutDomain(text, { label, domain, unicodeDomain: "b\u00fccher.dev" });
  assertEquals(shown, "<name> (<name>, xn--bcher-kva) is not b\u00fccher-dev");
});

Deno.test("plainText() removes invisible characters, normalises hyphens and spaces, and keeps at most 30 combining marks in a row, because normalising more takes quadratic time", () => {
  const [acute, below] = ["\u0301", "\u0323"];
  assertEquals(plainText(`x${acute.repeat(31)}y`), `x${acute.repeat(30)}y`);
  assertEquals(plainText(`x${acute.repeat(29)}${below}${acute}y`), `x${below}${acute.repeat(29)}y`);
  // 60,000 of them would take longer than a test may.
  for (const run of [acute, acute + below, "\u0f77", "\u0344"]) {
    assert(plainText(`x${run.repeat(60_000)}`).length < 200);
  }
  const text = "\u200b\t \u00a0a\u00adb\u202e\u2011c \r\n\u0007d\u2212\uff21 \u0000";
  assertEquals(plainText(text), "ab-c d-A");
});

Deno.test("quote() and quoteText() return one clean line of at most 200 characters of any text", () => {
  const text = (...lines: string[]) => [{ path: "", place: "status", lines, isLegal: false }];
  const unclean = text('SHOES.dev is\u202e \u0007"held\u00a0back"', "by  us");
  assertEquals(quote(unclean), "status: SHOES.dev is 'held back' by us");
  assertEquals(quote(text("x".repeat(500))).length, 200);
  const whole = "x".repeat(200 - "status: ".length);
  assertEquals(quote(text(whole)), `status: ${whole}`);
  assertEquals(quote(text(`${whole}x`)), `status: ${whole.slice(1)}\u2026`);
  const title = { path: "", place: "title", lines: ["Not Found"], isLegal: false };
  assertEquals(quote([title, ...text("held")]), "Not Found | status: held");
  assertEquals(quoteText("  a\r\nb\u0000\u202ec\u200b "), "a b c");
  const addresses = ["203.0.113.7", "2001:DB8::7f", "::ffff:203.0.113.7", "::1", "203.0.113.7:43"];
  for (const address of [...addresses, "for:2001:db8::1"]) {
    const quoted = quoteText(`429 ${address} has sent 3 queries`);
    assertMatch(quoted, /^429 (?:for:)?<address> has sent 3 queries$/);
  }
  const others = "at 10:20:30: rev. 1.2.3, ns.1.2.3.4.example ---:::---";
  assertEquals(quoteText(others), others);
  assertEquals(cleanText("from  203.0.113.7"), "from 203.0.113.7");
  // What is read of a text is bounded, too.
  assertEquals([999, 1_000].map((count) => quoteText(`${"\u200b".repeat(count)}a`)), ["a", ""]);
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => {
    const quoted = quoteText(text);
    assertEquals(quoted.length <= 200 && quoted.isWellFormed(), true);
    assertEquals(/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(quoted), false);
  }));
});
