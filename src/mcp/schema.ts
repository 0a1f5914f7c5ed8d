import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type * as z from "zod/mini";
import { ApiError, isErrorCode } from "../api/errors.ts";
import { jsonSchema } from "../api/json_schema.ts";
import { misspelt, slipAmong } from "../api/operation.ts";

/** Adapts a schema to the MCP server: rendered once, with issues that say what to send instead. */
export function mcpSchema<Schema extends z.ZodMiniObject>(
  schema: Schema,
  io: "input" | "output",
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const rendered = { ...jsonSchema(schema, io) };
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
              ? new ApiError(issue.message, adviceOf(issue)).message
              : issue.message,
          })),
        };
      },
      jsonSchema: { input: () => rendered, output: () => rendered },
    },
  };
}

function adviceOf(issue: z.core.$ZodIssue): string | undefined {
  return issue.code === "custom" ? issue.params?.advice : undefined;
}
