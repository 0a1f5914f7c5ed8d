import { assert, assertEquals } from "@std/assert";
import { type AskedName, collectStatements } from "../../src/rules/readers/statements.ts";
import { addTemplate, differences, templateOf, textOf } from "../../src/rules/readers/templates.ts";

type Body = Record<string, unknown>;
type Answer = readonly [AskedName, Body];
type Template = ReturnType<typeof templateOf>;

const askedOf = (label: string): AskedName => ({ label, domain: `${label}.dev` });
const RANDOM = askedOf("qwertyuiopasdfghjklzxcvbnmqwer");
const SHORT = askedOf("mnbvcxzlkjhg");
const ASKED = askedOf("shoes");

const said = (json: Body) => collectStatements(json) ?? [];

/** A template as lines for people, such as `title: <domain> not found`. */
function shownTemplate({ members }: Template): string[] {
  return members.flatMap(({ place, lines }) =>
    lines.map((pieces) => `${place}: ${textOf(pieces)}`)
  );
}

/** The templates of 404s for random names, asked in this order. */
function templatesOf(...answers: readonly Answer[]): readonly Template[] {
  return answers.map(([asked, json]) => templateOf(said(json), asked))
    .reduce(addTemplate, [] as readonly Template[]);
}

function differ(ours: Body, templates: readonly Template[], asked = ASKED): string[] {
  return differences(said(ours), asked, templates)
    .flatMap(({ place, lines }) => lines.map((line) => `${place}: ${line}`));
}

/** What a 404 for `shoes.dev` says beyond the one for a random name. */
const beyond = (ours: Body, theirs: Body): string[] => differ(ours, templatesOf([RANDOM, theirs]));

Deno.test("differences() is empty for the template filled in with the name, in any letter case, and for white space", () => {
  const of = (name: string) => ({
    title: `Domain ${name.toUpperCase()} not found`,
    description: [`The domain  ${name} does\nnot exist`, `${name.replace(".dev", "")}: no match`],
    links: [{ href: `https://a.example/domain/${name}` }],
  });
  assertEquals(beyond(of("shoes.dev"), of(RANDOM.domain)), []);
  assertEquals(beyond(of("shoe.dev"), of(RANDOM.domain)).length, 4);
  const dotted = (name: string) => ({ title: `No ${name}`, status: `None: ${name}.` });
  assertEquals(beyond(dotted("shoes.dev."), dotted(RANDOM.domain)), ["status: None: shoes.dev.."]);
  assertEquals(beyond(dotted("shoes.dev"), dotted(RANDOM.domain)), []);
  const idn = { label: "xn--bcher-kva", domain: "xn--bcher-kva.dev", unicodeDomain: "bücher.dev" };
  const templates = templatesOf([RANDOM, { title: `${RANDOM.domain} not found` }]);
  for (const name of ["xn--bcher-kva", "XN--BCHER-KVA", "bücher", "BÜCHER", "b%C3%BCcher"]) {
    assertEquals(differ({ title: `${name}.dev not found` }, templates, idn), [], name);
  }
  assertEquals(differ({ title: "bucher.dev not found" }, templates, idn).length, 1);
});

Deno.test("differences() lets the time of the answer differ, and no other time", () => {
  const of = (at: string) => ({ description: [`Answered at ${at}.`] });
  const then = "2026-11-21T13:50:10.167Z";
  const templates = templatesOf([{ ...RANDOM, askedAt: Date.parse(then) }, of(then)]);
  const asked = { ...ASKED, askedAt: Date.parse("2026-11-22T08:09:00Z") };
  const near = ["T08:00:00Z", " 08:18:59,5", "T08:19:00Z", "t09:00:00+01:00", "T09:00:00+0100"];
  for (const time of near) {
    assertEquals(differ(of(`2026-11-22${time}`), templates, asked), [], time);
  }
  const far = ["2031-11-22T08:00:00Z", "2026-11-22T08:00:00-01:00", "2026-11-22T08:19:00.001Z"];
  for (const at of [...far, then, "today"]) {
    assertEquals(differ(of(at), templates, asked).length, 1, at);
  }
});

Deno.test("differences() has values, types, empty values, order and numbers that differ", () => {
  /** A member and other values that it may have. */
  const changes: [name: string, usual: unknown, others: unknown[]][] = [
    ["registrable", 1, [0, "1"]],
    ["code", "EPP 2303", ["EPP 2306", "epp 2303", undefined]],
    ["tier", null, ["null"]],
    ["limits", [], [{}, [""]]],
    ["next", {}, [[]]],
    ["note", "", ["x", [""]]],
    ["list", ["a", "b"], [["b", "a"], ["a", "b", "b"], ["a b"], "a\nb"]],
    ["nested", [[1], { x: ["y"] }], [[1, { x: ["y"] }], [[1], { x: "y" }], [{ x: ["y"] }, [1]]]],
  ];
  const usual = Object.fromEntries(changes);
  for (const [name, , others] of changes) {
    for (const value of others) {
      assert(beyond({ ...usual, [name]: value }, usual).length > 0, `${name}: ${value}`);
      assert(beyond(usual, { ...usual, [name]: value }).length > 0, `${name}: ${value}`);
    }
  }
  assertEquals(beyond({ b: 1, a: 2 }, { a: 2, b: 1 }), []);
  const conforming = (...rdapConformance: string[]) => ({ rdapConformance });
  assertEquals(beyond(conforming("b", "a"), conforming("a", "b")), []);
});

const USUAL = { title: "Not Found", description: ["No match"] };

/** A 404, the one for a random name, and what the first says beyond it. */
const BEYOND: [ours: Body, theirs: Body, beyond: string[]][] = [
  [{ ...USUAL, remarks: [{ title: "Gesperrt" }] }, USUAL, ["remarks.title: Gesperrt"]],
  [{ ...USUAL, title: "No match" }, USUAL, ["title: No match"]],
  [{ ...USUAL, description: ["No match", "Held"] }, USUAL, ["description: Held"]],
  [{ title: "Not Found" }, USUAL, ["lacks: description: No match"]],
  [{ a: "x" }, { a: ["x"] }, ["lacks: a (text)", "lacks: a (list)"]],
  [{ ...USUAL, description: ["No match", "No match"] }, USUAL, ["lacks: description (list)"]],
  [{ title: "Held" }, USUAL, ["title: Held", "lacks: description: No match"]],
  [{ title: "No match" }, USUAL, ["title: No match", "lacks: description: No match"]],
  [{ title: ["b", "a"] }, { title: ["a", "b"] }, ["lacks: title (list)"]],
];

Deno.test("differences() returns what is new, moved, replaced or lacking, and nothing that is usual", () => {
  for (const [ours, theirs, lines] of BEYOND) {
    assertEquals(beyond(ours, theirs), lines, JSON.stringify(ours));
  }
  const parted = (name: string) => ({ title: `Domain (${name}) is   not there` });
  assertEquals(beyond({ title: "Domain (shoes.dev) is not  there" }, parted(RANDOM.domain)), []);
  assertEquals(beyond(parted(""), parted(RANDOM.domain)).length, 1);
  // Of two templates that it is equally like, the later decides.
  const templates = templatesOf([RANDOM, { title: "c" }], [RANDOM, { title: "a", status: "b" }]);
  assertEquals(differ({ title: "c", status: "b" }, templates), ["title: c"]);
  assertEquals(differ({ title: "c" }, templates), []);
  // It is most like the one from which the fewest lines differ, in whatever statements.
  const one = { title: "a", status: "b", c: "1\n2\n3" };
  const other = { title: "d", status: "e", c: "f" };
  const longer = templatesOf([RANDOM, one], [RANDOM, other]);
  assertEquals(differ({ ...other, c: "1\n2\n3" }, longer), ["title: d", "status: e"]);
  assertEquals(differences(said(USUAL), ASKED, []), said(USUAL));
  const [lacking] = differences(said({}), ASKED, templatesOf([RANDOM, { title: "a" }]));
  assertEquals(lacking?.isLegal, false);
});

/** Two values of random names, then values that may follow, and values that may not. */
// deno-fmt-ignore -- a table
const VARYING: [what: string, seen: [unknown, unknown], more: unknown[], others: unknown[]][] = [
  ["digits", ["Query 17", "Query 4"], ["Query 123456"], ["Query a1", "Query", "Query none", "Query 1a", "Query 1 2"]],
  ["a JSON number", [17, 4.5], [0, -3, 1e9], ["17", null, true]],
  ["a UUID", ["id 3f2a9c81-77aa-41b0-9c1e-0a1b2c3d4e5f", "id 8c1d9c81-abcd-4bcd-9abc-0a1b2c3d4e5f"],
    ["id aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"], ["id reserved-by-registry-policy-nowadays", "id 7"]],
  ["hexadecimal digits", ["0a1b2c3d4e5f", "deadbeefcafe"],
    ["abcdefabcdef", "12ab34cd"], ["reserved", "dead", "withheld99", "xdeadbeefcafe", "deadbeefcafex"]],
  ["an id with a digit", ["req-k3z", "req-9qq"], ["req-x7k", "req-007"],
    ["req-3f2a9c81-77aa-41b0-9c1e-0a1b2c3d4e5f", "req-held", "reserved-k3z", "req-k3z-4", "req-x7", "req-held7", "req-K3Z",
      "req-k_3", "req-4k", "req-ooo"]],
  ["an id of one form", ["run ab1", "run cd2"], ["run ef3"], ["run a1b", "run abc", "run ab12"]],
  ["an id of two lengths", ["run ab1", "run abcd2"],
    ["run xy9", "run wxyz0"], ["run 1ab", "run 1abcd", "run abc12"]],
  ["an id of letters alone", ["abcDefGhiJklmnop", "qweRtyUioPasdfgh"],
    ["zxcVbnMlkJhgfdsa"], ["thisNameIsheldback", "thisnameisheldback"]],
  ["an id of capital letters", ["A8F3K2", "B71KQ9"],
    ["000AAA"], ["RESERVED_BY_SPEC5", "blocked1", "held77", "HELDBY", "H_LD77"]],
  ["an id in base64", ["3q2+7wAAB/GqzM9kYg==", "Yk9wQ1RzdkxBaGplRg=="],
    ["q83vEjRWeJA+Ej/eJCrz", "AbCdEfGhIjKlMnOpQrSt", "abcd+fgh/jkl7nOpq==="],
    ["q83vEjRWeJA+Ej/eJCr", "ThisNameIsreservedby", "thisnameisreservedby", "this_name_is_held_99", "THIS+NAME+IS+HELD+99",
      "q83vEjRWeJA-Ej/eJCrz", "Reserved 7abcdefGHIJK"]],
  ["an id in base64 or a number", ["Ref 3q2+7wAAB/GqzM9kYg==", "Ref 12345"],
    ["Ref 5x9+1bCCD/EfgH2iJk==", "Ref 7"], ["Ref held", "Ref q83vEjRWeJA+Ej/eJCrz"]],
  ["a date with a time", ["2026-11-22 10:00", "2026-11-23 11:30"],
    ["2031-01-01 00:00"], ["never", "2026-11-22", "soon 2031-01-01 00:00"]],
  ["a time with all that RFC 3339 allows", ["2026-11-22T10:00:01.25+01:00", "2025-10-23 11:30:02,5-02:30"],
    ["2031-01-01 00:00", "2031-01-01t00:00:00", "2031-01-01T00:00:00.123456789", "2031-01-01T00:00Z",
      "2031-01-01T00:00:00+0100"], ["2031-01-01", "2031-01-01 00:00 or later"]],
  ["a date", ["2026-11-22", "2025-10-01"], ["2031-01-19"], ["2031-01-01 00:00", "31-01-2031", "never"]],
  ["an address", ["Client 203.0.113.5 (v4)", "Client 198.51.100.77 (v4)"],
    ["Client 2001:db8::1 (v4)", "Client 2001:db8:0:1:2:3:4:5 (v4)", "Client 8.8.8.8 (v4)"],
    ["Client 7 (v4)", "Client none (v4)", "Client 10:20:30 (v4)", "Client 8.8.8 (v4)",
      "Client 2031-01-01 00:00:00.5 (v4)"]],
  ["one word", ["Server alpha", "Server beta"], ["Server alpha"], ["Server gamma", "Server reserved"]],
];

for (const [what, [one, other], more, others] of VARYING) {
  Deno.test(`differences() lets ${what} differ once two random names have shown that it varies`, () => {
    const of = (value: unknown) => ({ title: "Not Found", value });
    assert(beyond(of(other), of(one)).length > 0);
    const twice = templatesOf([RANDOM, of(one)], [SHORT, of(other)]);
    assertEquals(twice.length, 1);
    for (const value of [one, other, ...more]) {
      assertEquals(differ(of(value), twice), [], `${value}`);
    }
    for (const value of others) assert(differ(of(value), twice).length > 0, `${value}`);
    assert(differ({ ...of(one), title: "Held" }, twice).length > 0);
  });
}

Deno.test("addTemplate() keeps 404s apart whose members or words differ, the latest first, at most eight", () => {
  const of = (...titles: string[]) =>
    templatesOf(...titles.map((title): Answer => [RANDOM, { title }]));
  const shown = (templates: readonly Template[]) => templates.flatMap(shownTemplate);
  // Both words would allow "is not available", which no answer has said.
  const two = shown(of("is available", "not registered"));
  assertEquals(two, ["title: not registered", "title: is available"]);
  assertEquals(shown(of("Host a", "Host b", "Host c")), ["title: Host <a|b|c>"]);
  const apart = "a,b;c,d".split(";");
  assertEquals(shown(of(...apart, "a,b")), ["title: a,b", "title: c,d"]);
  assertEquals(shown(of("no", "no: 1", "no")), ["title: no", "title: no: 1"]);
  const many = Array.from({ length: 9 }, (_, count) => ",".repeat(count + 1));
  assertEquals(of(...many).length, 8);
  const members = templatesOf([RANDOM, { a: "x" }], [SHORT, { b: "x" }], [SHORT, { a: ["x"] }]);
  assertEquals(members.length, 3);
  assertEquals(templatesOf([RANDOM, { a: ["x"] }], [SHORT, { a: ["x", "y"] }]).length, 2);
  // A mark never varies: the second answer does not show the name.
  assertEquals(of(`${RANDOM.label} x`, "other x").length, 2);
  assertEquals(of("other x", `${RANDOM.label} x`).length, 2);
  const lists = [["same", "a,b"], ["same", "c;d"]];
  assertEquals(templatesOf(...lists.map((a): Answer => [RANDOM, { a }])).length, 2);
  // Small letters with hyphens are words, not an id.
  assertEquals(of("not-registered-1a", "notregistered-1ab").length, 2);
  // Of each a word was seen.
  assertEquals(of("a alpha b beta", "a 17 b 18").length, 2);
  const [one, ...others] = of("1 of 2, done", "3 of 4, done");
  const digits = { varies: ["digits"] };
  assertEquals([one?.members[0]?.lines, others], [[[digits, " of ", digits, ", done"]], []]);
});

Deno.test("addTemplate() forgets what no random name of a day got, and what has too much text", () => {
  const at = (askedAt: number, title: string) => [{ ...RANDOM, askedAt }, { title }] as const;
  const dayMs = 24 * 60 * 60_000;
  const kept = (...answers: Answer[]) => templatesOf(...answers).flatMap(shownTemplate).join();
  assertEquals(kept(at(0, "a-"), at(1, "b;"), at(dayMs, "c.")), "title: c.,title: b;");
  const again = kept(at(0, "a-"), at(1, "b;"), at(2, "a-"), at(dayMs + 1, "c."));
  assertEquals(again, "title: c.,title: a-");
  const long = (sign: string) => at(0, `${sign}${"x".repeat(12_500)}`);
  assertEquals(kept(long("."), long("-"), at(0, ";")).replaceAll(/x+/g, ""), "title: ;,title: -");
  const title = (length: number) => "x".repeat(length);
  const half: Answer = [RANDOM, { title: [title(6_000), title(6_000)] }];
  for (const [length, count] of [[12_000, 2], [13_000, 1]] as const) {
    assertEquals(templatesOf(half, [RANDOM, { title: title(length) }]).length, count);
  }
  const lines = Array.from({ length: 96 }, () => "x");
  assertEquals(templatesOf([RANDOM, { ["y".repeat(300)]: lines }]).length, 1, "the latest");
});

Deno.test("addTemplate() keeps where the name, the time and what varies stand, each kind of it, and the words themselves", () => {
  const of = (name: string, id: number, askedAt: number): Answer => [
    { label: name, domain: `${name}.dev`, askedAt },
    { title: `${name}.dev at ${new Date(askedAt).toISOString()}: ${id}, done` },
  ];
  const templates = templatesOf(of("qwertyuiop", 17, 1e12), of("asdfghjkl", 4, 2e12));
  const shown = ["title: <domain> at <time>: <digits>, done"];
  assertEquals(templates.map(shownTemplate), [shown]);
  const kinds: [one: string, other: string, shown: string][] = [
    ["192.0.2.1", "192.0.2.2", "<address>"],
    ["k3z", "9qq", "<id>"],
    ["alpha", "17", "<alpha|digits>"],
    ["x alpha y", "x beta y", "x <alpha|beta> y"],
  ];
  for (const [a, other, shown] of kinds) {
    const described = templatesOf([RANDOM, { a }], [SHORT, { a: other }]).flatMap(shownTemplate);
    assertEquals(described, [`a: ${shown}`]);
  }
});
