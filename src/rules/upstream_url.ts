/** Which URLs may be an upstream's: nothing that a stranger, or a broken table, could point at the inside. */

const LOOPBACK_OR_PRIVATE = new RegExp(
  "^(?:" + [
    "localhost|.*\\.localhost",
    "\\[.*\\]",
    "(?:0|10|127)\\.[\\d.]+",
    "169\\.254\\.[\\d.]+",
    "192\\.168\\.[\\d.]+",
    "172\\.(?:1[6-9]|2\\d|3[01])\\.[\\d.]+",
    "100\\.(?:6[4-9]|[7-9]\\d|1[01]\\d|12[0-7])\\.[\\d.]+",
  ].join("|") + ")$",
);

/** Whether a URL may be asked: https to a public host, unless this is a lab (`allowInsecure`). */
export function isUpstreamUrl(text: string, allowInsecure: boolean): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (allowInsecure) return url.protocol === "https:" || url.protocol === "http:";
  // The dot of the root makes no other host of it.
  return url.protocol === "https:" && !LOOPBACK_OR_PRIVATE.test(url.hostname.replace(/\.$/, ""));
}
