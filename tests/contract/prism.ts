import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { freePort } from "../support/process.ts";
import type { Json } from "../support/service.ts";
import { npmTool } from "./npm_tool.ts";

/** Prism between a caller and a service: it lets answers through that are as documented, and tells of others. */
export interface Prism extends AsyncDisposable {
  /** GETs a path; throws where the answer is not as documented. */
  get(path: string, init?: RequestInit): Promise<{ status: number; body: Json }>;
}

/** What Prism says in place of an answer that breaks the contract. */
const PROBLEM = "application/problem+json";

/** Starts Prism before the service at `url`, with the document that the service itself serves. */
export async function startPrism(url: string): Promise<Prism> {
  const port = freePort();
  const document = await Deno.makeTempFile({ suffix: ".yaml" });
  const response = await fetch(`${url}/openapi.yaml`);
  await Deno.writeTextFile(document, await response.text());
  // Requests go through as they are: that the service refuses bad ones as documented is what is to be seen.
  const tool = await npmTool("prism", [
    "proxy",
    document,
    url,
    "--errors",
    "--validate-request",
    "false",
    "--port",
    `${port}`,
    "--host",
    "127.0.0.1",
  ]);
  const child = tool.spawn();
  await hasSaid(child.stdout, "Prism is listening");
  const errors = new Response(child.stderr).text();

  async function get(path: string, init: RequestInit = {}) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const text = await response.text();
    if (response.headers.get("content-type")?.startsWith(PROBLEM)) {
      throw new Error(`${path} is not answered as documented: ${text}`);
    }
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  }

  return {
    get,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await errors;
      await Deno.remove(document);
    },
  };
}

/** Waits for words on a stream, and goes on reading it: a pipe that is full would hold its writer up. */
async function hasSaid(stream: ReadableStream<Uint8Array>, words: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // deno-lint-ignore no-explicit-any -- Node's and Deno's types of the same web stream differ
  const lines = createInterface({ input: Readable.fromWeb(stream as any) });
  const said: string[] = [];
  lines.on("line", (line) => {
    if (said.length < 100) said.push(line);
    if (line.includes(words)) resolve();
  });
  lines.on(
    "close",
    () => reject(new Error(`It ended and never said "${words}": ${said.join("\n")}`)),
  );
  await promise;
}
