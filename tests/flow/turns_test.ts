import { assertEquals } from "@std/assert";
import { Turns } from "../../src/flow/turns.ts";

const placeOf = (name: string) => {
  const [site = "", client = ""] = name.split("/");
  return { site, client, name };
};

Deno.test("ahead() is how many places start before a further one of the client", () => {
  for (let seed = 1; seed < 200; seed++) {
    let state = seed;
    const pick = (most: number) => (state = (state * 48_271) % 2_147_483_647) % most;
    const turns = new Turns<ReturnType<typeof placeOf>>();
    for (let n = pick(30); n > 0; n--) turns.add(placeOf(`${pick(4)}/${pick(3)}`));
    // What starts before it depends on whose turn is next, by one round of the others at most.
    const last = placeOf(`${pick(5)}/${pick(4)}`);
    const ahead = turns.ahead(last);
    const { size } = turns;
    turns.add(last);
    let before = 0;
    for (let next = turns.peek(); next !== undefined && next !== last; next = turns.peek()) {
      turns.take(next);
      before++;
    }
    assertEquals(before <= ahead && ahead <= size, true, `${before} before, ${ahead} expected`);
  }
});

Deno.test("delete() removes a place once, and keeps the turns of the others", () => {
  const turns = new Turns<ReturnType<typeof placeOf>>();
  const [left, one, two, other] = ["s/left", "s/a", "s/a", "t/b"].map(placeOf);
  for (const place of [left, one, two, other]) turns.add(place!);
  for (const gone of [left, one, one]) turns.delete(gone!);
  assertEquals([turns.size, turns.sizeOf(two!), turns.peek()], [2, 1, two]);
  turns.take(two!);
  assertEquals([turns.peek(), turns.all()], [other, [other]]);
  turns.take(other!);
  assertEquals([turns.size, turns.peek()], [0, undefined]);
});
