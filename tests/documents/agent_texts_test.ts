import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parse } from "yaml";
import { examplesOf } from "../../src/api/examples.ts";
import { operations } from "../../src/api/operations.ts";
import { llms, skill } from "../../src/documents/agent_texts.ts";

const BASE = "http://localhost:8000";
const ABOUT = { version: "1.2.3", limit: 60 };
const text = llms(BASE, ABOUT);

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

Deno.test("llms.txt has one title, a summary, and sections below them, in under 5 KB", () => {
  const lines = text.split("\n");
  assertMatch(lines[0] ?? "", /^# \S/);
  assertMatch(lines[2] ?? "", /^> \S/);
  assertEquals(lines.filter((line) => line.startsWith("# ")).length, 1);
  assertEquals(lines.filter((line) => line.startsWith("## ")), ["## Endpoints", "## Reference"]);
  const long = "https://domain-availability.some-team-with-a-long-name.deno.example.com";
  assert(bytesOf(llms(long, ABOUT)) < 5_120);
});

const printed = [...text.matchAll(/^ +GET (\/.+)\n +(.+)$/gm)]
  .map(([, path = "", answer = ""]) => ({ url: new URL(path, BASE), answer }));

Deno.test("llms.txt has a line for every operation, with the first example and its answer", () => {
  for (const { name, path, body } of operations) {
    const [example] = examplesOf(name);
    const sent = body ? ` ${JSON.stringify(example?.input)}: ` : "";
    assertStringIncludes(text, `\n- ${body ? "POST" : "GET"} ${path}${sent}`);
    if (body) continue;
    const ofPath = printed.filter(({ url }) => url.pathname === path);
    const shown = ofPath.map(({ url, answer }) => [Object.fromEntries(url.searchParams), answer]);
    assertEquals(shown, example ? [[example.input, JSON.stringify(example.answer)]] : []);
  }
  const [, link] = /\]\((.+)\)/.exec(text) ?? [];
  assertEquals(link, `${BASE}/openapi.yaml`);
});

Deno.test("skill() keeps the rules of the format and 3 KB, and names every operation about names", () => {
  const text = skill("https://domains.example.com");
  const { name, description, ...rest } = parse(/^---\n([^]+?)\n---\n/.exec(text)?.[1] ?? "");
  assertEquals([name, Object.keys(rest)], ["domain-availability", ["license"]]);
  assert(description.length > 0 && description.length <= 1_024);
  assert(bytesOf(text) <= 3_000, `${bytesOf(text)} bytes`);
  for (const { path, chapter } of operations) {
    assertEquals(text.includes(` ${path} `), chapter !== "service", path);
  }
});
