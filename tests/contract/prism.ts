import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { freePort } from "../support/process.ts";
import type { Json } from "../support/service.ts";
import { npmTool } from "./npm_tool.ts";

/** Prism as a proxy of a service: it passes on documented responses and reports others. */
export interface Prism extends AsyncDisposable {
  /** GETs a path; throws where the answer is not as documented. */
  get(path: string, init?: RequestInit): Promise<{ status: number; body: Json }>;
}

/** The type of Prism's own response in place of one that is not as documented. */
const PROBLEM = "application/problem+json";

/** Starts Prism in front of the service at `url`, with the document that the service serves. */
export async function startPrism(url: string): Promise<Prism> {
  const port = freePort();
  const document = await Deno.makeTempFile({ suffix: ".yaml" });
  const response = await fetch(`${url}/openapi.yaml`);
  await Deno.writeTextFile(document, await response.text());
  // Requests are passed on unchecked: the test is whether the service rejects invalid ones as documented.
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
  await waitForText(child.stdout, "Prism is listening");
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

/** Waits for a text on a stream, and reads on: a full pipe would block its writer. */
async function waitForText(stream: ReadableStream<Uint8Array>, words: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // deno-lint-ignore no-explicit-any -- Node's and Deno's types of the same web stream differ
  const lines = createInterface({ input: Readable.fromWeb(stream as any) });
  const output: string[] = [];
  lines.on("line", (line) => {
    if (output.length < 100) output.push(line);
    if (line.includes(words)) resolve();
  });
  lines.on(
    "close",
    () => reject(new Error(`The stream ended without "${words}": ${output.join("\n")}`)),
  );
  await promise;
}
