import { assertEquals } from "@std/assert";
import { createTextFormatter } from "../../src/cli/formatters.ts";
import type { Row } from "../../src/cli/row.ts";

/** A formatter, and what it has written: names and the TLDs of their rows. */
function openFormatter() {
  let text = "";
  const formatter = createTextFormatter((more) => (text += more, Promise.resolve()), {
    colour: false,
    width: 0,
  });
  const shown = () =>
    text.split("\n").map((line) => /\.(\w+) {2}/.exec(line)?.[1] ?? line).join(" ").trim();
  return { ...formatter, shown };
}

const request = (label: string, ...tlds: string[]) => ({ label, tlds });
const row = (domain: string): Row => ({ kind: "failed", domain, error: "x" });

Deno.test("createTextFormatter() shows one name live and queues the others", async () => {
  const { add, finish, end, shown } = openFormatter();
  const [a, b, c] = [
    request("a", "com", "net"),
    request("b", "org", "dev"),
    request("c", "me", "ai"),
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
  // The finished name is written first, then the next one is live.
  assertEquals(shown(), "a com net  c me ai  b org");
  await add(b, row("b.dev"));
  await finish(b);
  assertEquals(shown(), "a com net  c me ai  b org dev");
  await end("sum");
  assertEquals(shown(), "a com net  c me ai  b org dev  sum");
});

Deno.test("createTextFormatter() writes queued rows when it ends early", async () => {
  const { add, end, shown } = openFormatter();
  await add(request("a", "com", "net"), row("a.com"));
  await add(request("b", "org", "dev"), row("b.org"));
  await add(request("c", "me"), row("c.me"));
  await end("sum");
  assertEquals(shown(), "a com  b org  me  sum");
});

Deno.test("createTextFormatter() writes one line for a name with one TLD, and none for one without rows", async () => {
  const { add, finish, end, shown } = openFormatter();
  const [a, b, c] = [request("a", "com"), request("b", "org"), request("c", "me")];
  await finish(b);
  await add(a, row("a.com"));
  await finish(a);
  await add(c, row("c.me"));
  await finish(c);
  assertEquals(shown(), "com me");
  await end("sum");
  assertEquals(shown(), "com me  sum");
  const empty = openFormatter();
  await empty.end("sum");
  assertEquals(empty.shown(), "sum");
});
