import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parse } from "yaml";
import { NAMES_EXAMPLE } from "../../src/api/examples.ts";
import { operations } from "../../src/api/operations.ts";
import { llms, skill, SKILL_NAME, trimmed } from "../../src/documents/agent_texts.ts";
import { startChain } from "../lab/chain/chain.ts";
import { startLab } from "../lab/lab.ts";
import { curl } from "../support/curl.ts";
import { masked } from "../support/masked.ts";
import { startService } from "../support/service.ts";

const BASE = "http://localhost:8000";
const text = llms(BASE, { version: "1.2.3", limit: 60 });

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

Deno.test("llms.txt has one title, a summary, and sections below them, in under 5 KB", () => {
  const lines = text.split("\n");
  assertMatch(lines[0] ?? "", /^# \S/);
  assertMatch(lines[2] ?? "", /^> \S/);
  assertEquals(lines.filter((line) => line.startsWith("# ")).length, 1);
  assertEquals(lines.filter((line) => line.startsWith("## ")), ["## Endpoints", "## Reference"]);
  const long = llms("https://domain-availability.example.com", { version: "1", limit: 60 });
  assert(bytesOf(long) < 5_120);
});

const commands = [...text.matchAll(/^ +(curl .+)\n +(.+)$/gm)]
  .map(([, command = "", answer = ""]) => ({ command, answer }));

const about = operations.filter(({ chapter }) => chapter !== "service");

Deno.test("llms.txt has a line for every operation, with a curl and an answer for those on names but feeds", () => {
  const shown = about.filter(({ textHeaders }) => textHeaders === undefined);
  const paths = commands.map(({ command }) => new URL(command.split("'")[1] ?? "").pathname);
  assertEquals(paths, shown.map(({ path }) => path));
  for (const { path } of operations) assertMatch(text, new RegExp(`\n- GET ${path}[: ]`));
  assertStringIncludes(text, `\n- POST /check ${JSON.stringify(NAMES_EXAMPLE.body)}: `);
  const [, link] = /\]\((.+)\)/.exec(text) ?? [];
  assertEquals(link, `${BASE}/openapi.yaml`);
});

for (const { command, answer } of commands) {
  Deno.test(`llms.txt: ${command} answers as documented`, async () => {
    await using lab = await startLab();
    await using chain = await startChain();
    await using service = await startService(lab, { env: chain.env });
    const response = await curl(command.replace(BASE, service.url));
    const documented = JSON.parse(answer.replaceAll(",…]", ',"…"]'));
    const answered = JSON.parse(trimmed(await response.json()).replaceAll(",…]", ',"…"]'));
    assertEquals([response.status, masked(answered)], [200, masked(documented)]);
  });
}

Deno.test("skill() keeps the rules of the format and 3 KB, and names every operation about names for a service alone", () => {
  const ofService = skill({ base: "https://domains.example.com" });
  const ofPackage = skill({ command: "some-command" });
  for (const text of [ofService, ofPackage]) {
    const { name, description, ...rest } = parse(/^---\n([^]+?)\n---\n/.exec(text)?.[1] ?? "");
    assertEquals([name, Object.keys(rest)], [SKILL_NAME, ["license"]]);
    assertMatch(name, /^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    assert(name.length <= 64 && description.length > 0 && description.length <= 1_024);
    assert(bytesOf(text) <= 3_000, `${bytesOf(text)} bytes`);
  }
  for (const { path } of about) assertStringIncludes(ofService, `- GET ${path} (`);
  assertEquals(ofPackage.includes("GET "), false);
});
