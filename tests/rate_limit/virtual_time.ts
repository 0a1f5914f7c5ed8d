import { setImmediate } from "node:timers";
import type { Alarm } from "../../src/flow/deadline.ts";

/** A clock that stands still until an event is due, and alarms that ring by it. */
export type VirtualTime = ReturnType<typeof createVirtualTime>;

/** Creates a clock at 0. */
export function createVirtualTime() {
  const events: { at: number; ring: () => void; isStopped: boolean }[] = [];
  let now = 0;

  function startAlarm(ring: () => void, ms: number): Alarm {
    const event = { at: now + Math.max(0, ms), ring, isStopped: false };
    const place = events.findLastIndex(({ at }) => at <= event.at) + 1;
    events.splice(place, 0, event);
    return { stop: () => void (event.isStopped = true) };
  }

  return {
    /** ms since the start. */
    get now() {
      return now;
    },
    startAlarm,
    /** Settles once so much time has passed. */
    pass: (ms: number) => new Promise<void>((resolve) => void startAlarm(resolve, ms)),
    /** Lets time go on to that moment: all events in order, with all that promises do in between. */
    async runUntil(end: number): Promise<void> {
      await wait();
      for (let next = events[0]; next !== undefined && next.at <= end; next = events[0]) {
        events.shift();
        if (next.isStopped) continue;
        now = next.at;
        next.ring();
        await wait();
      }
      now = Math.max(now, end);
    },
  };
}

/** All that promises have to do is done before the next turn of the event loop. */
const wait = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
