import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  addWording,
  collectStatements,
  differences,
  isStandingNotice,
  plainText,
  quote,
  quoteText,
  withoutDomain,
  withoutLabel,
  wordingOf,
} from "../../src/rules/readers/wording.ts";

const MADE_UP = {
  label: "qwertyuiopasdfghjklzxcvbnmqwer",
  domain: "qwertyuiopasdfghjklzxcvbnmqwer.dev",
};
const ASKED = { label: "shoes", domain: "shoes.dev" };

function said(json: Record<string, unknown>) {
  const statements = collectStatements(json);
  assert(statements !== undefined);
  return statements;
}

/** What a 404 for `shoes.dev` says beyond the one for a made-up name. */
function beyond(ours: Record<string, unknown>, theirs: Record<string, unknown>): string[] {
  const rest = differences(said(ours), ASKED, [wordingOf(said(theirs), MADE_UP)]);
  return rest.flatMap(({ place, lines }) => lines.map((line) => `${place}: ${line}`));
}

Deno.test("collectStatements() collects texts at any depth, and marks legal text", () => {
  const statements = said({
    errorCode: 404,
    rdapConformance: ["rdap_level_0"],
    lang: "en",
    port43: "whois.example",
    title: "Not Found",
    empty: ["", " "],
    description: ["one\ntwo", " ", "three"],
    status: ["reserved"],
    blocked: true,
    until: null,
    remarks: [{ title: "Remark", description: [["nested"]] }, { title: "Terms" }],
    notices: [
      {
        title: "Terms of Use",
        description: ["legal"],
        links: [{
          href: "https://a.example/",
          hreflang: "en",
          media: "screen",
          rel: "alternate",
          title: "link",
          type: "text/html",
          value: "https://b.example/",
        }],
      },
      { title: "Blocked", description: "by us" },
    ],
  });
  assertEquals(statements.map(({ place, lines, isLegal }) => [place, lines.join("|"), isLegal]), [
    ["rdapConformance", "rdap_level_0", false],
    ["lang", "en", false],
    ["port43", "whois.example", false],
    ["title", "Not Found", false],
    ["empty", '""', false],
    ["description", "one|two|three", false],
    ["status", "reserved", false],
    ["blocked (boolean)", "true", false],
    ["until (null)", "null", false],
    ["remarks.title", "Remark", false],
    ["remarks.description", "nested", false],
    ["remarks.title", "Terms", false],
    ["notices.title", "Terms of Use", true],
    ["notices.description", "legal", true],
    ["notices.links.href", "https://a.example/", true],
    ["notices.links.hreflang", "en", true],
    ["notices.links.media", "screen", true],
    ["notices.links.rel", "alternate", true],
    ["notices.links.title", "link", true],
    ["notices.links.type", "text/html", true],
    ["notices.links.value", "https://b.example/", true],
    ["notices.title", "Blocked", false],
    ["notices.description", "by us", false],
  ]);
});

Deno.test("collectStatements() returns undefined when there is too much text for an error message", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}`);
  assertEquals(collectStatements({ description: lines(96) })?.[0]?.lines.length, 96);
  assertEquals(collectStatements({ description: lines(97) }), undefined);
  assertEquals(collectStatements({ description: lines(97).join("\n") }), undefined);
  assertEquals(collectStatements({ remarks: lines(97).map((title) => ({ title })) }), undefined);
});

Deno.test("isStandingNotice() is true only for legal titles or links", () => {
  for (
    const title of [
      "Terms of Use",
      "RDAP Terms of Service",
      "Status Codes",
      "RDDS Inaccuracy Complaint Form",
      "Copyright Notice",
      "DISCLAIMER",
      "Redacted for privacy",
    ]
  ) {
    assertEquals(isStandingNotice({ title }), true, title);
  }
  const link = (rel: string) => ({ title: "Legal notice", links: [{ rel: "self" }, { rel }] });
  assertEquals(isStandingNotice(link("terms-of-service")), true);
  assertEquals(isStandingNotice(link("alternate")), false);
  assertEquals(isStandingNotice({ title: "Blocked Domain", links: null }), false);
  assertEquals(isStandingNotice({ title: 7 }), false);
  assertEquals(isStandingNotice({ title: ["Terms of Use"] }), false);
});

Deno.test("differences() is empty when only the name, spaces, ids of requests and the times of the answers differ", () => {
  const of = (name: string, id: string, at: string) => ({
    title: `Domain ${name.toUpperCase()} not found`,
    description: [`The domain  ${name} does not exist`, `Request ${id} at ${at}`],
    links: [{ href: `https://a.example/domain/${name}` }],
  });
  const id = "3f2a9c81-77aa-41b0-9c1e-0a1b2c3d4e5f";
  const [then, now] = ["2026-11-21T13:50:10.167Z", "2026-11-22 08:00:00"];
  const wording = wordingOf(said(of(MADE_UP.domain, id, then)), {
    ...MADE_UP,
    askedAt: Date.parse(then),
  });
  const asked = { ...ASKED, askedAt: Date.parse("2026-11-22T08:09:00Z") };
  const rest = (...words: Parameters<typeof of>) =>
    differences(said(of(...words)), asked, [wording]);
  assertEquals(rest("shoes.dev", "0a1b2c3d4e5f", now), []);
  assertEquals(rest("shoes.dev", "17", now).length, 1, "a number");
  assertEquals(rest("shoes.dev", id, "2031-11-22T08:00:00Z").length, 1, "a time of its own");
  assertEquals(beyond({ title: "shoes: no match" }, { title: `${MADE_UP.label}: no match` }), []);
});

Deno.test("differences() has values, types, empty values and numbers that differ", () => {
  const usual = { registrable: 1, code: "EPP 2303", tier: null, limits: [], next: {}, note: "" };
  for (
    const change of [
      { registrable: 0 },
      { registrable: "1" },
      { code: "EPP 2306" },
      { tier: "null" },
      { limits: {} },
      { next: [] },
      { note: "x" },
      { code: "reserved-by-spec-5" },
    ]
  ) {
    assert(beyond({ ...usual, ...change }, usual).length > 0, JSON.stringify(change));
  }
  assertEquals(beyond({ ...usual }, usual), []);
});

Deno.test("differences() returns text that is new, moved or replaced", () => {
  const theirs = { title: "Not Found", description: ["No match"] };
  assertEquals(beyond({ ...theirs, remarks: [{ title: "Gesperrt" }] }, theirs), [
    "remarks.title: Gesperrt",
  ]);
  assertEquals(beyond({ ...theirs, status: "No match" }, theirs), ["status: No match"]);
  assertEquals(beyond({ ...theirs, title: "No match" }, theirs), [
    "title: No match",
  ]);
  assertEquals(beyond({ ...theirs, description: ["No match", "Registry Reserved"] }, theirs), [
    "description: Registry Reserved",
  ]);
  assertEquals(beyond({ title: "Not Found" }, theirs), ["lacks: description: no match"]);
});

Deno.test("differences() compares long texts to the end", () => {
  const long = "word ".repeat(60);
  const print = wordingOf(said({ title: long }), MADE_UP)[0] ?? "";
  assert(print.length < 130, print);
  assertEquals(beyond({ title: long }, { title: long }), []);
  assertEquals(beyond({ title: `${long}reserved` }, { title: long }).length, 1);
});

Deno.test("differences() is empty only when one wording has the same lines", () => {
  const wordings = [{ title: "a", description: "b" }, { title: "c" }]
    .map((json) => wordingOf(said(json), MADE_UP));
  const rest = (json: Record<string, unknown>) => differences(said(json), ASKED, wordings).length;
  assertEquals([rest({ title: "a", description: "b" }), rest({ title: "c" })], [0, 0]);
  assertEquals([rest({ title: "a" }), rest({ title: "c", description: "b" })], [1, 1]);
  assertEquals(differences(said({ title: "a" }), ASKED, []).length, 1);
  const [first] = differences(said({ title: "c", description: "b" }), ASKED, wordings);
  assertEquals(first?.place, "title", "of two that it is equally like, the newer decides");
});

Deno.test("differences() returns every text added to any 404", () => {
  const place = fc.constantFrom("title", "remarks", "status", "comment", "notices");
  const words = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => /\p{L}/u.test(text));
  fc.assert(
    fc.property(words, place, words, (usual, where, added) => {
      const theirs = { error: `${usual} <= usual` };
      const ours = { ...theirs, [where]: where === "notices" ? [{ description: [added] }] : added };
      assertEquals(beyond(ours, theirs).length, 1);
    }),
  );
});

Deno.test("wordingOf() removes ids of requests, keeps numbers and long words, and shortens long texts to a beginning and a hash", () => {
  const printOf = (title: string) => wordingOf(said({ title }), MADE_UP);
  assertEquals(printOf("Error 17 at 08:00:00Z"), ["title: error 17 at 08:00:00z"]);
  assertEquals(printOf("Request ab12cd34ef56 failed"), ["title: request # failed"]);
  assertEquals(printOf("Unconditional registration"), ["title: unconditional registration"]);
  const longest = "word ".repeat(24).slice(0, -1) + "s";
  assertEquals([longest.length, printOf(longest)], [120, [`title: ${longest}`]]);
  // Processes of different versions compare stored wordings: the form must not change.
  const beginning = longest.slice(0, 100);
  assertEquals(printOf(`${longest}!`), [`title: ${beginning}… 1wglpufz4ymb9`]);
});

Deno.test("withoutDomain() removes the domain in any letter case and in its Unicode form", () => {
  const asked = {
    label: "xn--bcher-kva",
    domain: "xn--bcher-kva.dev",
    unicodeDomain: "b\u00fccher.dev",
  };
  const text = "B\u00dcCHER.DEV (xn--bcher-kva.dev, xn--bcher-kva) is not b\u00fccher-dev";
  assertEquals(
    withoutDomain(text, asked),
    "<name> (<name>, xn--bcher-kva) is not b\u00fccher-dev",
  );
});

Deno.test("plainText() keeps at most 30 combining marks in a row, because normalising more takes quadratic time", () => {
  const [acute, below] = ["\u0301", "\u0323"];
  assertEquals(plainText(`x${acute.repeat(31)}y`), `x${acute.repeat(30)}y`);
  assertEquals(plainText(`x${acute.repeat(29)}${below}${acute}y`), `x${below}${acute.repeat(29)}y`);
  // 60,000 of them would take longer than a test may.
  for (const run of [acute, acute + below, "\u0f77", "\u0344"]) {
    assert(plainText(`x${run.repeat(60_000)}`).length < 200);
  }
});

Deno.test("collectStatements() returns nothing for more text than an error message has", () => {
  const longest = ["x".repeat(16_000), "y".repeat(384)];
  assertEquals(collectStatements({ description: longest })?.length, 1);
  assertEquals(collectStatements({ title: "z", description: longest }), undefined);
});

Deno.test("plainText() removes invisible characters, and normalises hyphens and spaces", () => {
  assertEquals(
    plainText("\u200b\t \u00a0a\u00adb\u202e\u2011c \r\n\u0007d\u2212\uff21 \u0000"),
    "ab-c d-A",
  );
});

Deno.test("addWording() keeps the four newest wordings without duplicates", () => {
  const all = ["a", "b", "c", "b", "d", "e"].reduce<readonly (readonly string[])[]>(
    (wordings, word) => addWording(wordings, [word]),
    [],
  );
  assertEquals(all.flat(), ["e", "d", "b", "c"]);
  assertEquals(addWording([["a", "b"]], ["a", "b"]), [["a", "b"]]);
  assertEquals(addWording([["a", "b"]], ["ab"]), [["ab"], ["a", "b"]]);
});

Deno.test("quoteText() returns one clean line of at most 200 characters, whatever it is given", () => {
  assertEquals(quoteText("  a\r\nb\u0000\u202ec\u200b "), "a b c");
  // What is read of a text is bounded, too.
  assertEquals([999, 1_000].map((count) => quoteText(`${"\u200b".repeat(count)}a`)), ["a", ""]);
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => {
    const quoted = quoteText(text);
    assertEquals(quoted.length <= 200 && quoted.isWellFormed(), true);
    assertEquals(/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(quoted), false);
  }));
});

Deno.test("quote() returns one clean line of at most 200 characters", () => {
  const text = (...lines: string[]) => [{ place: "status", lines, isLegal: false }];
  assertEquals(
    quote(text('SHOES.dev is\u202e \u0007"held\u00a0back"', "by  us")),
    "status: SHOES.dev is 'held back' by us",
  );
  assertEquals(quote(text("x".repeat(500))).length, 200);
  const whole = "x".repeat(200 - "status: ".length);
  assertEquals(quote(text(whole)), `status: ${whole}`);
  assertEquals(quote(text(`${whole}x`)), `status: ${whole.slice(1)}\u2026`);
  const title = { place: "title", lines: ["SHOES or shoes, but no shoes2"], isLegal: false };
  assertEquals(
    quote([title, ...text("held")]),
    "SHOES or shoes, but no shoes2 | status: held",
  );
  assertEquals(
    withoutLabel("SHOES or shoes, but no shoes2", ASKED),
    "<name> or <name>, but no shoes2",
  );
});
