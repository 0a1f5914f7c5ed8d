import { assertEquals } from "@std/assert";
import { createBackground } from "../../src/flow/background.ts";
import { createCheckDomain } from "../../src/lookup/check_domain.ts";
import { TRUSTED } from "../support/trusted_sources.ts";
import { suffixesAt } from "../support/suffixes.ts";

Deno.test("a bug in one look-up gives unknown for that name only, and is logged", async () => {
  const faults: unknown[] = [];
  const { checkDomain } = createCheckDomain({
    sources: {
      isDelegated: (domain) =>
        domain === "broken.com"
          ? Promise.reject(new RangeError("a bug at broken.com"))
          : Promise.resolve({ kind: "delegated", askedAt: 0 }),
      registries: { ask: () => Promise.reject(new Error("not to be asked")) },
      ...TRUSTED,
    },
    suffixes: suffixesAt(),
    cache: { get: () => Promise.resolve(undefined), set: (_, kept) => Promise.resolve(kept) },
    background: createBackground(() => {}),
    report() {},
    reportUnread() {},
    reportFault: (event, fields) => faults.push({ event, ...fields }),
    now: () => 0,
  });
  const results = await Promise.all(["broken", "fine"].map((label) => checkDomain(label, "com")));
  assertEquals(results.map(({ status, available }) => [status, available]), [
    [["unknown"], false],
    [["active"], false],
  ]);
  assertEquals(results[0]?.error, "Internal error while checking this name (logged)");
  assertEquals(faults, [
    { event: "check.failed", tld: "com", error: "RangeError: a bug at <name>.com" },
  ]);
});
