import type { HttpBehaviour } from "./http_behaviour.ts";

/** A file that the lab publishes at one address; its bytes can be replaced while it runs. */
export function publishFile(first: string) {
  const file = { kind: "text", contentType: "application/json" } as const;
  let answer: HttpBehaviour = { ...file, status: 200, body: first };
  return {
    set: (body: string | Uint8Array, status = 200) => void (answer = { ...file, status, body }),
    answer: () => answer,
  };
}
