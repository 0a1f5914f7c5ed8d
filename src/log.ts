/** Logs each event as one line of JSON. Only this file writes to the console. */
import type { Report } from "./flow/process.ts";

/** The levels; each includes those after it. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

/** A level of `LOG_LEVELS`. */
export type LogLevel = typeof LOG_LEVELS[number];

/** Reports an event at a level. */
export type Log = Readonly<Record<EventLevel, Report>>;

/** A level at which events are reported. */
type EventLevel = Exclude<LogLevel, "silent">;

/** Creates the log; `write` gets each finished line. */
export function createLog(
  { level, now, write }: {
    level: LogLevel;
    now: () => number;
    write: (line: string, level: EventLevel) => void;
  },
): Log {
  const at = (own: EventLevel): Report => {
    if (LOG_LEVELS.indexOf(own) < LOG_LEVELS.indexOf(level)) return () => {};
    return (event, fields) =>
      write(
        JSON.stringify({ time: new Date(now()).toISOString(), level: own, event, ...fields }),
        own,
      );
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** Writes a line to stderr at every level: Deno's `console.debug` and `console.info` write to stdout. */
export function writeToStderr(line: string): void {
  // deno-lint-ignore no-console -- this is the console
  console.error(line);
}

/** Writes a line with the console method of its level, which Deno Deploy and OpenTelemetry show as its severity. */
export function writeBySeverity(line: string, level: EventLevel): void {
  // deno-lint-ignore no-console -- this is the console
  console[level](line);
}
