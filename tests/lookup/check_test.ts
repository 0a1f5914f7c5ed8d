import { assertEquals } from "@std/assert";
import { createBackground } from "../../src/flow/background.ts";
import { createCheckDomain } from "../../src/lookup/check.ts";

Deno.test("a bug met at one name is that name's unknown, is logged, and leaves the others alone", async () => {
  const faults: unknown[] = [];
  const { checkDomain } = createCheckDomain({
    openInquiry: () =>
      Promise.resolve({
        isDelegated: (domain) =>
          domain === "broken.com"
            ? Promise.reject(new RangeError("a bug"))
            : Promise.resolve({ kind: "delegated" }),
        registries: { ask: () => Promise.reject(new Error("not to be asked")) },
        canary: { trust: () => Promise.resolve({ kind: "passed" }), noteDelegated() {} },
      }),
    rowOf: () => Promise.resolve(undefined),
    keep: { get: () => Promise.resolve(undefined), set: () => Promise.resolve() },
    background: createBackground(() => {}),
    report() {},
    reportFault: (event, fields) => faults.push({ event, ...fields }),
    now: () => 0,
  });
  const results = await Promise.all(["broken", "fine"].map((label) => checkDomain(label, "com")));
  assertEquals(results.map(({ status, available }) => [status, available]), [
    [["unknown"], false],
    [["active"], false],
  ]);
  assertEquals(results[0]?.error, "The service failed at this name; the fault is logged");
  assertEquals(faults, [
    { event: "check.failed", label: "broken", tld: "com", error: "RangeError: a bug" },
  ]);
});
