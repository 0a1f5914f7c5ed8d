import { assert, assertEquals, assertMatch } from "@std/assert";
import { parse } from "yaml";
import { operations } from "../../src/api/operations.ts";
import { skill, SKILL_NAME } from "../../src/documents/agent_texts.ts";

const BASE = "https://domains.example.com";

/** The settings at the head of a skill. */
function headOf(text: string): Record<string, string> {
  const [, head = ""] = /^---\n([^]+?)\n---\n/.exec(text) ?? [];
  return parse(head);
}

for (
  const [where, text] of [["a service", skill({ base: BASE })], [
    "the npm package",
    skill({ command: "some-command" }),
  ]] as const
) {
  Deno.test(`skill({ command: "some-command" }) keeps the rules of the format, and 3 KB, for ${where}`, () => {
    const { name = "", description = "", ...rest } = headOf(text);
    assertEquals([name, Object.keys(rest)], [SKILL_NAME, ["license"]]);
    assertMatch(name, /^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    assert(name.length <= 64 && description.length > 0 && description.length <= 1_024);
    const bytes = new TextEncoder().encode(text).length;
    assert(bytes <= 3_000, `${bytes} bytes`);
  });
}

Deno.test("skill() names every operation about names for a service, and none for the npm package", () => {
  const paths = operations.filter(({ chapter }) => chapter !== "service").map(({ path }) => path);
  assertEquals(paths.filter((path) => !skill({ base: BASE }).includes(`- GET ${path} (`)), []);
  assertEquals(
    paths.filter((path) => skill({ command: "some-command" }).includes(`GET ${path}`)),
    [],
  );
});
