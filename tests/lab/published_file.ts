import type { HttpBehaviour } from "./http_behaviour.ts";

/** A file that the lab publishes at one address; its bytes can be replaced while it runs. */
export interface PublishedFile {
  set(body: string | Uint8Array, status?: number): void;
  answer(): HttpBehaviour;
}

/** Publishes `first` as JSON. */
export function publishFile(first: unknown): PublishedFile {
  let status = 200;
  let body: string | Uint8Array = JSON.stringify(first);
  return {
    set(next, nextStatus = 200) {
      body = next;
      status = nextStatus;
    },
    answer: () => ({ kind: "text", status, contentType: "application/json", body }),
  };
}
