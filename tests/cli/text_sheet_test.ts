import { assertEquals } from "@std/assert";
import type { Row } from "../../src/cli/row.ts";
import { createTextSheet } from "../../src/cli/text_sheet.ts";

/** A sheet, and what stands on it: names and the TLDs of their rows. */
function openSheet() {
  let text = "";
  const sheet = createTextSheet((more) => (text += more, Promise.resolve()), {
    colour: false,
    width: 0,
  });
  const shown = () =>
    text.split("\n").map((line) => /\.(\w+) {2}/.exec(line)?.[1] ?? line).join(" ").trim();
  return { ...sheet, shown };
}

const question = (label: string, ...tlds: string[]) => ({ label, tlds });
const row = (domain: string): Row => ({ kind: "failed", domain, why: "x" });

Deno.test("createTextSheet() shows one name live, and others in their turn", async () => {
  const { add, finish, end, shown } = openSheet();
  const [a, b, c] = [
    question("a", "com", "net"),
    question("b", "org", "dev"),
    question("c", "me", "ai"),
  ];
  await add(a, row("a.com"));
  await add(b, row("b.org"));
  await add(c, row("c.me"));
  assertEquals(shown(), "a com");
  await add(c, row("c.ai"));
  let isWritten = false;
  const finished = finish(c).then(() => isWritten = true);
  await add(a, row("a.net"));
  assertEquals([shown(), isWritten], ["a com net", false]);
  await finish(a);
  await finished;
  // What is finished goes first, then the next is live.
  assertEquals(shown(), "a com net  c me ai  b org");
  await add(b, row("b.dev"));
  await finish(b);
  assertEquals(shown(), "a com net  c me ai  b org dev");
  await end("sum");
  assertEquals(shown(), "a com net  c me ai  b org dev  sum");
});

Deno.test("createTextSheet() shows what is known where the end comes early", async () => {
  const { add, end, shown } = openSheet();
  await add(question("a", "com", "net"), row("a.com"));
  await add(question("b", "org", "dev"), row("b.org"));
  await add(question("c", "me"), row("c.me"));
  await end("sum");
  assertEquals(shown(), "a com  b org  me  sum");
});

Deno.test("createTextSheet() gives a name with one TLD one line, and one without rows none", async () => {
  const { add, finish, end, shown } = openSheet();
  const [a, b, c] = [question("a", "com"), question("b", "org"), question("c", "me")];
  await finish(b);
  await add(a, row("a.com"));
  await finish(a);
  await add(c, row("c.me"));
  await finish(c);
  assertEquals(shown(), "com me");
  await end("sum");
  assertEquals(shown(), "com me  sum");
  const empty = openSheet();
  await empty.end("sum");
  assertEquals(empty.shown(), "sum");
});
