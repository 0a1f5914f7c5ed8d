/** One name to be answered: what is asked of whoever answers. */
import { ETH, type Wish } from "./wish.ts";

/** A label under TLDs that can all be checked. */
export interface Question {
  label: string;
  tlds: readonly string[];
}

/** Makes the question of a wish where every TLD is one of `enabled`, else the reason why it cannot be asked. */
export function questionOf(
  { label, tlds }: Wish,
  enabled: readonly string[],
): { kind: "question"; question: Question } | { kind: "refused"; why: string } {
  if (tlds === undefined && enabled.length === 0) {
    return { kind: "refused", why: `No TLD is enabled; only names under .${ETH} can be checked` };
  }
  const known = [...enabled, ETH];
  const strange = tlds?.find((tld) => !known.includes(tld));
  if (strange === undefined) {
    return { kind: "question", question: { label, tlds: tlds ?? enabled } };
  }
  const why = `TLD ${strange} is not supported; use one of ${known.join(", ")}`;
  return { kind: "refused", why };
}
