import { gzipSync } from "node:zlib";

const gzips = new Map<number, Uint8Array>();

/** A 404 that would be believed if it were read whole: JSON of at least `bytes` bytes. */
export function paddedNotFound(bytes: number): string {
  return JSON.stringify({
    errorCode: 404,
    title: "Not Found",
    description: ["Object not found"],
    padding: " ".repeat(bytes),
  });
}

/** The same as a gzip of about a thousandth of the size; made once for each size, for it takes a while. */
export function gzippedNotFound(bytes: number): Uint8Array {
  const kept = gzips.get(bytes);
  if (kept) return kept;
  const gzip = gzipSync(paddedNotFound(bytes));
  gzips.set(bytes, gzip);
  return gzip;
}
