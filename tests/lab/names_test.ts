import { assert, assertEquals } from "@std/assert";
import { DEMO_NAMES } from "./demo_names.ts";
import { NAMES } from "./names.ts";

const LABEL = /^(?!-)(?!..--)[a-z0-9-]{1,63}(?<!-)(\.[a-z]+)?$/;

Deno.test("NAMES are names that the service takes", () => {
  assertEquals(NAMES.map(({ name }) => name).filter((name) => !LABEL.test(name)), []);
});

Deno.test("NAMES have one row for each name", () => {
  const names = NAMES.map(({ name }) => name);
  assertEquals(names.filter((name, i) => names.indexOf(name) !== i), []);
});

Deno.test("NAMES have readable labels", () => {
  const names = NAMES.map(({ name }) => name);
  for (const name of ["gzip-bomb", "html-404", "rate-limited-date", "dns-wrong-id"]) {
    assert(names.includes(name), name);
  }
});

Deno.test("DEMO_NAMES are names of the lab, but for the one that is free", () => {
  const labels = new Set(NAMES.map(({ name }) => name.split(".")[0]));
  const unknown = DEMO_NAMES.map(({ name }) => name).filter((name) => !labels.has(name));
  assertEquals(unknown, ["free-for-you"]);
});
