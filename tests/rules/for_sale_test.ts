import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { FOR_SALE_LABEL, readForSale, readOpenOffer } from "../../src/rules/readers/for_sale.ts";

/** Text as DNS carries it: each character is one octet of its UTF-8. */
const octets = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));

/** What single-string records say. */
function read(...texts: readonly string[]): string | undefined {
  return readForSale(texts.map((text) => [octets(text)]));
}

const LONGEST = "x".repeat(239);

/** The examples of RFC 10023, and what is shown of each. */
// deno-fmt-ignore -- a table
const EXAMPLES: readonly [shows: string, records: readonly string[], shown: string | undefined][] = [
  ["no content", ["v=FORSALE1;"], "v=FORSALE1;"],
  ["an empty code", ["v=FORSALE1;fcod="], "v=FORSALE1;"],
  ["an unknown tag", ["v=FORSALE1;foo=bar"], "v=FORSALE1;"],
  ["a text beside a code", ["I am for sale", "v=FORSALE1;fcod=XX-NGYyYjEyZWY"], "fcod=XX-NGYyYjEyZWY"],
  ["a text", ["v=FORSALE1;ftxt=Call for info."], "ftxt=Call for info."],
  ["a URI", ["v=FORSALE1;furi=https://example.com/foo%20bar"], "furi=https://example.com/foo%20bar"],
  ["a URI without TLS", ["v=FORSALE1;furi=http://example.com/"], "furi=http://example.com/"],
  ["a price", ["v=FORSALE1;fval=EUR999"], "fval=EUR999"],
  ["one tag that looks like two", ["v=FORSALE1;fcod=TRIP-confusing;ftxt=dont_do_this"], "fcod=TRIP-confusing;ftxt=dont_do_this"],
  ["markup", ["v=FORSALE1;ftxt=<script>...</script>"], "ftxt=<script>...</script>"],
  ["a URI with a query", ["v=FORSALE1;furi=https://example.com/fs?d=eHl6"], "furi=https://example.com/fs?d=eHl6"],
  ["a mail address", ["v=FORSALE1;furi=mailto:hq@example.com?subject=foo"], "furi=mailto:hq@example.com?subject=foo"],
  ["a telephone number", ["v=FORSALE1;furi=tel:+1-201-555-0123"], "furi=tel:+1-201-555-0123"],
  ["bitcoins", ["v=FORSALE1;fval=BTC0.000010"], "fval=BTC0.000010"],
  ["all together", [
    "v=FORSALE1;furi=https://fs.example.com/",
    "v=FORSALE1;ftxt=This domain name is for sale",
    "v=FORSALE1;fval=EUR500",
    "v=FORSALE1;fcod=EXCO-ZGVhZGJlZWYx",
    "v=FORSALE1;fcod=XYZ1-MTExLTIyMi0zMzMtNDQ0",
  ], "fval=EUR500 | furi=https://fs.example.com/ | ftxt=This domain name is for sale | fcod=EXCO-ZGVhZGJlZWYx | fcod=XYZ1-MTExLTIyMi0zMzMtNDQ0"],
];

/** Records at the edges of the grammar. */
// deno-fmt-ignore -- a table
const EDGES: typeof EXAMPLES = [
  ["no record", [], undefined],
  ["version 10", ["v=FORSALE10;ftxt=x"], undefined],
  ["no semicolon", ["v=FORSALE1"], undefined],
  ["another letter case", ["V=forsale1;", "v=ForSale1;"], undefined],
  ["a space before the version", [" v=FORSALE1;"], undefined],
  ["a space after the version", ["v=FORSALE1; fval=USD1"], "fval=USD1"],
  ["a tag in another letter case", ["v=FORSALE1;FVAL=USD1"], "v=FORSALE1;"],
  ["the same twice", ["v=FORSALE1;fval=USD1", "v=FORSALE1;fval=USD1"], "fval=USD1"],
  ["a price without an amount", ["v=FORSALE1;fval=USD"], "v=FORSALE1;"],
  ["a price without a currency", ["v=FORSALE1;fval=750"], "v=FORSALE1;"],
  ["a price with a comma", ["v=FORSALE1;fval=USD7,50"], "v=FORSALE1;"],
  ["a price with a last dot", ["v=FORSALE1;fval=USD7."], "v=FORSALE1;"],
  ["a script's URI", ["v=FORSALE1;furi=javascript:alert(1)"], "v=FORSALE1;"],
  ["no URI", ["v=FORSALE1;furi=example.com"], "v=FORSALE1;"],
  ["a scheme alone", ["v=FORSALE1;furi=mailto:", "v=FORSALE1;furi=https:"], "v=FORSALE1;"],
  ["a user that passes for a host", ["v=FORSALE1;furi=https://bank.example@evil.example/"], "v=FORSALE1;"],
  ["a password", ["v=FORSALE1;furi=https://:x@evil.example/"], "v=FORSALE1;"],
  ["a host of look-alike letters", ["v=FORSALE1;furi=https://еxample.com/"], "furi=https://xn--xample-2of.com/"],
  ["a line break", ["v=FORSALE1;ftxt=a\r\nb\tc"], "ftxt=a b c"],
  ["bidi and zero-width characters", ["v=FORSALE1;ftxt=a\u202Eb\u200Bc\u2066d"], "ftxt=abcd"],
  ["a text that passes for another tag", ["v=FORSALE1;ftxt=x | furi=https://evil.example"], "ftxt=x / furi=https://evil.example"],
  ["a URI that passes for another tag", ["v=FORSALE1;furi=https://a.example/?x|fval=USD1"], "furi=https://a.example/?x%7Cfval=USD1"],
  ["a text of nothing to show", ["v=FORSALE1;ftxt=\u200B"], "v=FORSALE1;"],
  ["255 octets", [`v=FORSALE1;ftxt=${LONGEST}`], `ftxt=${"x".repeat(194)}…`],
  ["256 octets", [`v=FORSALE1;ftxt=${LONGEST}x`, "v=FORSALE1;fval=USD1"], "fval=USD1"],
  ["only 256 octets", [`v=FORSALE1;ftxt=${LONGEST}x`], "v=FORSALE1;"],
];

Deno.test("readForSale() reads the examples of RFC 10023, and records at the edges of its grammar", () => {
  for (const [shows, records, shown] of [...EXAMPLES, ...EDGES]) {
    assertEquals(read(...records), shown, shows);
  }
});

Deno.test("readForSale() joins the strings of a record, drops combining marks that would change the tag before them, and reads at most 32 records", () => {
  assertEquals(readForSale([["v=FORSALE1;", "ftxt=foo", "bar", "more"]]), "ftxt=foobarmore");
  assertEquals(readForSale([["v=FORSA", "LE1;fval=USD7", "50"]]), "fval=USD750");
  // A character that is cut between two strings.
  const [first = "", second = ""] = [...octets("é")];
  assertEquals(readForSale([["v=FORSALE1;ftxt=caf" + first, second]]), "ftxt=café");
  assertEquals(readForSale([[], [""]]), undefined);
  assertEquals(readForSale([["v=FORSALE1;ftxt=\xFF\xFEok"]]), "ftxt=��ok", "broken UTF-8");
  assertEquals(FOR_SALE_LABEL, "_for-sale");
  assertEquals(read("v=FORSALE1;ftxt=\u0338\u0301offers"), "ftxt=offers");
  assertEquals(read("v=FORSALE1;fcod=\u0338"), "v=FORSALE1;");
  assertEquals(read("v=FORSALE1;ftxt=cafe\u0301"), "ftxt=caf\u00e9");
  const others = Array.from({ length: 32 }, (_, n) => `v=spf1 ${n}`);
  assertEquals(read(...others, "v=FORSALE1;"), undefined);
  assertEquals(read(...others.slice(1), "v=FORSALE1;"), "v=FORSALE1;");
});

const anyString = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 255 })
  .map((codes) => String.fromCharCode(...codes));
const likeRecord = fc.tuple(
  fc.constantFrom("v=FORSALE1;", "v=FORSALE1", " v=FORSALE1;"),
  fc.constantFrom("", "fval=", "furi=", "ftxt=", "fcod=", "furi=https://", "furi=mailto:", "xxxx="),
  fc.oneof(anyString, fc.string({ unit: "binary", maxLength: 60 }).map(octets)),
).map((parts) => [parts.join("")]);
const anyRecords = fc.array(fc.oneof(likeRecord, fc.array(anyString, { maxLength: 3 })), {
  maxLength: 40,
});

const PART = /^(?:fval=[A-Z]+\d+(?:\.\d+)?|furi=(?:https?|mailto|tel):.+|ftxt=.+|fcod=.+)$/;

Deno.test("readForSale() returns one clean line of 200 characters at most, exactly if a record has the version tag", () => {
  let count = 0;
  fc.assert(
    fc.property(anyRecords, (records) => {
      const shown = readForSale(records);
      const texts = records.slice(0, 32).map((record) => record.join(""));
      const isTagged = texts.some((text) => text.startsWith("v=FORSALE1;"));
      assertEquals(shown !== undefined, isTagged);
      if (shown === undefined) return;
      count++;
      assert(shown.length > 0 && shown.length <= 200);
      assertEquals(/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(shown), false, JSON.stringify(shown));
      assert(shown.isWellFormed());
      // Each part of an uncut line is a tag with a value that its grammar allows.
      if (shown === "v=FORSALE1;" || shown.endsWith("…")) return;
      for (const part of shown.split(" | ")) assertMatch(part, PART);
    }),
    { numRuns: 5_000 },
  );
  assert(count > 500, `${count} had the tag`);
});

Deno.test("readOpenOffer() has the price and the URL of an offer, and nothing by which to reach a person", () => {
  const offer = { price: "EUR500", url: "https://a.example/offer" };
  assertEquals(readOpenOffer(`fval=EUR500 | furi=${offer.url}`), offer);
  for (const path of ["?to=me@b.example", "12025550123", "+1-202-555-0143", "lot?sign%E2%80%A6"]) {
    assertEquals(readOpenOffer(`furi=https://a.example/${path}`), { url: "https://a.example" });
  }
  // Fewer digits than a telephone number has.
  assertEquals(readOpenOffer("furi=http://a.example/12345"), { url: "http://a.example/12345" });
  const closed = ["furi=mailto:me@a.example", "furi=tel:+1555", "ftxt=Jane Doe", "v=FORSALE1;"];
  closed.push(...["httpx", "https.jane", "xhttps"].map((scheme) => `furi=${scheme}://a.example/`));
  for (const line of closed) assertEquals(readOpenOffer(line), {}, line);
});
