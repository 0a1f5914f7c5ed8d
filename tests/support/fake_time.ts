// @ts-types="@types/sinonjs__fake-timers"
import { type Clock, install } from "@sinonjs/fake-timers";

/** A clock and timers that move only by the methods below, until disposed. */
export class FakeTime implements Disposable {
  readonly #clock: Clock;

  constructor(now: number) {
    const timers = ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] as const;
    this.#clock = install({ now, toFake: ["Date", "performance", ...timers] });
  }

  /** Lets `ms` pass. */
  tick(ms: number): void {
    this.#clock.tick(ms);
  }

  /** Lets `ms` pass, with all that promises do in between. */
  async tickAsync(ms: number): Promise<void> {
    await this.#clock.tickAsync(ms);
  }

  /** Lets time pass until no timer is left, and runs promise reactions in between. */
  async runAll(): Promise<void> {
    await this.#clock.runAllAsync();
  }

  [Symbol.dispose](): void {
    (this.#clock as Clock & { uninstall(): void }).uninstall();
  }
}
