import type { HttpBehaviour } from "./http_behaviour.ts";

/** A file that the lab publishes at one address, `first` as JSON; its bytes can be replaced while it runs. */
export function publishFile(first: unknown) {
  const file = { kind: "text", contentType: "application/json" } as const;
  let answer: HttpBehaviour = { ...file, status: 200, body: JSON.stringify(first) };
  return {
    set: (body: string | Uint8Array, status = 200) => void (answer = { ...file, status, body }),
    answer: () => answer,
  };
}
