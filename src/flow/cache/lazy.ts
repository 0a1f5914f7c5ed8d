/** A value that is created on first use; after a failure the next use tries again. */
export function lazy<T>(make: () => Promise<T>) {
  let making: Promise<T> | undefined;
  let value: T | undefined;

  async function remember(): Promise<T> {
    try {
      return value = await make();
    } catch (error) {
      making = undefined;
      throw error;
    }
  }

  return {
    get: (): Promise<T> => making ??= remember(),
    /** The value if it was created, else undefined. */
    peek: () => value,
  };
}
