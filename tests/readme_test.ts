import { assert, assertEquals } from "@std/assert";
import { startLab } from "./lab/lab.ts";
import { curl } from "./support/curl.ts";
import { masked } from "./support/masked.ts";
import { startService } from "./support/service.ts";

const readme = await Deno.readTextFile(new URL("../README.md", import.meta.url));

/** The curl commands, each with the answer that follows it; one without is only to succeed. */
const commands = [
  ...readme.matchAll(/```sh\n(curl (?:[^`]|\\\n)+?)\n```\n(?:\n```json\n([^`]+)```)?/g),
]
  .map(([, command = "", answer]) => ({ command, answer }));

Deno.test("README has curl commands, all of them in blocks of their own", () => {
  assert(commands.length >= 2);
  assertEquals(commands.length, readme.match(/^ *curl /gm)?.length);
});

for (const { command, answer } of commands) {
  Deno.test(`README: ${command} answers what is printed`, async () => {
    await using lab = await startLab();
    await using service = await startService(lab);
    const response = await curl(command.replaceAll("http://localhost:8000", service.url));
    const body = await response.text();
    assertEquals(response.status, 200, body);
    if (answer !== undefined) assertEquals(masked(JSON.parse(body)), masked(JSON.parse(answer)));
  });
}
