/** Yields the values of promises in the order in which they settle; throws a rejection when its turn comes. */
export async function* asSettled<T>(values: Iterable<Promise<T>>): AsyncGenerator<T> {
  const all = [...values];
  const turns = all.map(() => Promise.withResolvers<T>());
  let settled = 0;
  for (const promise of all) {
    promise.then(
      (value) => turns[settled++]?.resolve(value),
      (reason) => turns[settled++]?.reject(reason),
    );
  }
  // A consumer that stops early must not leave an unhandled rejection.
  for (const { promise } of turns) promise.catch(() => {});
  for (const { promise } of turns) yield await promise;
}
