const PAUSE_MS = 10;
const LIMIT_MS = 60_000;

/** Settles once a condition holds, which is tried every `pauseMs`. Rejects after 60 s, naming what was awaited. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  pauseMs = PAUSE_MS,
): Promise<void> {
  const startedAt = performance.now();
  while (!await condition()) {
    if (performance.now() - startedAt > LIMIT_MS) throw new Error(`Timed out after 60 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Settles after 20 turns of the event loop: what needs only those has happened, such as a further look-up that must not begin. */
export async function idle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve));
}

/** Settles with the promise. Rejects after 60 s, naming what was awaited; the promise itself goes on. */
export async function within<T>(what: string, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Timed out after 60 s: ${what}`)), LIMIT_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
