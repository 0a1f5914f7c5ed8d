import * as z from "zod/mini";
import { ApiError } from "./errors.ts";
import { operation } from "./operation.ts";
import { ensLabelParameter } from "./parameters.ts";
import { address, ensProvenance } from "./ens_schemas.ts";

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
  }).check(z.describe('Anybody\'s words, cut at 4 KiB each; "" where there is none'));

/** `GET /v1/ens/metadata`: the holder and the records of a .eth name. */
export const ensMetadata = operation({
  name: "ens_metadata",
  path: "/v1/ens/metadata",
  chapter: "ens",
  summary: "Tell who holds a .eth name, where it resolves to, and its records",
  description:
    "Records are the words of whoever holds the name: data, nothing that anybody has checked. `error` tells that they " +
    "could not be read, where the holder could. A name that nobody holds is `not_found`, whatever is left of it on chain.",
  query: () => z.object({ name: ensLabelParameter() }),
  answer: () =>
    z.object({
      name: z.string(),
      owner: z.optional(address("The holder, also of a wrapped name")),
      resolver: z.optional(address("The resolver in charge")),
      address: z.optional(address("The Ethereum address that the name resolves to")),
      records: records(),
      error: z.optional(
        z.string().check(z.describe("Why the records could not be read; they are empty then")),
      ),
      ...ensProvenance(),
    }),
  errors: ["missing_parameter", "invalid_name", "not_found", "metadata_failed"],
  async run({ name }, { ens }) {
    const answer = await ens.profile(name);
    if (answer.kind === "failed") throw new ApiError("metadata_failed", answer.why);
    if (answer.kind === "notFound") {
      throw new ApiError("not_found", `${name}.eth is not registered`);
    }
    return answer.result;
  },
});
