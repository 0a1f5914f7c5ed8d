import { assertEquals } from "@std/assert";
import { countOf } from "../../src/rules/window.ts";
import { createDebts } from "../../src/store/debts.ts";

function openDebts(max = 10) {
  return createDebts({ max, windowMs: 100 });
}

const one = (at: number) => ({ at, count: 1 });

Deno.test("debts.of() counts what is owed until it lapses", () => {
  const debts = openDebts();
  debts.owe("a", one(0), 0);
  debts.owe("a", one(50), 50);
  assertEquals([0, 99, 100, 149, 150].map((time) => countOf(debts.of("a", time))), [2, 2, 1, 1, 0]);
  assertEquals(debts.of("b", 0), []);
});

Deno.test("debts.pay() keeps a debt counting until it is paid", () => {
  const debts = openDebts();
  debts.owe("a", one(0), 0);
  assertEquals(debts.pay("a", 1), [one(0)]);
  debts.owe("a", one(2), 2);
  assertEquals(countOf(debts.of("a", 3)), 2);
  debts.paid("a");
  assertEquals(debts.of("a", 3), [one(2)]);
});

Deno.test("debts.pay() gives all that is not paid when it is asked again", () => {
  const debts = openDebts();
  debts.owe("a", one(0), 0);
  debts.pay("a", 1);
  debts.owe("a", one(2), 2);
  assertEquals(debts.pay("a", 3), [one(0), one(2)]);
});

Deno.test("debts.unpaid() has a debt owed again that may not have been paid", () => {
  const debts = openDebts();
  debts.owe("a", one(0), 0);
  debts.pay("a", 1);
  debts.owe("a", one(2), 2);
  assertEquals(debts.some(9, 3), ["a"]);
  debts.pay("a", 3);
  assertEquals(debts.some(9, 3), []);
  debts.unpaid(4);
  assertEquals(debts.some(9, 4), ["a"]);
  assertEquals(debts.of("a", 4), [one(0), one(2)]);
});

Deno.test("debts.some() names at most so many that owe, and none of whom all has lapsed", () => {
  const debts = openDebts();
  for (const [at, subject] of ["a", "b", "c"].entries()) debts.owe(subject, one(at * 40), at * 40);
  assertEquals(debts.some(2, 80), ["a", "b"]);
  assertEquals(debts.some(9, 100), ["b", "c"]);
});

Deno.test("debts.owe() has subjects share windows once it is full, and forgets none that counts", () => {
  const debts = openDebts(2);
  for (const subject of ["a", "b", "c"]) debts.owe(subject, one(0), 0);
  assertEquals(debts.of("c", 0), []);
  assertEquals(debts.common("c", 0), [one(0)]);
  assertEquals(debts.common("c", 100), []);
  // Lapsed debts make room again.
  debts.owe("d", one(100), 100);
  assertEquals(debts.of("d", 100), [one(100)]);
});
