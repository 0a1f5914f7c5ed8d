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
    for (let next = turns.take(); next !== undefined && next !== last; next = turns.take()) {
      before++;
    }
    assertEquals(before <= ahead && ahead <= size, true, `${before} before, ${ahead} expected`);
  }
});
