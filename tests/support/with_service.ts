import type { Lab } from "../lab/lab.ts";
import { onLab } from "./on_lab.ts";
import type { RunningService } from "./service.ts";

/** Runs a test by `onLab` on a service that differs by its environment alone. */
export function withService(
  run: (service: RunningService, lab: Lab) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  return onLab((world) => run(world, world.lab), { env });
}
