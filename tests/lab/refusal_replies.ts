import { notFoundReply } from "./not_found_reply.ts";
import type { Registry } from "./registry.ts";
import type { RegistryManner } from "./registry_manner.ts";

/** How long a refused caller is told to wait. */
export const RETRY_AFTER_SECONDS = 30;

/** What a name gets that cannot be one: 400, or the clean 404 of those that do not look. */
export function invalidNameReply(registry: Registry, domain: string): RegistryManner {
  return registry.backEnd.invalidName === 404
    ? notFoundReply(registry, domain)
    : errorReply(registry, 400, "Bad Request", `${domain} is not a valid domain name`);
}

/** A 429, with the Retry-After that the registry sends unless another is asked for. */
export function rateLimitedReply(
  registry: Registry,
  retryAfter: "seconds" | "date" | "none" = registry.backEnd.retryAfter ?? "none",
): RegistryManner {
  const reply = errorReply(registry, 429, "Too Many Requests", "Query rate exceeded");
  return { ...reply, headers: retryAfterHeader(retryAfter) };
}

/** An error of any status as an RDAP error object. */
export function errorReply(
  { backEnd: { conformance, contentType } }: Registry,
  status: number,
  title: string,
  description: string,
): RegistryManner & { kind: "json" } {
  return {
    kind: "json",
    status,
    contentType,
    body: {
      rdapConformance: conformance,
      errorCode: status,
      title,
      description: [description],
    },
  };
}

function retryAfterHeader(retryAfter: "seconds" | "date" | "none"): Record<string, string> {
  if (retryAfter === "none") return {};
  const at = new Date(Date.now() + RETRY_AFTER_SECONDS * 1000);
  return { "retry-after": retryAfter === "seconds" ? `${RETRY_AFTER_SECONDS}` : at.toUTCString() };
}
