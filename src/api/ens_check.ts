import * as z from "zod/mini";
import { ApiError } from "./errors.ts";
import { operation } from "./operation.ts";
import { serverTiming } from "./server_timing.ts";
import { ensLabelParameter } from "./parameters.ts";
import { address, ensProvenance } from "./ens_schemas.ts";

const price = () =>
  z.object({
    wei: z.string().check(z.describe("For a year: base price and temporary premium together")),
    eth: z.string().check(z.describe("The same in ETH")),
    premiumWei: z.optional(
      z.string().check(
        z.describe("How much of it is the temporary premium, which halves daily for 21 days"),
      ),
    ),
    usdEstimate: z.number().check(
      z.describe("By length: 640 for 3 characters, 160 for 4, else 5; without the premium"),
    ),
  });

/** `GET /v1/ens/check`: whether a .eth name is free, and at which price. */
export const ensCheck = operation({
  name: "ens_check",
  path: "/v1/ens/check",
  chapter: "ens",
  summary: "Tell whether a .eth name is free and what it costs, or who holds it",
  description:
    "A name in its grace period is still its owner's. One that was released less than 21 days ago costs a temporary " +
    "premium besides: `premiumWei` tells how much of `wei` that is. `owner` and `resolver` are those of a taken name, " +
    "`registrationPrice` is that of a free one.",
  query: () => z.object({ name: ensLabelParameter() }),
  answer: () =>
    z.object({
      name: z.string(),
      available: z.boolean().check(
        z.describe("True only once the grace period is over; a name in grace is still its owner's"),
      ),
      owner: z.optional(address("The holder, also of a wrapped name; only if taken")),
      resolver: z.optional(address("Only if taken")),
      registrationPrice: z.optional(price()),
      ...ensProvenance(),
    }),
  errors: ["missing_parameter", "invalid_name", "check_failed"],
  async run({ name }, { ens, popular }) {
    popular.count("ens", name);
    const answer = await ens.check(name);
    if (answer.kind === "failed") throw new ApiError("check_failed", answer.why);
    return answer.result;
  },
  serverTiming: ({ source, responseMs }) =>
    serverTiming([source], { spent: undefined, totalMs: responseMs }),
});
