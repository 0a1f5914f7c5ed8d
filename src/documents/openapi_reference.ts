/** A part of an OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

/** A reference to a component. */
export function ref(kind: string, name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}
