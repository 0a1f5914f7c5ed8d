import * as z from "zod/mini";
import { ensProvenance, ethereumAddress } from "./ens_check.ts";
import { ApiError } from "./errors.ts";
import { operation } from "./operation.ts";
import { ensLabelParameter } from "./parameters.ts";

const records = () =>
  z.object({
    avatar: z.string().check(z.describe("An EIP-155 reference or a URL, as written by the owner")),
    url: z.string(),
    description: z.string(),
    twitter: z.string(),
    github: z.string(),
    email: z.string(),
    contenthash: z.string().check(
      z.describe("As a URI (ipfs, ipns, bzz, ar, onion, onion3, sia); raw bytes of other codecs"),
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
      error: z.optional(
        z.string().check(z.describe("Why the records could not be read; they are empty then")),
      ),
      ...ensProvenance(),
    }),
  errors: [
    "missing_parameter",
    "invalid_name",
    "invalid_parameter",
    "not_found",
    "metadata_failed",
  ],
  async run({ name }, { ens }) {
    const answer = await ens.profile(name);
    if (answer.kind === "failed") throw new ApiError("metadata_failed", answer.why);
    if (answer.kind === "notFound") {
      throw new ApiError("not_found", `${name}.eth is not registered`);
    }
    return answer.result;
  },
});
