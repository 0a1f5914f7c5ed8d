import * as z from "zod/mini";
import { serverTiming } from "./check.ts";
import { ApiError } from "./errors.ts";
import { number, operation, text } from "./operation.ts";
import { ensLabelParameter } from "./parameters.ts";

/** The schema of an Ethereum address in checksum case (EIP-55). */
const ethereumAddress = (description: string) =>
  z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/), z.describe(description));

/** The schemas of where and when an answer comes from. */
const provenance = () => ({
  responseMs: z.number(),
  source: z.enum(["rpc", "rpc+cache"]),
  checkedAt: z.iso.datetime().check(
    z.describe("When the chain was read, also for a cached result"),
  ),
});

/** The schemas of the dates of a registration, which explain themselves: agents pay for each word. */
export function ensDateFields() {
  const date = () => z.optional(z.iso.datetime());
  return {
    expiresAt: date(),
    graceEndsAt: date(),
    premiumEndsAt: date(),
    premiumBelow: z.optional(z.readonly(z.array(z.object({ usd: z.number(), on: z.iso.date() })))),
  };
}

/** Nodes that did not answer may soon; what the contracts that are asked do not know, ENS's own app shows. */
const adviceFor = (why: string) => `${why}; retry in a minute, or see app.ens.domains`;

const price = () =>
  z.object({
    wei: text("For one year, with the temporary premium"),
    eth: text("The same in ETH"),
    premiumWei: z.optional(text("The temporary premium in it, which halves daily")),
    usdEstimate: number("By length: 640 for 3 characters, 160 for 4, else 5; without the premium"),
    usdEstimateOf: z.optional(z.literal("base")).check(
      z.describe("While a premium is charged: usdEstimate is that of the base price alone"),
    ),
  });

/** `GET /v1/ens/check`: whether a .eth name is available, and at which price. */
export const ensCheck = operation({
  name: "ens_check",
  path: "/v1/ens/check",
  chapter: "ens",
  summary: "Check whether a .eth name is available and what it costs, or who holds it",
  description:
    "`owner` and `resolver` are given for a taken name, `registrationPrice` for an available one. A name in its grace " +
    "period still belongs to its owner, and can be renewed until `graceEndsAt`. After that a new owner pays a " +
    "temporary premium until `premiumEndsAt` (`premiumWei` is that part of `wei`); `premiumBelow` has the days on which " +
    "it falls below some amounts.",
  query: () => z.object({ name: ensLabelParameter() }),
  answer: () =>
    z.object({
      name: z.string(),
      available: z.boolean().check(z.describe("False in the grace period: the owner still has it")),
      owner: z.optional(ethereumAddress("The holder, also of a wrapped name; only if taken")),
      resolver: z.optional(ethereumAddress("Only if taken")),
      registrationPrice: z.optional(price()),
      ...ensDateFields(),
      ...provenance(),
    }),
  errors: ["missing_parameter", "invalid_name", "invalid_parameter", "check_failed"],
  async run({ name }, { ens, popular }, waiter) {
    const answer = await ens.check(name);
    if (answer.kind === "failed") throw new ApiError("check_failed", adviceFor(answer.why));
    // Available names are not renewed: strangers can make up any number of them.
    if (!answer.result.available) popular.count("ens", [name], waiter);
    return answer.result;
  },
  serverTiming: ({ source, responseMs }) => serverTiming([source], responseMs),
});

const records = () =>
  z.object({
    avatar: text("An EIP-155 reference or a URL, as written by the owner"),
    url: z.string(),
    description: z.string(),
    twitter: z.string(),
    github: z.string(),
    email: z.string(),
    contenthash: text(
      "As a URI (ipfs, ipns, bzz, ar, onion, onion3, sia); raw bytes of other codecs",
    ),
  }).check(z.describe('Unverified user content, cut at 4 KiB each; "" where there is none'));

/** `GET /v1/ens/metadata`: the holder and the records of a .eth name. */
export const ensMetadata = operation({
  name: "ens_metadata",
  path: "/v1/ens/metadata",
  chapter: "ens",
  summary: "Get the holder of a .eth name, the address it resolves to, and its records",
  description:
    "Records are unverified content of the name's owner. `error` is set if they could not be read although the holder " +
    "could. A name that is not registered is `not_found`, even if some of its records are left on chain.",
  query: () => z.object({ name: ensLabelParameter() }),
  answer: () =>
    z.object({
      name: z.string(),
      owner: z.optional(ethereumAddress("The holder, also of a wrapped name")),
      resolver: z.optional(ethereumAddress("The resolver of the name")),
      address: z.optional(ethereumAddress("The Ethereum address that the name resolves to")),
      records: records(),
      error: z.optional(text("Why the records could not be read; they are empty then")),
      ...provenance(),
    }),
  errors: [
    "missing_parameter",
    "invalid_name",
    "invalid_parameter",
    "not_found",
    "metadata_failed",
  ],
  async run({ name }, { ens }, waiter) {
    const answer = await ens.profile(name, waiter);
    if (answer.kind === "failed") throw new ApiError("metadata_failed", adviceFor(answer.why));
    if (answer.kind === "notFound") {
      throw new ApiError("not_found", `${name}.eth is not registered`);
    }
    return answer.result;
  },
});
