import { assertEquals } from "@std/assert";
import type { Checker } from "../../src/cli/checker.ts";
import { withRetries } from "../../src/cli/retries.ts";
import type { Row } from "../../src/cli/row.ts";

const HOST = "rdap.example";

/** The rows of a domain, one for each time that it is checked: seconds until a retry, or available. */
type Answers = Readonly<Record<string, readonly (number | "available")[]>>;

/** Checks x under the TLDs of `answers`. */
async function check(
  answers: Answers,
  { onWait = () => {}, stop = new AbortController().signal }: {
    onWait?: () => void;
    stop?: AbortSignal;
  } = {},
) {
  const events: string[] = [];
  const times = new Map<string, number>();
  const rowOf = (tld: string): Row => {
    const time = times.get(tld) ?? 0;
    times.set(tld, time + 1);
    const answer = answers[tld]?.at(time) ?? answers[tld]?.at(-1) ?? "available";
    const result = {
      domain: `x.${tld}`,
      tld,
      state: answer === "available" ? answer : "unknown",
      available: answer === "available",
      status: [answer === "available" ? "undelegated" : "unknown"],
      premium: false,
      source: "rdap",
      checkedAt: "2026-11-21T12:00:00.000Z",
      responseMs: 5,
    } as const;
    const retry = answer === "available" ? undefined : { host: `${tld}.${HOST}`, ms: answer * 1e3 };
    return { kind: "domain", domain: result.domain, result, retry };
  };
  const checker: Checker = {
    refusalOf: () => Promise.resolve(undefined),
    tlds: [],
    hostsOf: () => [],
    partOf: (request) => request,
    atOnce: () => 1,
    async *check({ tlds }) {
      events.push(`check ${tlds.join()}`);
      yield* tlds.map(rowOf);
    },
  };
  const pauses = {
    wait(host: string, ms: number) {
      events.push(`wait ${host} ${ms}`);
      onWait();
      return Promise.resolve();
    },
  };
  const rows = withRetries(checker, { pauses, maxWaitMs: 90_000, stop })
    .check({ label: "x", tlds: Object.keys(answers) });
  for await (const row of rows) {
    const isUnknown = row.kind === "domain" && row.result.status.includes("unknown");
    events.push(`${row.domain} ${isUnknown ? "unknown" : "available"}`);
  }
  return events;
}

Deno.test("withRetries() checks what has a retry again, in one request after the longest of the waits", async () => {
  const answers: Answers = {
    io: [15, "available"],
    com: ["available"],
    ai: [17, 3, "available"],
    me: [2, "available"],
  };
  assertEquals(await check(answers), [
    "check io,com,ai,me",
    "x.com available",
    `wait ai.${HOST} 17000`,
    "check io,ai,me",
    "x.io available",
    "x.me available",
    `wait ai.${HOST} 3000`,
    "check ai",
    "x.ai available",
  ]);
});

Deno.test("withRetries() yields a row as it is after three retries", async () => {
  assertEquals(
    (await check({ io: [15] })).join("; "),
    [
      ...Array(3).fill(`check io; wait io.${HOST} 15000`),
      "check io",
      "x.io unknown",
    ].join("; "),
  );
});

Deno.test("withRetries() waits no longer than 90 s for a name", async () => {
  assertEquals(await check({ io: [3_600], com: [Infinity] }), [
    "check io,com",
    "x.io unknown",
    "x.com unknown",
  ]);
  assertEquals(await check({ io: [30, 60, 1] }), [
    "check io",
    `wait io.${HOST} 30000`,
    "check io",
    `wait io.${HOST} 60000`,
    "check io",
    "x.io unknown",
  ]);
  // The bound of a name does not depend on which of its TLDs waited.
  assertEquals(await check({ io: [90, "available"], com: [1, 1] }), [
    "check io,com",
    `wait io.${HOST} 90000`,
    "check io,com",
    "x.io available",
    "x.com unknown",
  ]);
});

Deno.test("withRetries() ends without the rows that wait when the run is stopped", async () => {
  const stop = new AbortController();
  const answers: Answers = { io: [15], com: ["available"] };
  assertEquals(await check(answers, { onWait: () => stop.abort(), stop: stop.signal }), [
    "check io,com",
    "x.com available",
    `wait io.${HOST} 15000`,
  ]);
});
