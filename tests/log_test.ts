import { assertEquals } from "@std/assert";
import { createLog, type LogLevel } from "../src/log.ts";

/** The lines of an event of each level, and the levels that are passed with them. */
function loggedAt(level: LogLevel) {
  const [lines, levels]: [string[], LogLevel[]] = [[], []];
  const write = (line: string, level: LogLevel) => void (lines.push(line), levels.push(level));
  const log = createLog({ level, now: () => 0, write });
  log.debug("a");
  log.info("b", { host: "x\ny" });
  log.warn("c");
  log.error("d");
  return { lines, levels };
}

Deno.test("createLog() writes one JSON object a line, with the time", () => {
  assertEquals(
    loggedAt("info").lines[0],
    '{"time":"1970-01-01T00:00:00.000Z","level":"info","event":"b","host":"x\\ny"}',
  );
});

Deno.test("createLog() passes the level with each line, and skips events below its own", () => {
  const levels = ["debug", "info", "warn", "error"] as const;
  for (const [below, level] of [...levels, "silent" as const].entries()) {
    assertEquals(loggedAt(level).levels, levels.slice(below));
  }
});
