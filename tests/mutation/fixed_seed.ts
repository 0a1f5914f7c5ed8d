/** Loaded before the tests of each mutant: the same seed for all, so that a run can be repeated, and no shrinking. */
import fc from "fast-check";

fc.configureGlobal({ seed: 20_261_121, endOnFailure: true });
