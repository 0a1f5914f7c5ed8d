/** How runs of jobs end. */

/** The result of a run, with a text for the operator. */
export type Outcome =
  | { readonly kind: "done"; readonly message: string }
  | { readonly kind: "failed"; readonly reason: string };

/** How a run ended, and when (ms since 1970). */
export interface RunEnd {
  readonly at: number;
  readonly outcome: Outcome;
}
