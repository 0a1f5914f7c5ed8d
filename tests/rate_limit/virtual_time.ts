import { setImmediate } from "node:timers";
import type { Alarm } from "../../src/flow/deadline.ts";

/** A clock that stands still until an event is due, and alarms that ring by it. */
export interface VirtualTime {
  /** ms since the start. */
  readonly now: number;
  startAlarm(ring: () => void, ms: number): Alarm;
  /** Settles once so much time has passed. */
  pass(ms: number): Promise<void>;
  /** Lets time go on to that moment: all events in order, with all that promises do in between. */
  runUntil(end: number): Promise<void>;
}

/** Creates a clock at 0. */
export function createVirtualTime(): VirtualTime {
  const events: { at: number; ring: () => void; isStopped: boolean }[] = [];
  let now = 0;

  function startAlarm(ring: () => void, ms: number): Alarm {
    const event = { at: now + Math.max(0, ms), ring, isStopped: false };
    const place = events.findLastIndex(({ at }) => at <= event.at) + 1;
    events.splice(place, 0, event);
    return { stop: () => void (event.isStopped = true) };
  }

  return {
    get now() {
      return now;
    },
    startAlarm,
    pass: (ms) => new Promise((resolve) => void startAlarm(resolve, ms)),
    async runUntil(end) {
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
function wait(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
