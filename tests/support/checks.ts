import { createBackground } from "../../src/flow/process.ts";
import { createMemoryCache } from "../../src/flow/cache/memory.ts";
import { createCheckDomain, type DomainChecks } from "../../src/lookup/check_domain.ts";
import type { Witnesses } from "../../src/lookup/judge.ts";
import { suffixesAt } from "./suffixes.ts";
import { TRUSTED } from "./trusted_sources.ts";

type Options = Parameters<typeof createCheckDomain>[0];

/** Checks of names by witnesses that a test gives, under TLDs whose registry has passed its test. */
export function checksBy(
  { sources, ...more }: Partial<Omit<Options, "sources">> & {
    sources: Partial<Options["sources"]> & Pick<Witnesses, "isDelegated" | "registries">;
  },
): DomainChecks {
  return createCheckDomain({
    suffixes: suffixesAt("https://registry.example/"),
    cache: createMemoryCache({ max: 2, now: () => 0 }),
    background: createBackground(() => {}),
    ending: new AbortController().signal,
    report() {},
    reportUnread() {},
    reportFault() {},
    now: Date.now,
    ...more,
    sources: { ...TRUSTED, ...sources },
  });
}
