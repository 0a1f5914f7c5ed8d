/** Yields the values of promises in the order in which they settle; a rejection is thrown at its turn. */
export async function* asSettled<T>(promises: Iterable<Promise<T>>): AsyncGenerator<T> {
  const all = [...promises];
  const turns = all.map(() => Promise.withResolvers<T>());
  let settled = 0;
  for (const promise of all) {
    promise.then(
      (value) => turns[settled++]?.resolve(value),
      (reason) => turns[settled++]?.reject(reason),
    );
  }
  // Whoever stops listening early must not leave a rejection that nobody handles.
  for (const { promise } of turns) promise.catch(() => {});
  for (const { promise } of turns) yield await promise;
}
