/** The promise's value, or `late` once `ms` have passed; the promise itself goes on. */
export async function withFallbackAfter<T, Late>(
  promise: Promise<T>,
  ms: number,
  late: Late,
): Promise<T | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<Late>((resolve) => {
    timer = setTimeout(resolve, ms, late);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
