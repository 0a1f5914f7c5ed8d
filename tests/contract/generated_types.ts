/** The types that a generator makes of the OpenAPI document, as a program of a client uses them. */
import { assertEquals } from "@std/assert";
import { openapi } from "../../src/documents/openapi.ts";
import { createFolder } from "../support/folder.ts";
import { outcome } from "../support/outcome.ts";
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
  await using folder = await createFolder();
  const { path } = folder;
  const document = JSON.stringify(openapi({ version: "1.2.3", limit: 60 }));
  await Deno.writeTextFile(`${path}/openapi.json`, document);
  await Deno.writeTextFile(`${path}/client.ts`, CLIENT);
  const generating = [`${path}/openapi.json`, "-o", `${path}/types.ts`];
  const generator = await npmTool("openapi-typescript", generating);
  const checking = ["check", "--no-config", "--no-lock", "--quiet", `${path}/client.ts`];
  for (const command of [generator, new Deno.Command(Deno.execPath(), { args: checking })]) {
    const { code, err } = await outcome(command);
    assertEquals(code, 0, err);
  }
});
