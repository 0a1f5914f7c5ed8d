import { type Lab, startLab } from "../lab/lab.ts";
import { createKvFile } from "./kv_file.ts";
import { startService } from "./service.ts";

/** Starts two processes of the service on one lab and one KV file, by a clock that the test sets. */
export async function startPair(envOf: (lab: Lab) => Record<string, string> = () => ({})) {
  const stack = new AsyncDisposableStack();
  const lab = stack.use(await startLab());
  const file = stack.use(await createKvFile());
  const clock = { now: Date.now() };
  const start = async () => {
    const options = { env: envOf(lab), kv: await file.open(), now: () => clock.now };
    return stack.use(await startService(lab, options));
  };
  const [one, two] = [await start(), await start()];
  return { lab, file, one, two, clock, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
