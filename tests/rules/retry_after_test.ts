import { assertEquals } from "@std/assert";
import { readRetryAfterMs } from "../../src/rules/readers/http_message.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

const HEADERS: [header: string | null, ms: number | undefined][] = [
  ["0", 0],
  ["120", 120_000],
  [" 120 ", 120_000],
  ["3600", 3_600_000],
  ["3601", 3_600_000],
  ["999999999", 3_600_000],
  [`${NOW / 1_000 + 40}`, 40_000],
  [`${NOW / 1_000 - 40}`, 0],
  ["Sat, 21 Nov 2026 12:00:30 GMT", 30_000],
  ["Saturday, 21-Nov-26 12:00:30 GMT", 30_000],
  ["Sun, 22 Nov 2026 12:00:00 GMT", 3_600_000],
  ["Mon, 23 Nov 2026 12:00:00 GMT", 3_600_000],
  ["Tue, 24 Nov 2026 12:00:00 GMT", 3_600_000],
  ["Wed, 25 Nov 2026 12:00:00 GMT", 3_600_000],
  ["Thu, 26 Nov 2026 12:00:00 GMT", 3_600_000],
  ["Fri, 27 Nov 2026 12:00:00 GMT", 3_600_000],
  ["Sat, 21 Nov 2026 11:00:00 GMT", 0],
  ["Sat, 21 Nov 2026 14:00:30 +0200", 30_000],
  // Neither seconds nor an HTTP date, though `Number` or `Date.parse` accepts them.
  ["-5", undefined],
  ["1.5", undefined],
  ["1e3", undefined],
  ["0x10", undefined],
  ["120 s", undefined],
  ["in 120", undefined],
  ["2026-11-21T12:00:30Z", undefined],
  ["21 Nov 2026 12:00:30 GMT", undefined],
  ["1 Sat, 21 Nov 2026 12:00:30 GMT", undefined],
  ["21 Nov 2026 12:00:30 GMT (Sat)", undefined],
  ["Sat, soon", undefined],
  ["", undefined],
  [" ", undefined],
  [null, undefined],
];

Deno.test("readRetryAfterMs() parses seconds or an HTTP date, at most an hour", () => {
  assertEquals(HEADERS.map(([header]) => [header, readRetryAfterMs(header, NOW)]), HEADERS);
});

Deno.test("readRetryAfterMs() parses a date without a zone as UTC, in any local time zone", () => {
  const zone = Deno.env.get("TZ");
  try {
    for (const ownZone of ["UTC", "Asia/Tokyo", "America/New_York"]) {
      Deno.env.set("TZ", ownZone);
      assertEquals(readRetryAfterMs("Sat Nov 21 12:00:30 2026", NOW), 30_000, ownZone);
      assertEquals(readRetryAfterMs("Sat, 21 Nov 2026 12:00:30 GMT", NOW), 30_000, ownZone);
    }
  } finally {
    if (zone === undefined) Deno.env.delete("TZ");
    else Deno.env.set("TZ", zone);
  }
});
