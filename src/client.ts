/** A client whose types are those of the operations: `const get = createClient(url); await get("/tlds", {})`. */
import type * as z from "zod/mini";
import type { ErrorBody } from "./api/errors.ts";
import type { Operation } from "./api/operation.ts";
import type { Operations } from "./api/operations.ts";

/** Every path, with the query that it takes and the answer that it gives. */
export type Api = { [Op in Operations as Op["path"]]: Exchange<Op> };

type Exchange<Op> = Op extends
  Operation<infer Query, infer Answer, infer _Event, infer _Summary, string>
  ? { query: z.input<Query>; answer: z.input<Answer> }
  : never;

/** Asks one of the paths. Rejects with an `ApiFailure` where the service refuses, and as fetch does. */
export type Get = <Path extends keyof Api>(
  path: Path,
  query: Api[Path]["query"],
) => Promise<Api[Path]["answer"]>;

/** What the service answered instead of an answer. */
export class ApiFailure extends Error {
  override name = "ApiFailure";
  readonly status: number;
  readonly code: ErrorBody["error"];
  /** Seconds until the same request would be let in; only where it was one too many. */
  readonly retryAfter: number | undefined;

  constructor({ status, headers }: Response, { error, message }: ErrorBody) {
    super(message);
    this.status = status;
    this.code = error;
    const seconds = headers.get("retry-after");
    this.retryAfter = seconds === null ? undefined : Number(seconds);
  }
}

/** Creates a client of the service at an address; `init` goes along with every request, such as a key. */
export function createClient(base: string | URL, init: RequestInit = {}): Get {
  return async (path, query) => {
    const url = new URL(path, base);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, `${value}`);
    }
    const response = await fetch(url, init);
    const body = await response.json();
    if (!response.ok) throw new ApiFailure(response, body);
    return body;
  };
}
