import { assert, assertEquals } from "@std/assert";
import { analyse } from "scslre";
import { ourFiles, root } from "./support/source_files.ts";

/** A regular expression of a module; without a pattern where one is computed. */
interface Expression {
  readonly at: string;
  readonly literal?: { readonly pattern: string; readonly flags: string };
  /** The comment of the statement: why a slow expression is bounded, or a computed one fast. */
  readonly hasReason: boolean;
}

/** How a comment begins that says why an expression is fast enough. */
const REASON = /\b(?:Linear|Bounded): \S/;
/** Such a comment stands at most this many lines above the expression. */
const LINES_ABOVE = 4;

/** All expressions of a module, as Deno's own parser finds them. */
function expressionsOf(name: string, text: string): Expression[] {
  const found: Expression[] = [];

  function add({ range: [start] }: Deno.lint.Node, literal?: Expression["literal"]): void {
    const above = text.slice(0, start).split("\n");
    found.push({
      at: `${name}:${above.length}`,
      ...(literal && { literal }),
      hasReason: REASON.test(above.slice(-1 - LINES_ABOVE).join("\n")),
    });
  }

  const create = (): Deno.lint.LintVisitor => ({
    Literal(node) {
      // Deno gives every literal the member.
      if ("regex" in node && node.regex !== undefined) add(node, node.regex);
    },
    "NewExpression[callee.name='RegExp']": add,
    "CallExpression[callee.name='RegExp']": add,
  });
  Deno.lint.runPlugin({ name: "expressions", rules: { all: { create } } }, name, text);
  return found;
}

/** Whether its time may grow faster than the text that it is matched with. */
function isSlow({ pattern, flags }: NonNullable<Expression["literal"]>): boolean {
  return analyse({ source: pattern, flags }).reports.length > 0;
}

/** What a reader must be told about an expression, and is not. */
function lacksReason({ literal, hasReason }: Expression): boolean {
  return !hasReason && (literal === undefined || isSlow(literal));
}

Deno.test("every regular expression takes linear time, or a comment says what bounds it", () => {
  const all = ourFiles().flatMap((file) =>
    expressionsOf(file.href.slice(root.href.length), Deno.readTextFileSync(file))
  );
  assertEquals(all.filter(lacksReason).map(({ at }) => at), []);
  assert(all.length > 100, `${all.length} expressions were found`);
});

Deno.test("the test of regular expressions finds slow and computed ones", () => {
  const places = (text: string) =>
    expressionsOf("a.ts", text).filter(lacksReason).map(({ at }) => at);
  assertEquals(places("const A = /a+$/;\nconst B = /^a+$/;"), ["a.ts:1"]);
  assertEquals(places("const A = /^(?:a+)+$/;"), ["a.ts:1"]);
  assertEquals(places("f(new RegExp(text));\nf(RegExp(text));"), ["a.ts:1", "a.ts:2"]);
  assertEquals(places("// Bounded: by 63 characters.\nconst A = /a+$/;"), []);
});
