import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type * as z from "zod/mini";
import { isErrorCode } from "../api/errors.ts";
import { type JsonSchema, jsonSchema } from "../api/json_schema.ts";
import { errorOfIssue, misspelt, slipAmong } from "../api/operation.ts";

/** Adapts a schema to the MCP server: rendered once, with issues that say what to send instead. */
export function mcpSchema<Schema extends z.ZodMiniObject>(
  schema: Schema,
  io: "input" | "output",
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const rendered = { ...brief(jsonSchema(schema, io)) as JsonSchema };
  return {
    "~standard": {
      version: 1,
      vendor: "domain-availability",
      validate(value) {
        const slip = slipAmong(Object.keys(Object(value)), Object.keys(schema.shape));
        if (slip !== undefined) return { issues: [{ message: misspelt(slip).message }] };
        const reading = schema.safeParse(value);
        if (reading.success) return { value: reading.data };
        return {
          issues: reading.error.issues.map((issue) => ({
            path: issue.path,
            message: isErrorCode(issue.message)
              ? errorOfIssue(issue, issue.message).message
              : issue.message,
          })),
        };
      },
      jsonSchema: { input: () => rendered, output: () => rendered },
    },
  };
}

/** The deepest objects whose members are listed: those of an answer, and of its rows. */
const MAX_DEPTH = 2;

/**
 * Drops what helps no model that chooses a tool, since every session pays for the list: patterns and formats, as the readers
 * of arguments say what to send instead; the members of objects inside rows, which explain themselves; and that nothing else may be there.
 */
function brief(part: unknown, depth = 0): unknown {
  if (Array.isArray(part)) return part.map((one) => brief(one, depth));
  if (typeof part !== "object" || part === null) return part;
  const { pattern: _, format: __, title: ___, additionalProperties: ____, properties, ...rest } =
    part as JsonSchema;
  if (properties === undefined) {
    return Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, brief(one, depth)]));
  }
  const { required, ...words } = rest;
  if (depth === MAX_DEPTH) return words;
  const members = Object.entries(properties).map(([name, one]) => [name, brief(one, depth + 1)]);
  return { ...words, properties: Object.fromEntries(members), ...(required && { required }) };
}
