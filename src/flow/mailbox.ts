/** Holds values until their one reader takes them. */
export interface Mailbox<T> {
  put(value: T): void;
  /** Takes all values. */
  take(): T[];
  /** Resolves once there is a value. */
  arrival(): Promise<void>;
}

/** Creates an empty mailbox. */
export function createMailbox<T>(): Mailbox<T> {
  let values: T[] = [];
  let arrival = Promise.withResolvers<void>();

  return {
    put(value) {
      values.push(value);
      arrival.resolve();
    },
    take() {
      const taken = values;
      if (taken.length > 0) {
        values = [];
        arrival = Promise.withResolvers();
      }
      return taken;
    },
    arrival: () => arrival.promise,
  };
}
