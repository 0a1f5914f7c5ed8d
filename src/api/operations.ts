/** The operations of the API. */
import { check } from "./check.ts";
import { checkNames } from "./check_names.ts";
import { details } from "./details.ts";
import { ensCheck, ensMetadata } from "./ens.ts";
import { health, metrics, ready } from "./health.ts";
import type { Operation } from "./operation.ts";
import { register } from "./register.ts";
import { tlds } from "./tlds.ts";
import { watchAtom, watchCalendar } from "./watch.ts";

const byGet = [
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

/** Any of those by GET, each with its own path and schemas. */
export type Operations = typeof byGet[number];

/** Every operation, in the order of the documents. */
export const operations: readonly Operation[] = [...byGet, checkNames];
