/** What is kept of each subject: of some because it has to be written, of others because it may be of use. */
import { createBoundedMap } from "../flow/bounded_map.ts";
import { countOf } from "../rules/window.ts";
import { type Account, type Admission, type Claim, EMPTY } from "./account.ts";

/** A claim that waits for KV. */
export interface Waiting {
  readonly claim: Claim;
  /** When it came, in ms of the monotonic clock. */
  readonly since: number;
  decide(admission: Admission): void;
}

/** A subject. */
export interface SubjectState {
  readonly subject: string;
  account: Account;
  /** The version in KV; null: KV holds none; undefined: another process has changed it since, or may have. */
  version: string | null | undefined;
  /** The limit of its last claim. */
  limit: number;
  /** First come, first served. */
  readonly waiting: Waiting[];
  /** Whether a commit of it is under way. */
  isBusy: boolean;
  /** When it was last read, in ms of the monotonic clock. */
  readAt: number;
}

/** The subjects. */
export interface States {
  of(subject: string): SubjectState;
  /** Keeps it: without bound while claims wait, slots are held or have to be written; else while there is room. */
  keep(state: SubjectState): void;
  /** Those with waiting claims, held slots or slots to be written. */
  readonly open: ReadonlyMap<string, SubjectState>;
  /** Ends all leases, so that they are given back. */
  endLeases(): void;
  /** How many are remembered besides. */
  readonly size: number;
}

/** Whether KV holds enough for a subject, and does so for a reason: its lease has not ended. */
export function isCovered(
  { account: { lease, unwritten } }: SubjectState,
  monotonic: number,
): boolean {
  return lease !== undefined && monotonic < lease.until && countOf(unwritten) <= lease.count;
}

/** Creates the subjects; about `max` are remembered of those that are not open. */
export function createStates(max: number): States {
  const open = new Map<string, SubjectState>();
  const remembered = createBoundedMap<SubjectState>(max);

  return {
    of(subject) {
      // The guess that KV holds nothing spares a new subject a read, and costs others a commit that conflicts.
      return open.get(subject) ?? remembered.get(subject) ?? {
        subject,
        account: EMPTY,
        version: null,
        limit: 0,
        waiting: [],
        isBusy: false,
        readAt: -Infinity,
      };
    },
    keep(state) {
      const { subject, account: { lease, unwritten }, waiting } = state;
      if (waiting.length > 0 || lease !== undefined || unwritten.length > 0) {
        open.set(subject, state);
      } else {
        open.delete(subject);
        remembered.set(subject, state);
      }
    },
    open,
    endLeases() {
      for (const state of open.values()) {
        const { account } = state;
        if (account.lease === undefined) continue;
        state.account = { ...account, lease: { ...account.lease, until: -Infinity } };
      }
    },
    get size() {
      return remembered.size;
    },
  };
}
