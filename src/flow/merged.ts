/**
 * The values of several sources in the order in which they arrive, or in which `change` has changed each; fails with the first
 * that fails.
 */
export function merged<T>(
  sources: readonly AsyncIterable<T>[],
  change: (value: T) => T | Promise<T> = (value) => value,
): ReadableStream<T> {
  return new ReadableStream({
    async start(values) {
      const add = async (value: T) => values.enqueue(await change(value));
      await Promise.all(sources.map(async (source) => {
        const adding: Promise<void>[] = [];
        for await (const value of source) {
          const added = add(value);
          // A failure is reported below: until then it must not end the process.
          added.catch(() => {});
          adding.push(added);
        }
        await Promise.all(adding);
      }));
      values.close();
    },
  });
}
