/** Whether an error means that another process holds SQLite's write lock: nothing was written. */
export function isLocked(error: unknown): boolean {
  return String(error).includes("database is locked");
}
