/**
 * Asks the contracts about .eth names: one `eth_call` for a check, one for a profile.
 *
 * All questions about a name are one `eth_call` (Multicall3's aggregate3), and checks that arrive together share one. It goes
 * to the first node that is not in a pause, and to the next after 400 ms. A profile asks the Universal Resolver in a call of
 * its own, because it runs contracts that anyone may have written: if they burn the gas or return megabytes, the owner is
 * read without them. Off-chain look-ups go to the one configured gateway, never to a contract's URL.
 */
import DataLoader from "dataloader";
import type { Hex } from "viem";
import type { ProfileAnswer, RegistrationAnswer } from "../rules/answer.ts";
import { isHeld, type RecordsProblem, type Registration } from "../rules/ens.ts";
import type { EnsContracts } from "../rules/tables/ens_contracts.ts";
import type { GuardedPost } from "../sources/http.ts";
import type { CallChain, CallReply } from "../sources/rpc.ts";
import type { Returned } from "./aggregate.ts";
import { createAskNames } from "./ask_names.ts";
import { createFollowOffchain } from "./offchain.ts";
import { readResolution } from "./read_resolution.ts";
import { NO_RECORDS, recordsQuestion } from "./records.ts";

/** The questions to the chain. */
export interface EnsQuestions {
  registration(label: string): Promise<RegistrationAnswer>;
  profile(label: string): Promise<ProfileAnswer>;
}

/** Checks that arrive this soon after a call wait and share the next one, because public nodes count requests. */
const GAP_MS = 60;
/** Fifty names are 100 KB. */
const MAX_TOGETHER = 50;
/** For the gateway and the callback together: the owner, which is known by then, must not wait longer. */
const OFFCHAIN_MS = 3_000;

/** Creates the questions over the nodes and the trusted gateway. */
export function createEnsQuestions(
  { call, post, contracts, gateway, now, offchainMs = OFFCHAIN_MS }: {
    call: CallChain;
    post: GuardedPost;
    contracts: EnsContracts;
    gateway: string;
    now: () => number;
    offchainMs?: number | undefined;
  },
): EnsQuestions {
  const askNames = createAskNames({ call, contracts, now });
  const followOffchain = createFollowOffchain({ call, post, gateway, deadlineMs: offchainMs });
  const resolver = contracts.universalResolver as Hex;
  const registrations = new DataLoader(askTogether, {
    cache: false,
    maxBatchSize: MAX_TOGETHER,
    batchScheduleFn: (send) => {
      setTimeout(send, Math.max(0, sentAt + GAP_MS - performance.now()));
    },
  });
  let sentAt = -Infinity;

  async function askTogether(labels: readonly string[]): Promise<RegistrationAnswer[]> {
    sentAt = performance.now();
    const reply = await askNames(labels);
    const found = reply.kind === "read" ? reply.value.registrations : [];
    const why = reply.kind === "failed" ? reply.why : "the call reverted";
    return labels.map((_, place) => {
      const registration = found[place];
      return registration ? { kind: "registration", registration } : { kind: "failed", why };
    });
  }

  /** Each profile has its own call: its resolver must not fail another name's answer. */
  async function profile(label: string): Promise<ProfileAnswer> {
    const reply = await askNames([label], recordsQuestion(label, resolver, gateway));
    const [registration] = reply.kind === "read" ? reply.value.registrations : [];
    if (reply.kind === "read" && registration !== undefined) {
      return await withRecords(registration, reply.value.further);
    }
    // A resolver may burn all gas or return megabytes: the owner is known without it.
    const answer = await registrations.load(label);
    if (answer.kind === "failed") return answer;
    return { ...bare(answer.registration), problem: problemOf(reply) };
  }

  async function withRecords(
    registration: Registration,
    returned: Returned | undefined,
  ): Promise<ProfileAnswer> {
    // Records stay on chain after the registration has expired; they are not the next owner's.
    if (returned === undefined || !isHeld(registration)) return bare(registration);
    const resolution = await readResolution(returned, resolver, {
      followOffchain,
      offchainMs,
    });
    return resolution.kind === "failed"
      ? { ...bare(registration), problem: resolution.problem }
      : { ...bare(registration), ...resolution.resolved };
  }

  return { registration: (label) => registrations.load(label), profile };
}

function bare(registration: Registration) {
  return { kind: "profile" as const, registration, records: NO_RECORDS };
}

/** Why a call with the resolver failed while the same call without it succeeded. */
function problemOf(reply: CallReply<unknown>): RecordsProblem {
  const isResolvers = reply.kind !== "failed" || reply.fault === "unclear";
  return isResolvers
    ? { kind: "resolver", why: "its resolver exceeded the gas or size limit" }
    : { kind: "node", why: `no Ethereum node ran its resolver: ${reply.why}` };
}
