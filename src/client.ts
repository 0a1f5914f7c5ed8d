/** A client of the API, typed by its operations: `const get = createClient(url); await get("/tlds", {})`. */
import type * as z from "zod/mini";
import type { checkNames, namesBody } from "./api/check_names.ts";
import type { ErrorBody } from "./api/errors.ts";
import type { Operations } from "./api/operations.ts";

/** The query parameters and the answer of each path. */
export type Api = {
  [Op in Operations as Op["path"]]: {
    query: z.input<ReturnType<Op["query"]>>;
    answer: z.input<ReturnType<Op["answer"]>>;
  };
};

/** An error response; `code` and `message` are those of the service's body, which that of a proxy has not. */
export class ApiFailure extends Error {
  override name = "ApiFailure";
  readonly status: number;
  readonly code: ErrorBody["error"] | undefined;
  /** Seconds after which to retry, if the answer says so. */
  readonly retryAfter: number | undefined;

  constructor({ status, headers }: Response, body?: Partial<ErrorBody> | null) {
    super(body?.message ?? `HTTP ${status}`);
    this.status = status;
    this.code = body?.error;
    // A proxy may send a date.
    const text = headers.get("retry-after") ?? "";
    const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
    this.retryAfter = seconds >= 0 ? Math.ceil(seconds) : undefined;
  }
}

/** The body of `POST /check`, and its answer. */
export type Names = z.input<ReturnType<typeof namesBody>>;
export type NamesAnswer = z.input<ReturnType<typeof checkNames.answer>>;

/**
 * A client: a function for GET, and what GET cannot do.
 *
 * @throws {ApiFailure} if the service answers with an error
 * @throws {TypeError} if fetch fails, or a stream is cut
 */
export interface Client {
  /** Sends a GET request to a path. */
  <Path extends keyof Api>(path: Path, query: Api[Path]["query"]): Promise<Api[Path]["answer"]>;
  /** Checks many names by one POST. */
  checkNames(names: Names): Promise<NamesAnswer>;
  /** Yields each row of `/check` as soon as it is known. */
  stream(query: Api["/check"]["query"]): AsyncGenerator<Api["/check"]["answer"]["results"][number]>;
}

/**
 * Creates a client of the service at `base`; `init` is passed to each fetch.
 *
 * @example
 * ```ts
 * const get = createClient("http://localhost:8000", { headers: { authorization: `Bearer ${key}` } });
 * const { results } = await get("/check", { name: "example", tld: "com" });
 * for await (const { domain, state } of get.stream({ name: "example" })) show(domain, state);
 * ```
 */
export function createClient(base: string | URL, init: RequestInit = {}): Client {
  const root = `${base}`.endsWith("/") ? `${base}`.slice(0, -1) : `${base}`;
  const get = async (path: string, query: object) => await readBody(await send(path, query));
  return Object.assign(get, { checkNames, stream });

  async function send(path: string, query: object, more: RequestInit = {}): Promise<Response> {
    const url = new URL(`${root}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, `${value}`);
    }
    const headers = new Headers(init.headers);
    new Headers(more.headers).forEach((value, name) => headers.set(name, value));
    const response = await fetch(url, { ...init, ...more, headers });
    if (response.ok) return response;
    throw new ApiFailure(response, await response.json().catch(() => undefined));
  }

  async function checkNames(names: Names): Promise<NamesAnswer> {
    const headers = { "content-type": "application/json" };
    const sent = { method: "POST", headers, body: JSON.stringify(names) };
    return await (await send("/check", {}, sent)).json();
  }

  async function* stream(query: Api["/check"]["query"]) {
    const { body } = await send("/check", query, { headers: { accept: "application/x-ndjson" } });
    let rest = "";
    let isWhole = false;
    for await (const text of body!.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      // The last line is a summary.
      for (const line of lines) {
        const row = JSON.parse(line);
        if ("domain" in row) yield row;
        else isWhole = "totalMs" in row;
      }
    }
    if (!isWhole) throw new TypeError("The stream was cut: it has no summary");
  }
}

/** JSON as its value; feeds, and what a proxy answers, as text. */
async function readBody(response: Response) {
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return await (isJson ? response.json() : response.text());
}
