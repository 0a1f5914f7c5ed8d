import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";

/**
 * Why a request may not come in, where it may not. The service is public and knows no cookies: every page may ask it.
 * One that runs on the caller's own machine is not: there a page could reach it under a name of its own that it lets
 * point at the machine (DNS rebinding), so host and origin must be the machine itself.
 */
export function refusalOfOrigin({ url, headers }: Request, isLocal: boolean): string | undefined {
  const origin = headers.get("origin");
  if (!isLocal) return origin === null || isOrigin(origin) ? undefined : "Invalid Origin header";
  const host = validateHostHeader(new URL(url).host, localhostAllowedHostnames());
  if (!host.ok) return host.message;
  const checked = validateOriginHeader(origin, localhostAllowedOrigins());
  return checked.ok ? undefined : checked.message;
}

/** `null` is what browsers send for a page without an origin, such as a file. */
function isOrigin(text: string): boolean {
  return text === "null" || URL.canParse(text);
}
