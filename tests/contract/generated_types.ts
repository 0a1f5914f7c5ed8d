/** The types that a generator makes of the OpenAPI document, as a program of a client uses them. */
import { assert } from "@std/assert";
import { openapi } from "../../src/documents/openapi.ts";
import { npmTool } from "./npm_tool.ts";

/** What must compile: a row's fields follow from its state, and an answer is its JSON alone. */
const CLIENT = `
import type { paths } from "./types.ts";

type Content<Method extends "get" | "post"> =
  paths["/check"][Method]["responses"][200]["content"];
type Answer = Content<"get">[keyof Content<"get">];

export function errorsOf({ results }: Answer): string[] {
  return results.flatMap((row) => row.state === "unknown" ? [row.error] : []);
}

export function namesOf({ results }: Content<"post">[keyof Content<"post">]): string[] {
  return results.map((row) => {
    if (!("state" in row)) return row.message;
    if (row.state === "unknown") return row.error;
    const isFree: boolean = row.available;
    return isFree ? row.domain : row.input;
  });
}
`;

Deno.test("generated types have the error of unknown rows, and one type for each answer", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const document = openapi({ version: "1.2.3", limit: 60 });
    await Deno.writeTextFile(`${folder}/openapi.json`, JSON.stringify(document));
    await Deno.writeTextFile(`${folder}/client.ts`, CLIENT);
    const types = `${folder}/types.ts`;
    const generator = await npmTool("openapi-typescript", [`${folder}/openapi.json`, "-o", types]);
    for (
      const command of [
        generator,
        new Deno.Command(Deno.execPath(), {
          args: ["check", "--no-config", "--no-lock", "--quiet", `${folder}/client.ts`],
          stdout: "piped",
          stderr: "piped",
        }),
      ]
    ) {
      const { success, stderr } = await command.output();
      assert(success, new TextDecoder().decode(stderr));
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
