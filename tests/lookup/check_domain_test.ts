import { assertEquals } from "@std/assert";
import type { Canary } from "../../src/rules/answer.ts";
import { checksBy } from "../support/checks.ts";
import { TRUSTED } from "../support/trusted_sources.ts";
import { suffixesAt } from "../support/suffixes.ts";

Deno.test("a bug in one look-up gives unknown for that name only, and is logged", async () => {
  const faults: unknown[] = [];
  const { checkDomain } = checksBy({
    sources: {
      isDelegated: (domain) =>
        domain === "broken.com"
          ? Promise.reject(new RangeError("a bug at broken.com"))
          : Promise.resolve({ kind: "delegated", askedAt: 0 }),
      registries: { ask: () => Promise.reject(new Error("not to be asked")) },
    },
    suffixes: suffixesAt(),
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

Deno.test("checkDomain() answers unknown when the registry's pass comes after its own test could not run", async () => {
  const row = { tld: "com", rdapBase: "https://rdap.example/" };
  const passed: Canary = {
    kind: "passed",
    witness: "google",
    templates: [{ seenAt: 0, members: [] }],
  };
  const checkWith = async (tested: Canary) => {
    const { checkDomain } = checksBy({
      sources: {
        isDelegated: () => Promise.resolve({ kind: "none", askedAt: 0 }),
        registries: {
          ask: () => Promise.resolve({ kind: "notFound", askedAt: 0, statements: [] }),
        },
        canary: {
          ...TRUSTED.canary,
          resultOf: () => Promise.resolve(tested),
          // Another process has tested the registry meanwhile.
          inForce: () => Promise.resolve(passed),
        },
        resolver: {
          ...TRUSTED.resolver,
          showsDelegations: () => Promise.resolve(tested.kind === "passed"),
        },
      },
      suffixes: suffixesAt(row.rdapBase),
      reportFault: (event, fields) => assertEquals([event, fields], []),
      now: () => 0,
    });
    const { state, error } = await checkDomain("free-name", "com");
    return [state, error];
  };
  assertEquals(await checkWith(passed), ["available", undefined]);
  // The resolver denies every name: no test could run, and DNS confirms nothing.
  const undecided: Canary = { kind: "undecided", why: "no registered name was found" };
  assertEquals(await checkWith(undecided), ["unknown", undecided.why]);
});
