/**
 * Reads a generator's first value at once, so that its work begins before anything reads it. A failure is thrown where
 * that value is read.
 */
export function startReading<T, Result>(
  generator: AsyncGenerator<T, Result, void>,
): AsyncGenerator<T, Result, void> {
  const first = generator.next();
  first.catch(() => {});

  async function* readOn() {
    try {
      let result = await first;
      for (; !result.done; result = await generator.next()) yield result.value;
      return result.value;
    } finally {
      // A reader that stops early ends the work, too.
      await generator.return(undefined as Result);
    }
  }

  return readOn();
}
