import { check } from "./check.ts";
import { ensCheck } from "./ens_check.ts";
import { ensMetadata } from "./ens_metadata.ts";
import { health, ready } from "./health.ts";
import type { Operation } from "./operation.ts";
import { register } from "./register.ts";
import { tlds } from "./tlds.ts";

/** Every operation of the API, in the order in which they are told. */
// deno-lint-ignore no-explicit-any -- each has schemas of its own; `operation()` has checked run against them
export const operations: readonly Operation<any, any>[] = [
  check,
  tlds,
  register,
  ensCheck,
  ensMetadata,
  health,
  ready,
];
