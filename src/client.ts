/** A client of the API, typed by its operations: `const get = createClient(url); await get("/tlds", {})`. */
import type * as z from "zod/mini";
import type { ErrorBody } from "./api/errors.ts";
import type { Operation } from "./api/operation.ts";
import type { Operations } from "./api/operations.ts";

/** The query parameters and the answer of each path. */
export type Api = { [Op in Operations as Op["path"]]: QueryAndAnswer<Op> };

type QueryAndAnswer<Op> = Op extends
  Operation<infer Query, infer Answer, infer _Event, infer _Summary, string>
  ? { query: z.input<Query>; answer: z.input<Answer> }
  : never;

/**
 * Sends a GET request to a path.
 *
 * @throws {ApiFailure} if the service answers with an error
 * @throws {TypeError} if fetch fails
 */
export type Get = <Path extends keyof Api>(
  path: Path,
  query: Api[Path]["query"],
) => Promise<Api[Path]["answer"]>;

/** An error response of the service; `code` and `message` are those of its body. */
export class ApiFailure extends Error {
  override name = "ApiFailure";
  readonly status: number;
  readonly code: ErrorBody["error"];
  /** Seconds after which to retry; only when the request exceeded the rate limit. */
  readonly retryAfter: number | undefined;

  constructor({ status, headers }: Response, { error, message }: ErrorBody) {
    super(message);
    this.status = status;
    this.code = error;
    const seconds = headers.get("retry-after");
    this.retryAfter = seconds === null ? undefined : Number(seconds);
  }
}

/**
 * Creates a client of the service at `base`; `init` is passed to each fetch.
 *
 * @example
 * ```ts
 * const get = createClient("http://localhost:8000", { headers: { authorization: `Bearer ${key}` } });
 * const { results } = await get("/check", { name: "example", tld: "com" });
 * ```
 */
export function createClient(base: string | URL, init: RequestInit = {}): Get {
  return async (path, query) => {
    const url = new URL(path, base);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, `${value}`);
    }
    const response = await fetch(url, init);
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    const body = isJson ? await response.json() : await response.text();
    if (!response.ok) throw new ApiFailure(response, body);
    return body;
  };
}
