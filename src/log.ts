/** One JSON object a line on stderr for each event; the only console of the service. */
import type { Report } from "./flow/report.ts";

/** How much is logged; each level includes those after it. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

/** A level of `LOG_LEVELS`. */
export type LogLevel = typeof LOG_LEVELS[number];

/** Reports an event at a level. */
export type Log = Readonly<Record<Exclude<LogLevel, "silent">, Report>>;

/** Creates the log; `write` takes a finished line. */
export function createLog(
  { level, now, write = writeLine }: {
    level: LogLevel;
    now: () => number;
    write?: (line: string) => void;
  },
): Log {
  const at = (own: LogLevel): Report => {
    if (LOG_LEVELS.indexOf(own) < LOG_LEVELS.indexOf(level)) return () => {};
    return (event, fields) =>
      write(JSON.stringify({ time: new Date(now()).toISOString(), level: own, event, ...fields }));
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

function writeLine(line: string): void {
  // deno-lint-ignore no-console -- this is the console
  console.error(line);
}
