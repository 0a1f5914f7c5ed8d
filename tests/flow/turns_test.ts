import { assertEquals } from "@std/assert";
import { createTurns } from "../../src/flow/queue/turns.ts";

/** Takes turns for tasks, and notes which have begun and how each is ended. */
function record(atOnce: number) {
  const turns = createTurns({ atOnce, monotonic: () => 0 });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (name: string, client: string) =>
    turns.take({ client }, (end) => {
      begun.push(name);
      ends.set(name, end);
    });
  return { take, begun, end: (name: string) => ends.get(name)?.() };
}

Deno.test("turns.take() begins as many tasks as allowed at once, and the others in turns of their clients", () => {
  const { take, begun, end } = record(2);
  for (const name of ["a1", "a2", "a3", "a4"]) take(name, "a");
  take("b1", "b");
  assertEquals(begun, ["a1", "a2"]);
  end("a1");
  end("a1");
  assertEquals(begun, ["a1", "a2", "a3"], "a second end of a task ends no other");
  end("a2");
  assertEquals(begun.at(-1), "b1");
  end("b1");
  assertEquals(begun.at(-1), "a4");
});

Deno.test("turns.take() returns what cancels the wait", () => {
  const { take, begun, end } = record(1);
  assertEquals(take("first", "a"), undefined);
  const cancel = take("second", "b");
  take("third", "c");
  cancel?.();
  end("first");
  assertEquals(begun, ["first", "third"]);
});
