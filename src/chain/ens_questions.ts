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
import type { CallChain, CallReply, Reading } from "../sources/rpc.ts";
import { type ContractCall, decodeAggregate, encodeAggregate, type Returned } from "./aggregate.ts";
import { createFollowOffchain } from "./offchain.ts";
import { readResolution } from "./read_resolution.ts";
import { NO_RECORDS, recordsQuestion } from "./records.ts";
import {
  blockQuestions,
  invalid,
  nameQuestions,
  readBlock,
  readRegistration,
} from "./registration.ts";

/** The questions to the chain. */
export interface EnsQuestions {
  registration(label: string): Promise<RegistrationAnswer>;
  profile(label: string): Promise<ProfileAnswer>;
}

/** The registrations in the order of the labels, and the result of the further call. */
interface NamesAnswer {
  registrations: Registration[];
  further?: Returned;
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
  const block = blockQuestions(contracts);
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

  /** Asks for the registrations of labels in one call, with one further call, which may run third-party code. */
  function askNames(
    labels: readonly string[],
    further?: ContractCall,
  ): Promise<CallReply<NamesAnswer>> {
    const names = labels.map((label) => nameQuestions(label, contracts));
    // The further call is the last one: it may burn all gas, and then later calls would fail.
    const questions = [...block, ...names.flat(), ...further ? [further] : []];
    const data = encodeAggregate(questions);
    const lengths = { block: block.length, names: names.map(({ length }) => length) };
    return call(
      { to: contracts.multicall3 as Hex, data, runsThirdPartyCode: further !== undefined },
      (returned) => readNames(decodeAggregate(returned, questions.length), lengths, now()),
    );
  }

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

function readNames(
  returned: readonly Returned[] | undefined,
  lengths: { block: number; names: readonly number[] },
  now: number,
): Reading<NamesAnswer> {
  if (returned === undefined) return invalid("the node's answer is not a Multicall3 result");
  const rest = [...returned];
  const block = readBlock(rest.splice(0, lengths.block), now);
  if (block.kind === "invalid") return block;
  const registrations = lengths.names
    .map((length) => readRegistration(rest.splice(0, length), block.value))
    .filter((registration) => registration !== undefined);
  if (registrations.length < lengths.names.length) {
    return invalid("the node has no .eth registrar");
  }
  const [further] = rest;
  return { kind: "read", value: { registrations, ...(further && { further }) } };
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
