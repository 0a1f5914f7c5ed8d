import { assertEquals } from "@std/assert";
import { createScreen, drawProgress, startRate } from "../../src/cli/screen.ts";
import { FakeTime } from "../support/fake_time.ts";

/** A terminal that records both streams in order. */
function fakeTerminal(columns: number) {
  const seen: string[] = [];
  return {
    seen,
    write: (text: string) => (seen.push(`out ${text}`), Promise.resolve()),
    err: (text: string) => void seen.push(`err ${text}`),
    columns: () => columns,
  };
}

const CLEAR = "\r\x1b[2K";

Deno.test("createScreen() draws progress every 500 ms, and again after each result and note", async () => {
  using time = new FakeTime(0);
  const terminal = fakeTerminal(80);
  const { seen } = terminal;
  let done = 0;
  using screen = createScreen(terminal, (columns) => `${done} of ${columns}`);
  await screen.write("a");
  time.tick(499);
  assertEquals(seen.splice(0), ["out a"]);
  time.tick(1);
  assertEquals(seen.splice(0), [`err ${CLEAR}0 of 80`]);
  await screen.write("b");
  assertEquals(seen.splice(0), [`err ${CLEAR}`, "out b", `err ${CLEAR}0 of 80`]);
  screen.note("wait");
  assertEquals(seen.splice(0), [`err ${CLEAR}`, "err wait\n", `err ${CLEAR}0 of 80`]);
  done++;
  time.tick(500);
  assertEquals(seen.splice(0), [`err ${CLEAR}1 of 80`]);
  screen.close();
  time.tick(1_000);
  await screen.write("c");
  assertEquals(seen, [`err ${CLEAR}`, "out c"]);
});

Deno.test("createScreen() draws nothing while a result is being written, nor where stderr is no terminal, but writes notes", async () => {
  using time = new FakeTime(0);
  const terminal = fakeTerminal(80);
  const written = Promise.withResolvers<void>();
  using busy = createScreen({ ...terminal, write: () => written.promise }, () => "bar");
  const writing = busy.write("a");
  time.tick(5_000);
  assertEquals(terminal.seen, []);
  written.resolve();
  await writing;
  const piped = fakeTerminal(0);
  using screen = createScreen(piped, () => "bar");
  time.tick(5_000);
  await screen.write("a");
  screen.note("wait");
  assertEquals(piped.seen, ["out a", "err wait\n"]);
});

// deno-fmt-ignore -- a table
const LINES: [Parameters<typeof drawProgress>, string][] = [
  [[{ done: 0, total: 1_000, perSecond: undefined }, 80], "0/1000 checked"],
  [[{ done: 412, total: 1_000, perSecond: 79.6 }, 80], "412/1000 checked  80/s  8 s left"],
  [[{ done: 1_000, total: 1_000, perSecond: 80 }, 80], "1000/1000 checked  80/s  0 s left"],
  [[{ done: 10, total: 10_000, perSecond: 0.9 }, 60], "10/10000 checked  0.9/s  185 min left"],
  [[{ done: 412, total: undefined, perSecond: 79.6 }, 80], "412 checked  80/s"],
  [[{ done: 412, total: 1_000, perSecond: 79.6 }, 33], "412/1000 checked  80/s  8 s left"],
  [[{ done: 412, total: 1_000, perSecond: 79.6 }, 32], "412/1000 checked  80/s"],
  [[{ done: 412, total: 1_000, perSecond: 79.6 }, 22], "412/1000 checked"],
  [[{ done: 412, total: 1_000, perSecond: 79.6 }, 9], "412/1000"],
  [[{ done: 412, total: 1_000, perSecond: 79.6 }, 0], ""],
];

Deno.test("drawProgress() shows count, rate and time left as far as they fit before the last column", () => {
  for (const [[progress, columns], line] of LINES) {
    assertEquals(drawProgress(progress, columns), line);
  }
});

Deno.test("startRate() measures the last seconds, not the whole run, and has no rate when nothing was done in them", () => {
  let time = 0;
  let count = 0;
  const rate = startRate(() => count, () => time);
  assertEquals(rate(), undefined);
  // A thousand cache hits at once, then one result per second.
  count = 1_000;
  for (; time < 30_000; time += 500) {
    if (time % 1_000 === 0) count++;
    rate();
  }
  assertEquals(Math.round(rate() ?? NaN), 1);
  for (; time < 60_000; time += 500) rate();
  assertEquals(rate(), undefined);
});
