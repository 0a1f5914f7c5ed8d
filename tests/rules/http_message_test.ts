import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  MAX_CONTAINERS,
  MAX_DEPTH,
  parseJson,
  readExact,
  readRetryAfterMs,
} from "../../src/rules/readers/http_message.ts";

Deno.test("parseJson() returns what JSON.parse() returns for every value of bounded depth, null included, and ignores brackets inside strings, with any escapes", () => {
  const value = fc.jsonValue({ maxDepth: MAX_DEPTH / 2 });
  fc.assert(fc.property(value, fc.constantFrom(0, 2), (json, indent) => {
    const text = JSON.stringify(json, null, indent);
    assertEquals(parseJson(text), JSON.parse(text));
  }));
  const brackets = fc.string({ unit: fc.constantFrom("[", "{", '"', "\\", "]", "}", "a") });
  fc.assert(fc.property(brackets, (text) => {
    const deep = `${text}${"[{".repeat(MAX_DEPTH)}`;
    const json = JSON.stringify({ [deep]: deep });
    assertEquals(parseJson(json), { [deep]: deep });
  }));
});

const ARRAYS = "[".repeat(MAX_DEPTH) + "]".repeat(MAX_DEPTH);
const OBJECTS = '{"a":'.repeat(MAX_DEPTH) + "0" + "}".repeat(MAX_DEPTH);
const BOTH = '[[],{"a":'.repeat(MAX_DEPTH / 2) + "1" + "}]".repeat(MAX_DEPTH / 2);

Deno.test("parseJson() returns undefined when there is one level more than MAX_DEPTH, with any strings", () => {
  for (const text of [ARRAYS, OBJECTS, BOTH]) assertEquals(parseJson(text), JSON.parse(text));
  const deep = [ARRAYS, OBJECTS, BOTH].flatMap((text) => [`[${text}]`, `{"a":${text}}`]);
  // Brackets in strings close nothing, and a string may end in a backslash.
  for (const string of ['"]}]}"', '"\\\\"', '"\\""']) deep.push(`[${string}, ${ARRAYS}]`);
  for (const text of deep) {
    assertEquals(JSON.parse(text) !== undefined, true);
    assertEquals(parseJson(text), undefined, text.slice(0, 200));
  }
});

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

Deno.test("parseJson() returns undefined when there are more than MAX_CONTAINERS arrays and objects, or the text is no JSON", () => {
  const wide = (count: number) => `[${"{},".repeat(count - 2)}[]]`;
  assertEquals(parseJson(wide(MAX_CONTAINERS)), JSON.parse(wide(MAX_CONTAINERS)));
  assertEquals(parseJson(wide(MAX_CONTAINERS + 1)), undefined);
  for (const text of ["", " ", "{", "[1,]", "nul", "'a'", '"a', '"\\', "]".repeat(99), "<html>"]) {
    assertEquals(parseJson(text), undefined, text);
  }
});

Deno.test("readExact() reads what JSON.stringify() writes of any object, with any white space", () => {
  // No number of these has more than 15 characters.
  const value = fc.jsonValue().map((json) =>
    JSON.parse(JSON.stringify(json), (_, one) => typeof one === "number" ? one % 1_000 | 0 : one)
  );
  fc.assert(fc.property(value, fc.constantFrom(0, "\t", 2), (json, indent) => {
    assertEquals(readExact(JSON.stringify({ json }, null, indent)), { json });
  }));
});

Deno.test("readExact() reads no JSON in which a member stands twice, at any depth, or a number has more digits than are kept", () => {
  const inexact = [
    '{"title": "Reserved", "title": "Not Found"}',
    '{"a": [{"b": 1, "c": {"d": [], "d": []}}]}',
    '[{"a": "x:", "\\u0061": "x:"}]',
    '{"code": 10000000000000001}',
    "[0.1000000000000001]",
    // The time of no expression may grow with the square of such a text.
    `["${'\\"'.repeat(600_000)}`,
  ];
  const exact = [
    '{"a": {"a": {"a": ["a", "a"]}}}',
    '{"a": "\\"a\\": 1234567890123456", "b\\"": null}',
    '{"code": 100000000000000, "rate": -1.25e-7}',
    '{ "a" \n: 1, "b"\t:2 }',
    '["a"]',
  ];
  assertEquals([...inexact, ...exact].filter((text) => readExact(text)), exact);
});

const NOW = Date.UTC(2026, 10, 21, 12);

const RETRY_AFTER: Readonly<Record<number, readonly string[]>> = {
  0: ["0", `${NOW / 1_000 - 40}`, "Sat, 21 Nov 2026 11:00:00 GMT"],
  30_000: [
    "Sat, 21 Nov 2026 12:00:30 GMT",
    "Saturday, 21-Nov-26 12:00:30 GMT",
    "Sat Nov 21 12:00:30 2026",
    "Sat, 21 Nov 2026 14:00:30 +0200",
  ],
  40_000: [`${NOW / 1_000 + 40}`],
  120_000: ["120", " 120 "],
  3_600_000: [
    ...["3600", "3601", "999999999", "251606999132", "9".repeat(400)],
    ...["Sun, 22", "Mon, 23", "Tue, 24", "Wed, 25", "Thu, 26", "Fri, 27"]
      .map((day) => `${day} Nov 2026 12:00:00 GMT`),
  ],
};

Deno.test("readRetryAfterMs() parses seconds or an HTTP date, at most an hour", () => {
  for (const [ms, headers] of Object.entries(RETRY_AFTER)) {
    for (const header of headers) assertEquals(readRetryAfterMs(header, NOW), Number(ms), header);
  }
  // Neither seconds nor an HTTP date, though `Number` or `Date.parse` accepts them.
  const others = ["-5", "1.5", "1e3", "0x10", "120 s", "in 120", "2026-11-21T12:00:30Z", "", " "];
  others.push("21 Nov 2026 12:00:30 GMT", "1 Sat, 21 Nov 2026 12:00:30 GMT", "Sat, soon");
  for (const header of [...others, "21 Nov 2026 12:00:30 GMT (Sat)", null]) {
    assertEquals(readRetryAfterMs(header, NOW), undefined, `${header}`);
  }
});
