import { parseAccept } from "hono/utils/accept";

/** Whether the caller takes an answer that is compressed with gzip. */
export function takesGzip({ headers }: Request): boolean {
  const accepted = parseAccept(headers.get("accept-encoding") ?? "");
  return accepted.some(({ type, q }) => type === "gzip" && q > 0);
}
