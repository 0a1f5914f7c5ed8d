import { toEntries } from "../rules/evidence.ts";
import type { Verdict } from "../rules/verdict.ts";
import type { Judgement } from "./judge.ts";

/** A verdict and when its deciding question was sent (ISO 8601), which a cache hit does not change. */
export interface Finding extends Verdict {
  readonly checkedAt: string;
  /**
   * The entries of what was answered, as JSON: a flat text of 200 to 400 bytes takes two thirds of the memory of the
   * objects, and keeps no longer text alive that its parts were cut from. Absent if the finding was read from KV.
   */
  readonly evidence?: string;
}

/** The finding of a judgement whose deciding question was sent at `askedAt` (ms since 1970). */
export function toFinding(
  { verdict, testimony }: Pick<Judgement, "verdict" | "testimony">,
  askedAt: number,
): Finding {
  const checkedAt = new Date(askedAt).toISOString();
  return { ...verdict, checkedAt, evidence: JSON.stringify(toEntries(testimony)) };
}
