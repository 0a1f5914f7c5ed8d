import { assertEquals } from "@std/assert";
import { createScreen } from "../../src/cli/screen.ts";
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

Deno.test("createScreen() draws progress after 500 ms, and again after each result and note", async () => {
  using time = new FakeTime(0);
  const terminal = fakeTerminal(80);
  let done = 0;
  using screen = createScreen(terminal, (columns) => `${done} of ${columns}`);
  await screen.write("a");
  time.tick(499);
  assertEquals(terminal.seen.splice(0), ["out a"]);
  time.tick(1);
  assertEquals(terminal.seen.splice(0), [`err ${CLEAR}0 of 80`]);
  done++;
  await screen.write("b");
  assertEquals(terminal.seen.splice(0), [`err ${CLEAR}`, "out b", `err ${CLEAR}1 of 80`]);
  screen.note("wait");
  assertEquals(terminal.seen.splice(0), [`err ${CLEAR}`, "err wait\n", `err ${CLEAR}1 of 80`]);
  done++;
  time.tick(250);
  assertEquals(terminal.seen.splice(0), [`err ${CLEAR}2 of 80`]);
  screen.close();
  time.tick(1_000);
  await screen.write("c");
  assertEquals(terminal.seen, [`err ${CLEAR}`, "out c"]);
});

Deno.test("createScreen() draws nothing while a result is being written", async () => {
  using time = new FakeTime(0);
  const terminal = fakeTerminal(80);
  const { promise, resolve } = Promise.withResolvers<void>();
  using screen = createScreen({ ...terminal, write: () => promise }, () => "bar");
  const writing = screen.write("a");
  time.tick(5_000);
  assertEquals(terminal.seen, []);
  resolve();
  await writing;
});

Deno.test("createScreen() draws no progress when stderr is not a terminal, but writes notes", async () => {
  using time = new FakeTime(0);
  const terminal = fakeTerminal(0);
  using screen = createScreen(terminal, () => "bar");
  time.tick(5_000);
  await screen.write("a");
  screen.note("wait");
  assertEquals(terminal.seen, ["out a", "err wait\n"]);
});
