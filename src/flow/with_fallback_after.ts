/** The promise's value, or `fallback` once `ms` have passed; the promise itself continues. */
export async function withFallbackAfter<T, Fallback>(
  promise: Promise<T>,
  ms: number,
  fallback: Fallback,
): Promise<T | Fallback> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<Fallback>((resolve) => {
    timer = setTimeout(resolve, ms, fallback);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
