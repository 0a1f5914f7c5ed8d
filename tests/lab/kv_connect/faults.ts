/** Faults of the KV Connect server, switched on and off while it runs. */

/** What a client asks for. */
export type Operation = "metadata" | "read" | "write" | "watch";

/** What every operation may suffer. */
export type CommonFault =
  /** Waits until the faults change, and goes on then: an abandoned write may be applied long after. */
  | { kind: "hang" }
  /** Closes the connection, with all that is under way on it, before anything is done. Deno's client tries again. */
  | { kind: "drop" }
  /** Answers with a status. Deno's client tries again after a 5xx for ever, and rejects after a 4xx. */
  | { kind: "status"; status: number };

/** The faults of each operation. */
export interface Faults {
  metadata: CommonFault;
  /** `no_strong_reads`: only reads with `consistency: "eventual"` are of use, the others reject. */
  read: CommonFault | { kind: "no_strong_reads" };
  write:
    | CommonFault
    /** Answers that a check has failed, and applies nothing. */
    | { kind: "conflict" }
    /** Applies the write and closes the connection. Deno's client writes again: a check fails then by its own write. */
    | { kind: "apply_then_drop" }
    /** Applies the write and answers only once the faults change. */
    | { kind: "apply_then_hang" };
  watch: CommonFault;
}

/** The faults in force. */
export interface FaultSwitch {
  /** Has the next `times` requests for an operation fail so; until `recover()` if absent. */
  fail<O extends Operation>(operation: O, fault: Faults[O], times?: number): void;
  /** Ends all faults; what hangs goes on. */
  recover(): void;
  /** The fault that the next request suffers, which counts as one of its times. */
  next(operation: Operation): Faults[Operation] | undefined;
  /** Settles when the faults change; true where `end()` did that. */
  changed(): Promise<boolean>;
  /** Ends all waiting for changes, for good. */
  end(): void;
}

/** Creates a switch without faults. */
export function createFaultSwitch(): FaultSwitch {
  const faults = new Map<Operation, { fault: Faults[Operation]; left: number }>();
  let change = Promise.withResolvers<boolean>();

  function announce(isEnd: boolean): void {
    change.resolve(isEnd);
    if (!isEnd) change = Promise.withResolvers();
  }

  return {
    fail(operation, fault, times = Infinity) {
      faults.set(operation, { fault, left: times });
      announce(false);
    },
    recover() {
      faults.clear();
      announce(false);
    },
    next(operation) {
      const one = faults.get(operation);
      if (one === undefined) return undefined;
      if (--one.left <= 0) faults.delete(operation);
      return one.fault;
    },
    changed: () => change.promise,
    end: () => announce(true),
  };
}
