/** A value that is created on first use. */
interface Lazy<T> {
  get(): Promise<T>;
  /** The value if it was created, else undefined. */
  peek(): T | undefined;
}

/** Wraps the creation of a value; after a failure the next use tries again. */
export function lazy<T>(make: () => Promise<T>): Lazy<T> {
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

  return { get: () => making ??= remember(), peek: () => value };
}
