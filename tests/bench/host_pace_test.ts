import { assertEquals } from "@std/assert";
import { lastAnswerMs, slowestChainMs } from "./host_pace.ts";

const UNPACED = { concurrency: 2, burst: 2, everyMs: 0, emptyNotFound: false };

Deno.test("lastAnswerMs() lets as many questions run at once as the host does", () => {
  assertEquals(lastAnswerMs([20, 20, 20], 100, UNPACED), 220);
});

Deno.test("lastAnswerMs() spaces what goes beyond the burst", () => {
  const paced = { ...UNPACED, concurrency: 9, everyMs: 500 };
  assertEquals(lastAnswerMs([20, 20, 20, 20], 100, paced), 20 + 2 * 500 + 100);
});

Deno.test("lastAnswerMs() waits for a question that is not ready yet", () => {
  assertEquals(lastAnswerMs([20, 400], 100, UNPACED), 500);
});

Deno.test("slowestChainMs() counts the made-up and the delegated name of a canary", () => {
  assertEquals(slowestChainMs(["org"], { dnsMs: 20, withCanary: false }), 590);
  assertEquals(slowestChainMs(["org"], { dnsMs: 20, withCanary: true }), 610);
});
