import type { EventEmitter } from "node:events";

/** Runs `run` after `ms`, unless the socket has closed by then; at once, without a timer, if `ms` is 0. */
export function after(socket: EventEmitter, ms: number, run: () => void): void {
  if (ms <= 0) return run();
  const cancel = () => clearTimeout(timer);
  const timer = setTimeout(() => {
    socket.off("close", cancel);
    run();
  }, ms);
  socket.once("close", cancel);
}

/** The same behaviour, `ms` later than it would be. */
export function later<T extends { delayMs?: number }>(behaviour: T, ms: number): T {
  return ms === 0 ? behaviour : { ...behaviour, delayMs: ms + (behaviour.delayMs ?? 0) };
}
