import { assertEquals } from "@std/assert";
import { createLocalChecker } from "../../src/cli/local_checker.ts";
import { suffixesAt } from "../support/suffixes.ts";

const NO_SUFFIXES = {
  ...suffixesAt(),
  find: () => Promise.resolve({ kind: "enabled" as const }),
};

const never = () => Promise.reject(new Error("Not expected"));

Deno.test("createLocalChecker() queues TLDs by the host of their registry, in the table in use", async () => {
  const checker = await createLocalChecker({
    checkDomain: never,
    ens: { check: never, details: never, profile: never },
    findDetails: never,
    tlds: {
      enabled: () => Promise.resolve(["one", "two"]),
      fresh: () =>
        Promise.resolve(
          ["one", "two"].map((tld) => ({ tld, rdapBase: "https://rdap.example/v1/" })),
        ),
    },
    suffixes: NO_SUFFIXES,
  });
  const request = { label: "x", tlds: ["one", "two", "eth"] };
  assertEquals(checker.hostsOf(request), ["rdap.example", "rdap.example", "eth"]);
  assertEquals([0, 1, 2].map((place) => checker.partOf(request, place)), [
    { label: "x", tlds: ["one"] },
    { label: "x", tlds: ["two"] },
    { label: "x", tlds: ["eth"] },
  ]);
  const host = "rdap.identitydigital.services";
  assertEquals([checker.atOnce(host, undefined), checker.atOnce(host, 2)], [64, 2]);
  assertEquals(checker.atOnce("rdap.verisign.com", 1_000), 64);
});
