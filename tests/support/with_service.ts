import { type Lab, startLab } from "../lab/lab.ts";
import { type RunningService, startService } from "./service.ts";

/** Runs a test on a service with a lab of its own. */
export async function withService(
  run: (service: RunningService, lab: Lab) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  await using lab = await startLab();
  await using service = await startService(lab, { env });
  await run(service, lab);
}
