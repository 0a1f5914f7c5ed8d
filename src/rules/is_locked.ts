/** Whether an error is SQLite's answer while another process writes to the same file: nothing was applied. */
export function isLocked(error: unknown): boolean {
  return String(error).includes("database is locked");
}
