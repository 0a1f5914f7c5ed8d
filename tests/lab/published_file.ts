import type { HttpBehaviour } from "./http_behaviour.ts";

/** A file that the lab publishes at one address; its bytes can be replaced while it runs. */
export interface PublishedFile {
  set(body: string | Uint8Array, status?: number): void;
  /** Answers a GET; 304 to a caller that already has these bytes. */
  answer(headers: Readonly<Record<string, string | string[] | undefined>>): HttpBehaviour;
}

/** Publishes `first` as JSON. */
export function publishFile(first: unknown): PublishedFile {
  let version = 0;
  let status = 200;
  let body: string | Uint8Array = JSON.stringify(first);
  return {
    set(next, nextStatus = 200) {
      version += 1;
      body = next;
      status = nextStatus;
    },
    answer(headers) {
      const etag = `"${version}"`;
      if (status === 200 && headers["if-none-match"] === etag) {
        return { kind: "empty", status: 304, headers: { etag } };
      }
      return {
        kind: "text",
        status,
        contentType: "application/json",
        body,
        ...(status === 200 ? { headers: { etag } } : {}),
      };
    },
  };
}
