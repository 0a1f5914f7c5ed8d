import { type Connection, type ConnectionOptions, openConnection } from "./connection.ts";

const PATIENCE_MS = 30_000;

/** Asks a server that is just starting, as soon as its port accepts, and gives its first answer. */
export async function firstAnswer(
  port: number,
  path: string,
  options?: ConnectionOptions,
): Promise<string> {
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until) {
    using connection = await tryToOpen(port, path, options);
    if (connection !== undefined) return await connection.exchange();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throw new Error(`Cannot measure the start: nothing listens on port ${port}`);
}

async function tryToOpen(
  port: number,
  path: string,
  options?: ConnectionOptions,
): Promise<Connection | undefined> {
  try {
    return await openConnection(port, path, options);
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return undefined;
    throw error;
  }
}
