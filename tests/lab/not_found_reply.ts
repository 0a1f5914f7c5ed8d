import type { Notice } from "./notices.ts";
import type { Registry } from "./registry.ts";
import type { RegistryManner } from "./registry_manner.ts";

/** The clean 404 in the registry's own shape. */
export function notFoundReply({ backEnd }: Registry, domain: string): RegistryManner {
  const { notFound, contentType } = backEnd;
  if (!notFound) return { kind: "empty", status: 404, contentType };
  const { errorCode, title, extra } = notFound;
  const description = notFound.description(domain);
  return {
    kind: "json",
    status: 404,
    contentType,
    body: {
      rdapConformance: backEnd.conformance,
      ...extra,
      errorCode,
      title,
      ...(description.length ? { description } : {}),
      ...(notFound.terms ? { notices: [backEnd.terms] } : {}),
    },
  };
}

/** A 404 with something to say: as JSON even where the registry's usual one is empty. */
export function markedNotFoundReply(
  { backEnd }: Registry,
  domain: string,
  { description, notices = [] }: {
    description?: readonly string[];
    notices?: readonly Notice[];
  },
): RegistryManner {
  const { errorCode = 404, title = "Not Found" } = backEnd.notFound ?? {};
  return {
    kind: "json",
    status: 404,
    contentType: backEnd.contentType,
    body: {
      rdapConformance: backEnd.conformance,
      ...backEnd.notFound?.extra,
      errorCode,
      title,
      description: description ?? backEnd.notFound?.description(domain) ?? [],
      notices: [backEnd.terms, ...notices],
    },
  };
}
