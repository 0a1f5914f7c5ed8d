import { assertEquals } from "@std/assert";
import { createLog, type LogLevel } from "../src/log.ts";

function linesAt(level: LogLevel): string[] {
  const lines: string[] = [];
  const log = createLog({ level, now: () => 0, write: (line) => lines.push(line) });
  log.debug("a");
  log.info("b", { host: "x\ny" });
  log.warn("c");
  log.error("d");
  return lines;
}

Deno.test("createLog() writes one JSON object a line, with the time", () => {
  assertEquals(
    linesAt("info")[0],
    '{"time":"1970-01-01T00:00:00.000Z","level":"info","event":"b","host":"x\\ny"}',
  );
});

Deno.test("createLog() skips events below its level", () => {
  const counts = (["debug", "info", "warn", "error", "silent"] as const).map((level) =>
    linesAt(level).length
  );
  assertEquals(counts, [4, 3, 2, 1, 0]);
});

Deno.test("createLog() passes the level with each line", () => {
  const levels: string[] = [];
  const log = createLog({ level: "debug", now: () => 0, write: (_, level) => levels.push(level) });
  for (const level of ["debug", "info", "warn", "error"] as const) log[level]("event");
  assertEquals(levels, ["debug", "info", "warn", "error"]);
});
