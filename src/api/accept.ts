/** Which of several media types an Accept header prefers (RFC 9110 §12.5.1). */
import { parseAccept } from "hono/utils/accept";

/** The media type of answers whose client prefers no other. */
export const JSON_TYPE = "application/json";

/** The type that the header prefers over JSON; undefined for wildcards, equal qualities and malformed headers. */
export function preferredType(accept: string, mediaTypes: readonly string[]): string | undefined {
  const ranges = new Map(parseAccept(accept).map(({ type, q }) => [type.toLowerCase(), q]));
  let best = qualityOf(JSON_TYPE, ranges);
  let chosen: string | undefined;
  for (const mediaType of mediaTypes) {
    const quality = qualityOf(mediaType, ranges);
    if (quality > best) [best, chosen] = [quality, mediaType];
  }
  return chosen;
}

/** The quality of a type is that of the most specific matching range. */
function qualityOf(mediaType: string, ranges: ReadonlyMap<string, number>): number {
  const [main] = mediaType.split("/");
  return ranges.get(mediaType) ?? ranges.get(`${main}/*`) ?? ranges.get("*/*") ?? 0;
}
