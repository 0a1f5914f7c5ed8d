import { assertEquals } from "@std/assert";
import { DEMO_NAMES } from "./demo_names.ts";
import { NAMES } from "./names.ts";

Deno.test("DEMO_NAMES are names of the lab, but for the one that is free", () => {
  const labels = new Set(NAMES.map(({ name }) => name.split(".")[0]));
  const unknown = DEMO_NAMES.map(({ name }) => name).filter((name) => !labels.has(name));
  assertEquals(unknown, ["free-for-you"]);
});
