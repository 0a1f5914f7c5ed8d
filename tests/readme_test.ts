import { assert, assertEquals } from "@std/assert";
import { startChain } from "./lab/chain/chain.ts";
import { startLab } from "./lab/lab.ts";
import { curl } from "./support/curl.ts";
import { masked } from "./support/masked.ts";
import { startService } from "./support/service.ts";

const readme = await Deno.readTextFile(new URL("../README.md", import.meta.url));

const COMMAND =
  /```sh\n(?<command>curl (?:[^`]|\\\n)+?)\n```\n\n```(?<language>\w*)\n(?<answer>[^`]+)```/g;

/** The curl commands and what is printed below them. */
const commands = [...readme.matchAll(COMMAND)].map(({ groups }) => ({
  command: groups?.command ?? "",
  language: groups?.language ?? "",
  answer: groups?.answer ?? "",
}));

Deno.test("README prints an answer below each of its curl commands", () => {
  assert(commands.length >= 2);
  assertEquals(commands.length, readme.match(/^ *curl /gm)?.length);
});

/** A line of a stream as README prints it; times may be any, and so may what `…` stands for. */
function patternOf(line: string): RegExp {
  const untimed = line.replace(/(?<="totalMs":)\d+|(?<="timestamp":")[^"]+/g, "…");
  return new RegExp(`^${untimed.split("…").map(RegExp.escape).join(".*")}$`);
}

for (const { command, language, answer } of commands) {
  Deno.test(`README: ${command} answers what is printed`, async () => {
    await using lab = await startLab();
    await using chain = await startChain();
    await using service = await startService(lab, { env: chain.env });
    const response = await curl(command.replaceAll("http://localhost:8000", service.url));
    const body = await response.text();
    assertEquals(response.status, 200, body);
    if (language === "json") {
      return assertEquals(masked(JSON.parse(body)), masked(JSON.parse(answer)));
    }
    // Rows come as they settle: each printed one must be there, in whatever order.
    const lines = body.split("\n");
    for (const printed of answer.split("\n").filter((line) => line !== "…")) {
      const pattern = patternOf(printed);
      assert(lines.some((line) => pattern.test(line)), `${pattern} is not in ${body}`);
    }
  });
}

Deno.test("README: the typed client type-checks, and prints what is said beside it", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  const [, snippet = "", said = ""] = /```ts\n([^`]+?\/\/ (.+)\n)```/.exec(readme) ?? [];
  const client = new URL("../src/client.ts", import.meta.url).href;
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(
      file,
      snippet.replace("./src/client.ts", client).replace("http://localhost:8000", service.url),
    );
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--check", "--allow-net", "--config", "deno.json", file],
      cwd: new URL("../", import.meta.url),
      env: { NO_COLOR: "1" },
    }).output();
    const printed = new TextDecoder().decode(stdout);
    assertEquals(printed, `${said}\n`, new TextDecoder().decode(stderr));
  } finally {
    await Deno.remove(file);
  }
});
