/** A value that is made when it is first needed. */
export interface Lazy<T> {
  get(): Promise<T>;
  /** The value, if it was needed already. */
  made(): T | undefined;
}

/** Creates such a value; a failure to make it is tried again at the next need. */
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

  return { get: () => making ??= remember(), made: () => value };
}
