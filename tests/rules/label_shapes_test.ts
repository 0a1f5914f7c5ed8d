import { assertEquals, assertMatch } from "@std/assert";
import { LABEL_SHAPES } from "../../src/rules/labels/registry_rules.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";

const TLDS = BUILT_IN_TLDS.map(({ tld }) => tld);

/** The kind of the first matching row, by TLD; TLDs without a match are left out. */
function kindsOf(label: string): Record<string, string> {
  return Object.fromEntries(TLDS.flatMap((tld) => {
    const row = LABEL_SHAPES.find(({ tlds, labels }) => tlds.includes(tld) && labels.test(label));
    return row === undefined ? [] : [[tld, row.kind]];
  }));
}

const TWO_CHARACTERS = {
  biz: "unknown",
  com: "unknown",
  info: "unknown",
  io: "unknown",
  me: "forbidden",
  net: "unknown",
  org: "unknown",
};
const TWO_LETTERS = {
  ...TWO_CHARACTERS,
  app: "unknown",
  bot: "unknown",
  cloud: "unknown",
  dev: "unknown",
  online: "unknown",
  site: "unknown",
  store: "unknown",
  tech: "unknown",
  xyz: "unknown",
};

Deno.test("LABEL_SHAPES has, per TLD, the labels that it does not sell or may not sell", () => {
  const cases: Record<string, Record<string, string>> = {
    "a": TWO_CHARACTERS,
    "ab": TWO_LETTERS,
    "a1": TWO_CHARACTERS,
    "12": TWO_CHARACTERS,
    "abc": {},
    "ab1": {},
    "1ab": {},
    "1234": {},
    "1-23": {},
    "12345": { me: "forbidden" },
    "12-34": { me: "forbidden" },
    "a12345": {},
    "12345a": {},
    "abcde": {},
    "a--b": { ai: "unknown" },
    "a-b-c": {},
  };
  for (const [label, kinds] of Object.entries(cases)) assertEquals(kindsOf(label), kinds, label);
});

Deno.test("LABEL_SHAPES names the TLD, the source and its date in each row", () => {
  for (const { sentence: says, source, date } of LABEL_SHAPES) {
    assertMatch(says, /^\w.*\.\{tld\} /);
    assertMatch(source, /\w{3}/);
    assertMatch(date, /^20\d\d(?:-[01]\d-[0-3]\d)?$/);
  }
});
