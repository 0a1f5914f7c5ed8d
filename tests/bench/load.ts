import { type ConnectionOptions, openConnection } from "./connection.ts";

/** Enough to keep one server thread busy while others of them wait for the commit that counts them. */
const CONNECTIONS = 64;

/** Complete answers a second, each connection asking again, for a path of its own or one for all, once it was answered. */
export async function requestsPerSecond(
  port: number,
  path: string | ((connection: number) => string),
  durationMs: number,
  options?: ConnectionOptions,
): Promise<number> {
  const startedAt = performance.now();
  const until = startedAt + durationMs;
  const counts = await Promise.all(
    Array.from(
      { length: CONNECTIONS },
      (_, n) => askUntil(until, port, typeof path === "string" ? path : path(n), options),
    ),
  );
  const answers = counts.reduce((sum, count) => sum + count, 0);
  return answers / (performance.now() - startedAt) * 1_000;
}

async function askUntil(
  until: number,
  port: number,
  path: string,
  options?: ConnectionOptions,
): Promise<number> {
  using connection = await openConnection(port, path, options);
  let answers = 0;
  while (performance.now() < until) {
    await connection.exchange();
    answers++;
  }
  return answers;
}
