import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createTurns } from "../../src/flow/turns.ts";

/** Takes all tasks in order of turns. */
function takeAll(turns: ReturnType<typeof createTurns<string>>): string[] {
  const taken: string[] = [];
  for (let task = turns.next(); task !== undefined; task = turns.next()) {
    turns.passTurn(task.slice(0, 1));
    turns.remove(task.slice(0, 1), task);
    taken.push(task);
  }
  return taken;
}

Deno.test("turns.next() gives one task of each client in turn, in order of arrival", () => {
  const turns = createTurns<string>();
  for (const task of ["a1", "a2", "a3", "b1", "c1", "c2"]) turns.add(task.slice(0, 1), task);
  assertEquals(turns.size, 6);
  assertEquals(["a", "b", "d"].map(turns.countOf), [3, 1, 0]);
  assertEquals(takeAll(turns), ["a1", "b1", "c1", "a2", "c2", "a3"]);
  assertEquals([turns.size, turns.next()], [0, undefined]);
});

Deno.test("turns.next() gives a client's tasks by rank, and those of one rank in order of arrival", () => {
  const turns = createTurns<string>();
  for (const [task, rank] of [["a1", 2], ["a2", 0], ["b1", 3], ["a3", 2], ["a4", 0]] as const) {
    turns.add(task.slice(0, 1), task, rank);
  }
  assertEquals([turns.ahead("a"), turns.ahead("a", 1), turns.ahead("a", 2)], [3, 3, 5]);
  assertEquals(takeAll(turns), ["a2", "b1", "a4", "a1", "a3"]);
});

Deno.test("turns.next() gives the tasks of a higher level first, and lets clients of one level take turns", () => {
  const left: Record<string, number> = { a: 1, b: 3, c: 1 };
  const turns = createTurns<string>((client) => left[client] ?? 0);
  for (const task of ["a1", "a2", "b1", "b2", "b3", "b4", "c1", "c2"]) {
    turns.add(task.slice(0, 1), task);
  }
  // Beside the own tasks, only those of clients that are of no lower level when its turn comes.
  assertEquals(["a", "b", "c", "d"].map((client) => turns.ahead(client)), [7, 8, 7, 3]);
  const taken: string[] = [];
  for (let task = turns.next(); task !== undefined; task = turns.next()) {
    const client = task.slice(0, 1);
    left[client] = Math.max(0, (left[client] ?? 0) - 1);
    turns.passTurn(client);
    turns.remove(client, task);
    taken.push(task);
  }
  assertEquals(taken.slice(0, 3), ["b1", "b2", "a1"]);
  assertEquals(taken.slice(3).toSorted(), ["a2", "b3", "b4", "c1", "c2"]);
});

Deno.test("turns.remove() ignores a task that is not in the queue", () => {
  const turns = createTurns<string>();
  turns.add("a", "a1");
  turns.remove("a", "a2");
  turns.remove("b", "a1");
  turns.remove("a", "a1");
  turns.remove("a", "a1");
  assertEquals([turns.size, turns.all()], [0, []]);
});

Deno.test("turns.ahead() is never less than the tasks that start before a further one", () => {
  const client = fc.constantFrom("a", "b", "c", "d");
  const clients = fc.array(fc.record({ client, rank: fc.nat(3) }), { maxLength: 20 });
  fc.assert(fc.property(clients, fc.nat(5), fc.nat(3), (arrivals, served, rank) => {
    const turns = createTurns<string>();
    arrivals.forEach(({ client, rank }, place) => turns.add(client, `${client}${place}`, rank));
    for (let n = 0; n < served; n++) {
      const task = turns.next();
      if (task === undefined) break;
      turns.passTurn(task.slice(0, 1));
      turns.remove(task.slice(0, 1), task);
    }
    const ahead = turns.ahead("a", rank);
    turns.add("a", "a-last", rank);
    const before = takeAll(turns).indexOf("a-last");
    assert(before <= ahead, `${before} start before it, not ${ahead}`);
  }));
});
