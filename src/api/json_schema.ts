import * as z from "zod/mini";

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * Renders a schema as JSON Schema. Left out are the pattern that zod adds to a format, which is 300 characters for each
 * date, and `readOnly`, which means something only in TypeScript.
 */
export function jsonSchema(schema: z.ZodMiniType, io: "input" | "output"): JsonSchema {
  const { $schema: _, "~standard": __, ...rendered } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      delete jsonSchema.readOnly;
    },
  });
  return rendered;
}
