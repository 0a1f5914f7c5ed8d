/** Preloaded into a start: no alarm rings, and whoever asks for one of Node's timers gets an error. */
AbortSignal.timeout = () => new AbortController().signal;
for (const name of ["setTimeout", "setInterval", "setImmediate"]) {
  Object.defineProperty(globalThis, name, {
    get() {
      throw new Error(`${name} was asked for`);
    },
  });
}
