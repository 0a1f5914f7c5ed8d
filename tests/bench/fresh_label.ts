/** A label that no earlier check can have left in a cache. */
export function freshLabel(): string {
  return `bench-${crypto.randomUUID()}`;
}
