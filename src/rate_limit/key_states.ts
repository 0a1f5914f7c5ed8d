/** State per rate-limit key: active keys, which must not be forgotten, and a bounded memory of the others. */
import { createBoundedMap } from "../flow/cache/bounded_map.ts";
import type { Timing } from "../flow/deadline.ts";
import { countOf } from "../rules/window.ts";
import {
  type Decision,
  type Durations,
  type KnownWindow,
  NOTHING_KNOWN,
  type SlotClaim,
} from "./known_window.ts";

/** A claim that waits for KV. */
export interface WaitingClaim {
  readonly claim: SlotClaim;
  /** When it arrived, in ms of the monotonic clock. */
  readonly since: number;
  resolve(decision: Decision): void;
}

/** A rate-limit key (a client's address or an API key). */
export interface KeyState {
  readonly key: string;
  window: KnownWindow;
  /** The entry's version in KV; null: no entry; undefined: unknown, so it must be read. */
  version: string | null | undefined;
  /** Tells the entry that the window was made from, if any, from one that was created after KV had lost it. */
  incarnation: number | undefined;
  /** The limit of its last claim. */
  limit: number;
  /** In order of arrival. */
  readonly waiting: WaitingClaim[];
  /** Whether a commit is under way. */
  isBusy: boolean;
  /** When KV was last read, in ms of the monotonic clock. */
  readAt: number;
}

/** All keys. */
export interface KeyStates {
  get(key: string): KeyState;
  /** Stores a state: without bound while the key is active, otherwise in the bounded memory. */
  update(state: KeyState): void;
  /** Keys with waiting claims, a reservation or pending slots. */
  readonly active: ReadonlyMap<string, KeyState>;
  /** All keys that are remembered, active or not. */
  all(): IteratorObject<KeyState>;
  /** How many inactive keys are remembered. */
  readonly size: number;
}

/** What all parts of the limiter share. */
export interface LimiterContext extends Timing {
  states: KeyStates;
  durations: Durations;
  /** How long a KV call may take. */
  deadlineMs: number;
  /** How many keys have a window of their own. */
  maxKeys: number;
  /** The wall clock, in ms since 1970. */
  now: () => number;
  random: () => number;
}

/** Whether a reservation in force covers all pending slots. */
export function isCovered(
  { window: { reservation, pending } }: KeyState,
  monotonic: number,
): boolean {
  return reservation !== undefined && monotonic < reservation.until &&
    countOf(pending) <= reservation.count;
}

/** Whether KV lacks slots that were admitted: other processes do not count them. */
export function hasUncovered(state: KeyState, monotonic: number): boolean {
  const { pending, isLost } = state.window;
  return (isLost || pending.length > 0) && !isCovered(state, monotonic);
}

/** Creates an empty set; about `max` inactive keys are remembered. */
export function createKeyStates(max: number): KeyStates {
  const open = new Map<string, KeyState>();
  const remembered = createBoundedMap<KeyState>(max);

  return {
    get(key) {
      // Guessing that KV has no entry saves a new key a read, and costs a forgotten one a conflict.
      return open.get(key) ?? remembered.get(key) ?? {
        key,
        window: NOTHING_KNOWN,
        version: null,
        incarnation: undefined,
        limit: 0,
        waiting: [],
        isBusy: false,
        readAt: -Infinity,
      };
    },
    update(state) {
      const { key, window: { reservation, pending }, waiting } = state;
      if (waiting.length > 0 || reservation !== undefined || pending.length > 0) {
        open.set(key, state);
      } else {
        open.delete(key);
        remembered.set(key, state);
      }
    },
    active: open,
    *all() {
      yield* open.values();
      yield* remembered.values();
    },
    get size() {
      return remembered.size;
    },
  };
}
