import { assertEquals } from "@std/assert";
import {
  createNameFormatter,
  createSortedFormatter,
  createTextFormatter,
  type Formatter,
} from "../../src/cli/formatters.ts";
import type { Row } from "../../src/cli/row.ts";
import type { DomainResult } from "../../src/lookup/check_domain.ts";

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

/** A row as the service finds it. */
function found(domain: string, found: "available" | "taken" | "unknown"): Row {
  const [, tld = ""] = domain.split(".");
  const result: DomainResult = {
    domain,
    tld,
    state: found,
    available: found === "available",
    status: found === "available"
      ? ["undelegated", "inactive"]
      : [found === "taken" ? "active" : "unknown"],
    premium: false,
    source: "dns",
    checkedAt: "2026-11-22T00:00:00.000Z",
    responseMs: 1,
    ...(found === "unknown" && { error: "the registry\x1b[2J is busy" }),
  };
  return { kind: "domain", domain, result };
}

function likelyAvailable(domain: string): Row {
  const row = found(domain, "unknown");
  return row.kind === "domain" ? { ...row, result: { ...row.result, likely: "available" } } : row;
}

Deno.test("createNameFormatter() writes a line for each name once it is finished, with all TLDs in their places", async () => {
  let text = "";
  const layout = { colour: false, width: 6 };
  const { add, finish, end } = createNameFormatter(
    (more) => (text += more, Promise.resolve()),
    layout,
  );
  const [a, b, c, d] = [
    request("a", "com", "io"),
    request("longer", "com", "io"),
    request("c", "dev"),
    request("d", "com", "io"),
  ];
  await add(b, found("longer.io", "taken"));
  await add(a, found("a.io", "unknown"));
  await add(a, found("a.com", "available"));
  assertEquals(text, "");
  await add(c, found("c.dev", "taken"));
  await finish(c);
  await finish(a);
  // With --available a name may be left without rows.
  await finish(d);
  await end("sum");
  assertEquals(text.split("\n"), [
    "✗ Taken      c.dev   found in DNS · 1 ms",
    "a       ✓ .com  ? .io  .io: the registry\uFFFD[2J is busy",
    "longer          ✗ .io",
    "",
    "sum",
    "",
  ]);
});

Deno.test("createNameFormatter() shows what an unknown name most likely is by its icon, with the reason", async () => {
  let text = "";
  const { add, finish } = createNameFormatter((more) => (text += more, Promise.resolve()), {
    colour: false,
    width: 1,
  });
  const a = request("a", "com", "io");
  await add(a, found("a.com", "taken"));
  await add(a, likelyAvailable("a.io"));
  await finish(a);
  assertEquals(text, "a  ✗ .com  ≈ .io  .io: the registry\uFFFD[2J is busy\n");
});

Deno.test("createNameFormatter() colours the states, and writes only the summary of an empty run", async () => {
  let text = "";
  const write = (more: string) => (text += more, Promise.resolve());
  const { add, finish } = createNameFormatter(write, { colour: true, width: 1 });
  const a = request("a", "com", "io");
  await add(a, found("a.com", "taken"));
  await finish(a);
  assertEquals(text, "a  \x1b[31m✗ .com\x1b[0m\n");
  text = "";
  await createNameFormatter(write, { colour: true, width: 1 }).end("sum");
  assertEquals(text, "sum\n");
});

Deno.test("createSortedFormatter() passes the rows on at the end, by name, state or TLD", async () => {
  const rows = [
    found("b.io", "taken"),
    found("b.com", "available"),
    found("a.io", "unknown"),
    found("a.com", "taken"),
    found("ab.com", "available"),
    likelyAvailable("0.com"),
    found("a.co.uk", "taken"),
  ];
  const sorted = async (order: "name" | "state" | "tld") => {
    const passed: string[] = [];
    const inner: Formatter = {
      add: (_, row) => Promise.resolve(void passed.push(row.domain)),
      finish: () => Promise.resolve(void passed.push("finish")),
      end: (summary) => Promise.resolve(void passed.push(summary)),
    };
    const { add, finish, end } = createSortedFormatter(inner, order);
    const one = request("x", "com", "io");
    for (const row of rows) await add(one, row);
    await finish(one);
    assertEquals(passed, []);
    await end("sum");
    return passed.join(" ");
  };
  assertEquals(await sorted("name"), "0.com a.co.uk a.com a.io ab.com b.com b.io sum");
  assertEquals(await sorted("state"), "ab.com b.com a.co.uk a.com b.io 0.com a.io sum");
  assertEquals(await sorted("tld"), "a.co.uk 0.com a.com ab.com b.com a.io b.io sum");
});
