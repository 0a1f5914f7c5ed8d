import { assertEquals } from "@std/assert";
import type { WaitOptions } from "../../src/flow/upstream_host.ts";
import { createCanaryProbe } from "../../src/lookup/canary_probe.ts";
import type { RdapAnswer } from "../../src/rules/answer.ts";

const ROW = { tld: "com", rdapBase: "http://registry.lab/" };
const DOWN = { fault: "down", why: "no answer" } as const;

Deno.test("test() shares a question about a made-up name that another test has sent, and none that waits in a queue", async () => {
  const asked: { wait: WaitOptions | undefined; answer(): void }[] = [];
  const probe = createCanaryProbe({
    ask(_base, _domain, wait) {
      const { promise, resolve } = Promise.withResolvers<RdapAnswer>();
      asked.push({ wait, answer: () => resolve({ kind: "failed", ...DOWN }) });
      return promise;
    },
    isDelegated: () => Promise.resolve({ kind: "failed", ...DOWN }),
    resolver: { note() {} },
  });
  const test = (priority: "foreground" | "background") => probe.test(ROW, priority, async () => {});
  const tests = [test("background"), test("foreground")];
  assertEquals(asked.map(({ wait }) => wait?.priority), ["background", "first"]);
  asked[1]?.wait?.onWait?.(0);
  tests.push(test("background"));
  assertEquals(asked.length, 2, "the foreground's has been sent");
  asked[1]?.answer();
  await tests[1];
  tests.push(test("background"));
  assertEquals(asked.length, 3, "it has been answered");
  for (const { answer } of asked) answer();
  await Promise.all(tests);
});
