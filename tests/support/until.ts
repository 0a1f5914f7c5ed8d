const PAUSE_MS = 10;
const LONGEST_MS = 20_000;

/** Settles once a condition holds. Rejects with `what` after 20 s, so that a test fails where it would wait for ever. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const startedAt = performance.now();
  while (!await condition()) {
    if (performance.now() - startedAt > LONGEST_MS) throw new Error(`Still not so: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
