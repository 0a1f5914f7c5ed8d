import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { llms, trimmed } from "../../src/documents/agent_texts.ts";
import { operations } from "../../src/api/operations.ts";
import { startChain } from "../lab/chain/chain.ts";
import { startLab } from "../lab/lab.ts";
import { curl } from "../support/curl.ts";
import { masked } from "../support/masked.ts";
import { startService } from "../support/service.ts";

const BASE = "http://localhost:8000";
const text = llms(BASE, { version: "1.2.3", limit: 60 });

Deno.test("llms.txt has one title, a summary, and sections below them, in under 5 KB", () => {
  const lines = text.split("\n");
  assertMatch(lines[0] ?? "", /^# \S/);
  assertMatch(lines[2] ?? "", /^> \S/);
  assertEquals(lines.filter((line) => line.startsWith("# ")).length, 1);
  assertEquals(lines.filter((line) => line.startsWith("## ")), ["## Endpoints", "## Reference"]);
  const long = llms("https://domain-availability.example.com", { version: "1", limit: 60 });
  assert(new TextEncoder().encode(long).length < 5_120);
});

const commands = [...text.matchAll(/^ +(curl .+)\n(?: +(.+))?$/gm)]
  .map(([, command = "", answer = ""]) => ({ command, answer }));

Deno.test("llms.txt has a curl and an answer for every operation on names, and a line for the others", () => {
  const [about, others] = [true, false].map((isAbout) =>
    operations.filter(({ chapter }) => (chapter !== "service") === isAbout).map(({ path }) => path)
  );
  assertEquals(commands.map(({ command }) => new URL(command.split("'")[1] ?? "").pathname), about);
  for (const path of others ?? []) assertStringIncludes(text, `\n- GET ${path}: `);
});

for (const { command, answer } of commands) {
  Deno.test(`llms.txt: ${command} answers as documented`, async () => {
    await using lab = await startLab();
    await using chain = await startChain();
    await using service = await startService(lab, { env: chain.env });
    const response = await curl(command.replace(BASE, service.url));
    if (answer === "") {
      assertMatch(await response.text(), /^(?:<\?xml|BEGIN:VCALENDAR)/);
      return assertEquals(response.status, 200);
    }
    const documented = JSON.parse(answer.replaceAll(",…]", ',"…"]'));
    const answered = JSON.parse(trimmed(await response.json()).replaceAll(",…]", ',"…"]'));
    assertEquals([response.status, masked(answered)], [200, masked(documented)]);
  });
}

Deno.test("every link of llms.txt answers 200, and has the host that the client used", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  const served = await (await fetch(`${service.url}/llms.txt`)).text();
  assert(!served.includes("localhost:8000") && !served.includes("undefined"));
  const links = [...served.matchAll(/\]\((?<url>[^)]+)\)/g)].map(({ groups }) => groups?.url ?? "");
  assert(links.length >= 1);
  for (const link of links) {
    assert(link.startsWith(service.url), link);
    const response = await fetch(link);
    await response.body?.cancel();
    assertEquals(response.status, 200, link);
  }
});
