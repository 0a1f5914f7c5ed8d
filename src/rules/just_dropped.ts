/**
 * Names that a registry has just deleted. Some registries hold such a name back for up to a day and sell it to one applicant;
 * meanwhile their RDAP servers deny it like a name that was never registered, and only a WHOIS server tells, if there is one.
 */
import type { RestrictingRule } from "./answer.ts";
import { hostPolicy } from "./tables/hosts.ts";
import { type TldRow, tldType } from "./tables/tlds.ts";

/** For how long a name counts as just deleted after it was seen registered: the start of the registry's own hold cannot be seen. */
export const HELD_BACK_MS = 48 * 60 * 60_000;

/** Whether the TLD's registry may hold deleted names back: its rule is for generic TLDs only. */
export function holdsDeletedBack({ tld, rdapBase }: TldRow): boolean {
  return tldType(tld) === "gTLD" && hostPolicy(new URL(rdapBase).host).holdsDeletedBack === true;
}

/** The rule for a denied name of such a TLD, by when it was last seen registered; undefined if that is too long ago. */
export function ruleForDropped(registeredAt: number, now: number): RestrictingRule | undefined {
  // Math.abs: a clock that was set back must not hold a name for longer.
  if (Math.abs(now - registeredAt) >= HELD_BACK_MS) return undefined;
  const until = new Date(registeredAt).toISOString();
  return {
    kind: "unknown",
    isJustDropped: true,
    why:
      `Just dropped: registered until ${until} at least, and the registry may hold a name back after its deletion`,
  };
}

/** When a name was last seen registered, in ms since 1970, by the words of that rule; undefined for other words. */
export function lastRegisteredAt(error: string): number | undefined {
  const until = /^Just dropped: registered until (\S+) at least,/.exec(error)?.[1];
  return until === undefined ? undefined : Date.parse(until);
}
