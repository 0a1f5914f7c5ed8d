import { check } from "./check.ts";
import { ensCheck } from "./ens_check.ts";
import { ensMetadata } from "./ens_metadata.ts";
import { health, ready } from "./health.ts";
import type { Operation } from "./operation.ts";
import { register } from "./register.ts";
import { tlds } from "./tlds.ts";

const all = [check, tlds, register, ensCheck, ensMetadata, health, ready] as const;

/** Any of the operations, each with its own path and schemas. */
export type Operations = typeof all[number];

/** Every operation of the API, in the order in which they are told. */
// deno-lint-ignore no-explicit-any -- each has schemas of its own; `operation()` has checked run against them
export const operations: readonly Operation<any, any>[] = all;
