/**
 * The names and signatures of `@std/assert` that our tests use, over `node:assert/strict`: CI cannot reach JSR. Where JSR
 * is reachable, `deno.json` may map `@std/assert` to `jsr:@std/assert@^1` instead.
 */
import strict from "node:assert/strict";

/** Throws unless `expr` is truthy. */
export function assert(expr: unknown, msg = "expected a truthy value"): asserts expr {
  strict.ok(expr, msg);
}

/** Throws unless both are deeply equal. */
export const assertEquals = strict.deepEqual as <T>(actual: T, expected: T, msg?: string) => void;

/** Throws if both are deeply equal. */
export const assertNotEquals = strict.notDeepEqual as typeof assertEquals;

/** Throws unless `actual` contains `expected`. */
export function assertStringIncludes(actual: string, expected: string, msg?: string): void {
  strict.ok(
    actual.includes(expected),
    msg ?? `expected ${JSON.stringify(actual)} to contain ${JSON.stringify(expected)}`,
  );
}

/** Throws unless `actual` matches `expected`. */
export const assertMatch = strict.match as (actual: string, expected: RegExp, msg?: string) => void;

/** Throws if `actual` matches `expected`. */
export const assertNotMatch = strict.doesNotMatch as typeof assertMatch;

// deno-lint-ignore no-explicit-any -- an error class may take any arguments; @std/assert has the same signature
type ErrorClass<E> = abstract new (...args: any[]) => E;

/** Throws unless `fn` throws an `ErrorClass` whose message includes `msgIncludes`; returns what was thrown. */
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  ErrorClass: ErrorClass<E>,
  msgIncludes = "",
): E {
  try {
    fn();
  } catch (error) {
    if (!(error instanceof ErrorClass)) throw error;
    assertStringIncludes(error.message, msgIncludes);
    return error;
  }
  throw new strict.AssertionError({ message: `expected ${ErrorClass.name} to be thrown` });
}

/** Throws unless `fn` rejects with an `ErrorClass` whose message includes `msgIncludes`; returns what it rejected with. */
export async function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  ErrorClass: ErrorClass<E>,
  msgIncludes = "",
): Promise<E> {
  let fail = () => {};
  try {
    await fn();
  } catch (error) {
    fail = () => {
      throw error;
    };
  }
  return assertThrows(fail, ErrorClass, msgIncludes);
}
