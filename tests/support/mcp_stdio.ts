import { serveMcpOnStdio } from "../../src/mcp/stdio.ts";
import type { Services } from "../../src/wiring/services.ts";
import { idle } from "./until.ts";

/** Serves a client on stdin and stdout that sends these lines, and then closes stdin, and returns what it gets. */
export async function answersOnStdio(services: Services, sent: readonly unknown[]) {
  const lines = sent.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  let text = "";
  const decoder = new TextDecoder();
  await serveMcpOnStdio(services, {
    stdin: new Blob(lines).stream(),
    stdout: new WritableStream({
      async write(chunk) {
        // A client that is slow to read.
        await idle();
        text += decoder.decode(chunk);
      },
    }),
    reports: { debug() {}, error() {} },
    stop: new AbortController().signal,
  });
  return text.trimEnd().split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}
