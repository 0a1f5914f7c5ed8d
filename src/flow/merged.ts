/** The values of several sources in the order in which they arrive; fails with the first that fails. */
export function merged<T>(sources: readonly AsyncIterable<T>[]): ReadableStream<T> {
  return new ReadableStream({
    async start(values) {
      await Promise.all(sources.map(async (source) => {
        for await (const value of source) values.enqueue(value);
      }));
      values.close();
    },
  });
}
