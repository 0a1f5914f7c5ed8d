import { assertEquals } from "@std/assert";
import { createLog, type LogLevel } from "../src/log.ts";

Deno.test("createLog() writes one JSON object a line, with the time, passes its level, and skips events below its own", () => {
  const levels = ["debug", "info", "warn", "error"] as const;
  for (const [below, level] of [...levels, "silent" as const].entries()) {
    const passed: [line: string, level: LogLevel][] = [];
    const log = createLog({ level, now: () => 0, write: (...line) => void passed.push(line) });
    for (const each of levels) log[each](`an ${each}`, { host: "x\ny" });
    assertEquals(
      passed,
      levels.slice(below).map((level) => [
        `{"time":"1970-01-01T00:00:00.000Z","level":"${level}","event":"an ${level}","host":"x\\ny"}`,
        level,
      ]),
    );
  }
});
