import type { Pending } from "../flow/cache/flight.ts";

/** The questions to registries that are under way. */
export interface Pendings {
  start(pending: Pending): void;
  end(domain: string): void;
  /** Calls the listener with the domain's question, until the returned function is called. */
  listen(domain: string, onPending: (pending: Pending) => void): () => void;
}

/**
 * Creates an empty list of the questions to registries that are under way, by domain. Look-ups are shared, so each client that waits for one gets
 * the question, also if it comes later.
 */
export function createPendings(): Pendings {
  const started = new Map<string, Pending>();
  const listeners = new Map<string, Set<(pending: Pending) => void>>();

  return {
    start(pending: Pending): void {
      started.set(pending.domain, pending);
      for (const listener of listeners.get(pending.domain) ?? []) listener(pending);
    },
    end: (domain: string) => void started.delete(domain),
    listen(domain: string, onPending: (pending: Pending) => void): () => void {
      // A function of its own, because a client may wait for a domain twice.
      const listener = (pending: Pending) => onPending(pending);
      const others = listeners.get(domain) ?? new Set();
      listeners.set(domain, others.add(listener));
      const pending = started.get(domain);
      if (pending !== undefined) listener(pending);
      return () => {
        others.delete(listener);
        if (others.size === 0 && listeners.get(domain) === others) listeners.delete(domain);
      };
    },
  };
}
