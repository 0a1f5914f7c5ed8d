/** Whether an If-None-Match holds the tag. Tags are compared weakly: as if none said W/ (RFC 9110 §13.1.2). */
export function isKnown(etag: string, { headers }: Request): boolean {
  const sent = headers.get("if-none-match")?.split(",").map(opaque) ?? [];
  return sent.includes("*") || sent.includes(opaque(etag));
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, "");
}
