/** Loaded before the tests of each mutant: a fixed seed, so that runs are repeatable, and no shrinking. */
import fc from "fast-check";

fc.configureGlobal({ seed: 20_261_121, endOnFailure: true });
