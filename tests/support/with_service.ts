import { type Lab, startLab } from "../lab/lab.ts";
import { type RunningService, startService } from "./service.ts";

/** Runs a test on a service with a lab of its own. */
export async function withService(
  run: (service: RunningService, lab: Lab) => Promise<void>,
  env: Record<string, string> | ((lab: Lab) => Record<string, string>) = {},
): Promise<void> {
  await using lab = await startLab();
  await using service = await startService(lab, {
    env: typeof env === "function" ? env(lab) : env,
  });
  await run(service, lab);
}
