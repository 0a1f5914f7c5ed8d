/** The operations of the API by GET; `check_names.ts` has the one by POST. */
import { check } from "./check.ts";
import { details } from "./details.ts";
import { ensCheck, ensMetadata } from "./ens.ts";
import { health, metrics, ready } from "./health.ts";
import type { Operation } from "./operation.ts";
import { register } from "./register.ts";
import { tlds } from "./tlds.ts";
import { watchAtom, watchCalendar } from "./watch.ts";

const all = [
  check,
  tlds,
  register,
  details,
  watchAtom,
  watchCalendar,
  ensCheck,
  ensMetadata,
  health,
  ready,
  metrics,
] as const;

/** Any of the operations, each with its own path and schemas. */
export type Operations = typeof all[number];

/** Every operation by GET, in the order of the documents. */
export const operations: readonly Operation[] = all;
