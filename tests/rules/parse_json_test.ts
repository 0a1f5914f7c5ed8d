import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  isExact,
  MAX_CONTAINERS,
  MAX_DEPTH,
  parseJson,
} from "../../src/rules/readers/http_message.ts";

Deno.test("parseJson() returns what JSON.parse() returns for every value of bounded depth", () => {
  const value = fc.jsonValue({ maxDepth: MAX_DEPTH / 2 });
  fc.assert(fc.property(value, fc.constantFrom(0, 2), (json, indent) => {
    const text = JSON.stringify(json, null, indent);
    assertEquals(parseJson(text), JSON.parse(text));
  }));
});

Deno.test("parseJson() ignores brackets inside strings, with any escapes", () => {
  const brackets = fc.string({ unit: fc.constantFrom("[", "{", '"', "\\", "]", "}", "a") });
  fc.assert(fc.property(brackets, (text) => {
    const deep = `${text}${"[{".repeat(MAX_DEPTH)}`;
    const json = JSON.stringify({ [deep]: deep });
    assertEquals(parseJson(json), { [deep]: deep });
  }));
});

const NESTED: [string, (depth: number) => string][] = [
  ["arrays", (depth) => "[".repeat(depth) + "]".repeat(depth)],
  ["objects", (depth) => `{"a":`.repeat(depth) + "1" + "}".repeat(depth)],
  [
    "both, behind siblings",
    (depth) => `[[],{"a":`.repeat(depth / 2) + "1" + "}]".repeat(depth / 2),
  ],
];

for (const [what, nest] of NESTED) {
  Deno.test(`parseJson() returns undefined when ${what} are nested deeper than MAX_DEPTH`, () => {
    assertEquals(parseJson(nest(MAX_DEPTH)), JSON.parse(nest(MAX_DEPTH)));
    assertEquals(parseJson(nest(MAX_DEPTH + 2)), undefined);
  });
}

Deno.test("parseJson() does not reach JSON.parse() when a text opens 1.5 million arrays", () => {
  const parse = JSON.parse;
  const parsed: string[] = [];
  JSON.parse = (text: string) => {
    parsed.push(text);
    return parse(text);
  };
  try {
    assertEquals(parseJson("[".repeat(1_500_000) + "]".repeat(1_500_000)), undefined);
    assertEquals([parseJson("[1]"), parsed], [[1], ["[1]"]]);
  } finally {
    JSON.parse = parse;
  }
});

Deno.test("parseJson() returns undefined when there are more than MAX_CONTAINERS arrays and objects", () => {
  const wide = (count: number) => `[${"{},".repeat(count - 2)}[]]`;
  assertEquals(parseJson(wide(MAX_CONTAINERS)), JSON.parse(wide(MAX_CONTAINERS)));
  assertEquals(parseJson(wide(MAX_CONTAINERS + 1)), undefined);
});

for (const text of ["", " ", "{", "[1,]", "nul", "'a'", '"a', '"\\', "]".repeat(99), "<html>"]) {
  Deno.test(`parseJson() returns undefined when the text is ${JSON.stringify(text.slice(0, 9))}`, () => {
    assertEquals(parseJson(text), undefined);
  });
}

Deno.test("parseJson() distinguishes null from invalid JSON", () => {
  assertEquals(parseJson("null"), null);
});

const EMPTY_ARRAYS = "[".repeat(MAX_DEPTH) + "]".repeat(MAX_DEPTH);
const EMPTY_OBJECTS = '{"a":'.repeat(MAX_DEPTH) + "0" + "}".repeat(MAX_DEPTH);

/** JSON with one level too many. */
const DEEP = [
  `[${EMPTY_ARRAYS}]`,
  `{"a":${EMPTY_OBJECTS}}`,
  `[${EMPTY_OBJECTS}]`,
  `{"a":${EMPTY_ARRAYS}}`,
  `[[], {}, ${EMPTY_ARRAYS}]`,
  // Brackets in strings close nothing, and a string may end in a backslash.
  `["]}]}", ${EMPTY_ARRAYS}]`,
  `["\\\\", ${EMPTY_ARRAYS}]`,
  `["\\"", ${EMPTY_ARRAYS}]`,
];

Deno.test("parseJson() returns undefined when there is one level too many, with any strings", () => {
  for (const text of DEEP) {
    assertEquals(JSON.parse(text) !== undefined, true);
    assertEquals(parseJson(text), undefined, text.slice(0, 200));
  }
});

Deno.test("isExact() is true for what JSON.stringify() writes of any value, with any white space", () => {
  // No number of these has more than 15 characters.
  const value = fc.jsonValue().map((json) =>
    JSON.parse(JSON.stringify(json), (_, one) => typeof one === "number" ? one % 1_000 | 0 : one)
  );
  fc.assert(fc.property(value, fc.constantFrom(0, "\t", 2), (json, indent) => {
    const text = JSON.stringify(json, null, indent);
    assertEquals(isExact(text, JSON.parse(text)), true);
  }));
});

Deno.test("isExact() is false when a member stands twice, at any depth, or a number has more digits than are kept", () => {
  const isExactly = (text: string) => isExact(text, JSON.parse(text));
  for (
    const text of [
      '{"title": "Reserved", "title": "Not Found"}',
      '{"a": [{"b": 1, "c": {"d": [], "d": []}}]}',
      '[{"a": "x:", "\\u0061": "x:"}]',
      '{"code": 10000000000000001}',
      "[0.1000000000000001]",
    ]
  ) {
    assertEquals(isExactly(text), false, text);
  }
  for (
    const text of [
      '{"a": {"a": {"a": ["a", "a"]}}}',
      '{"a": "\\"a\\": 1234567890123456", "b\\"": null}',
      '{"code": 100000000000000, "rate": -1.25e-7}',
      '{ "a" \n: 1, "b"\t:2 }',
      '"a"',
      "1",
    ]
  ) {
    assertEquals(isExactly(text), true, text);
  }
});
