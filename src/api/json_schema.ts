import * as z from "zod/mini";

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * Prints a schema as JSON Schema: what it takes, or what it gives. Formats go without the pattern that zod checks them
 * by, 300 characters in each date that a model or a person would have to read; and what only means something to
 * TypeScript is left out.
 */
export function jsonSchema(schema: z.ZodMiniType, io: "input" | "output"): JsonSchema {
  const { $schema: _, "~standard": __, ...printed } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      delete jsonSchema.readOnly;
    },
  });
  return printed;
}
