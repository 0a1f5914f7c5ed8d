/** The same manner, `ms` later than it would be. */
export function later<Manner extends { delayMs?: number }>(manner: Manner, ms: number): Manner {
  return ms === 0 ? manner : { ...manner, delayMs: ms + (manner.delayMs ?? 0) };
}
