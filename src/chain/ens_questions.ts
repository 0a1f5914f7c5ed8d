/**
 * Asks the contracts about .eth names: one `eth_call` for a check, one for a profile.
 *
 * All questions about a name are one `eth_call` (Multicall3's aggregate3), and checks that arrive together share one. It goes
 * to the first node that is not in a pause, and to the next after 400 ms. A profile has a call of
 * its own, because the Universal Resolver in it runs contracts of strangers: if they burn the gas or return megabytes, the same
 * node is asked for the owner without them. Off-chain look-ups go to the one configured gateway, never to a contract's URL.
 */
import DataLoader from "dataloader";
import { type Hex, labelhash, namehash, offchainLookupSignature, toHex, zeroAddress } from "viem";
import { withDeadline } from "../flow/deadline.ts";
import type { WaitOptions } from "../flow/upstream_host.ts";
import type { EnsRecords, ProfileAnswer, RegistrationAnswer } from "../rules/answer.ts";
import {
  harmlessText,
  isHeld,
  MAINNET_ID,
  type RecordsProblem,
  type Registration,
  YEAR_SECONDS,
} from "../rules/ens.ts";
import type { GuardedPost } from "../sources/http.ts";
import { type Call, call, contenthashText, decode, encode, type Result } from "./ens_abi.ts";
import { Fault, faultIn, type Nodes, type Request } from "./nodes.ts";
import { createFollowOffchain } from "./offchain.ts";

/**
 * The addresses of the contracts that are called: ENSRegistry has who manages a name, and its resolver; BaseRegistrar is the
 * ERC-721 of second-level names, with their expiry; ETHRegistrarController sells names and returns their price.
 */
type Contracts = Readonly<
  Record<
    "registry" | "registrar" | "controller" | "nameWrapper" | "universalResolver" | "multicall3",
    string
  >
>;

/** What the Universal Resolver returned: the resolver of the name or of its wildcard, the records, why some are missing. */
type Resolution = Partial<ProfileAnswer & { kind: "profile" }>;

/** The text records by their names in the answer. */
const TEXTS = ["avatar", "url", "description", "twitter", "github", "email"] as const;
/** Their keys on chain (ENSIP-5): names at a service have its domain, reversed. */
const KEYS = TEXTS.map((name) => /^(?:twitter|github)$/.test(name) ? `com.${name}` : name);
/** The texts, the address and the contenthash. */
const RECORDS = TEXTS.length + 2;
/** ResolverNotFound, ResolverNotContract, UnsupportedResolverProfile, ResolverError: the Universal Resolver's "no records". */
const NO_RECORDS_ERRORS = ["0x77209fe8", "0x1e9535f2", "0x7b1c461b", "0x95c0c752"];
/**
 * What the batch gateway returns for a gateway behind it that failed: `HttpError(uint16,string)`, or `Error(string)` where
 * it got no HTTP status (ENSIP-21).
 */
const GATEWAY_ERRORS = ["0x01800152", "0x08c379a0"];

/** Checks that arrive this soon after a call wait and share the next one, because public nodes count requests. */
const GAP_MS = 60;
/** Fifty names are 100 KB. */
const MAX_TOGETHER = 50;
/** For the gateway and the callback together: the owner, which is known by then, must not wait longer. */
const OFFCHAIN_MS = 3_000;
/**
 * A block comes every 12 s, so a node whose latest one is 10 minutes old has missed 50: it reports a name that was
 * registered since as available. Our own clock may be wrong by less.
 */
const LONGEST_LAG_MS = 10 * 60_000;
/** Nodes reject future blocks, so one that is ahead is not Ethereum's, or our clock is slow. */
const LONGEST_LEAD_MS = 2 * 60_000;

/** Creates the questions over the nodes and the trusted gateway. */
export function createEnsQuestions(
  { nodes, post, contracts, gateway, now, offchainMs = OFFCHAIN_MS }: {
    nodes: Pick<Nodes, "ask">;
    post: GuardedPost;
    contracts: Contracts;
    gateway: string;
    now: () => number;
    offchainMs?: number | undefined;
  },
) {
  const { registry, registrar, controller, nameWrapper, universalResolver, multicall3 } = contracts;
  const to = universalResolver as Hex;
  const followOffchain = createFollowOffchain({
    ask: (question) => nodes.ask(question, (node) => readNames(node, [])),
    post,
    gateway,
    to,
    deadlineMs: offchainMs,
  });

  /** The registrations in the order of the labels, and the result of the further call, which may run third-party code. */
  async function readNames(request: Request, labels: readonly string[], further: Call[] = []) {
    // The further call is the last one: it may burn all gas, and then later calls would fail.
    const calls = [
      call(multicall3, "getChainId"),
      call(multicall3, "getCurrentBlockTimestamp"),
      call(registrar, "controllers", [controller]),
      ...labels.flatMap((label) => {
        const [node, id] = [namehash(`${label}.eth`), BigInt(labelhash(label))];
        return [
          call(registrar, "nameExpires", [id]),
          call(registrar, "ownerOf", [id]),
          call(registry, "owner", [node]),
          call(nameWrapper, "ownerOf", [BigInt(node)]),
          call(registry, "resolver", [node]),
          call(controller, "rentPrice", [label, YEAR_SECONDS]),
        ];
      }),
      ...further,
    ];
    const data = encode("aggregate3", [calls]);
    const params = [{ to: multicall3, data }, "latest"];
    const returned = await request({ method: "eth_call", params });
    const results = decode("aggregate3", returned, calls.length)?.values();
    if (!results) throw new Fault("node", "the node's answer is not a Multicall3 result");
    const next: typeof decode = (functionName) => {
      const { success, returnData } = results.next().value!;
      return success ? decode(functionName, returnData) : undefined;
    };
    const [id, time] = [next("getChainId"), next("getCurrentBlockTimestamp")];
    const isOpen = next("controllers");
    if (id === undefined || time === undefined || isOpen === undefined) {
      throw new Fault("node", "the node has no ENS contracts");
    }
    assertUsable(id, Number(time) * 1_000 - now());
    const registrations = labels.map((): Registration => {
      const expires = next("nameExpires");
      if (expires === undefined) throw new Fault("node", "the node has no .eth registrar");
      const [registrant, manager, wrapped] = [next("ownerOf"), next("owner"), next("ownerOf")];
      const [resolver, price] = [next("resolver"), next("rentPrice")];
      const found = known({ registrant, manager, wrapped, resolver, price });
      return { expires, now: time, isOpen, ...found };
    });
    return { registrations, further: results.next().value };
  }

  let sentAt = -Infinity;
  const waitMs = () => Math.max(0, sentAt + GAP_MS - performance.now());
  const registrations = new DataLoader(async (labels: readonly string[]) => {
    sentAt = performance.now();
    const answer = await nodes.ask((request) => readNames(request, labels));
    return labels.map((_, place): RegistrationAnswer =>
      answer.kind === "failed"
        ? { kind: "failed", why: answer.fault.why }
        : { kind: "registration", registration: answer.value.registrations[place]! }
    );
  }, {
    cache: false,
    maxBatchSize: MAX_TOGETHER,
    batchScheduleFn: (send) => void setTimeout(send, waitMs()),
  });

  /** Each profile has its own call: its resolver must not fail another name's answer. */
  async function profile(label: string, wait: WaitOptions): Promise<ProfileAnswer> {
    const records = [recordsCall(label, universalResolver, gateway)];
    const answer = await nodes.ask(
      (node) => readNames(node, [label], records),
      (node) => readNames(node, [label]),
      wait,
    );
    if (answer.kind === "failed") return { kind: "failed", why: answer.fault.why };
    const { registrations: [registration], further } = answer.value;
    const found = {
      kind: "profile",
      registration: registration!,
      records: readRecords([]),
    } as const;
    if (answer.kind === "partial") return { ...found, ...problemOf(answer.fault) };
    // Records stay on chain after the registration has expired; they are not the next owner's.
    return isHeld(registration!) ? { ...found, ...await readResolution(further!) } : found;
  }

  async function readResolution({ success, returnData: data }: Result): Promise<Resolution> {
    if (success) return readResolved(data, { isOffchain: false });
    if (NO_RECORDS_ERRORS.includes(data.slice(0, 10))) return {};
    const isLookup = data.startsWith(offchainLookupSignature);
    if (!isLookup) return problem("resolver", "its resolver failed");
    const late = problem("gateway", "the offchain gateway did not answer in time");
    const following = followOffchain(data).then(
      (returned) => readResolved(returned, { isOffchain: true }),
      offchainProblem,
    );
    return await withDeadline(following, offchainMs, late);
  }

  return { registration: (label: string) => registrations.load(label), profile };
}

/** The call for all records; off-chain names are resolved only through `gateway`. */
function recordsCall(label: string, universalResolver: string, gateway: string): Call {
  const node = namehash(`${label}.eth`);
  const calls = [
    encode("addr", [node]),
    encode("contenthash", [node]),
    ...KEYS.map((key) => encode("text", [node, key])),
  ];
  // DNS wire format. viem/ens has a function for it, and loads 25 MB.
  const name = toHex(`${String.fromCharCode(label.length)}${label}\x03eth\0`);
  const args = [name, encode("multicall", [calls]), [gateway]];
  return call(universalResolver, "resolveWithGateways", args);
}

/** Throws if a node is not on mainnet, or its latest block is far behind or ahead of our clock. */
function assertUsable(chainId: bigint, leadMs: number): void {
  if (chainId !== MAINNET_ID) throw new Fault("node", "the node is not on mainnet");
  if (-LONGEST_LAG_MS <= leadMs && leadMs <= LONGEST_LEAD_MS) return;
  const minutes = Math.floor(Math.abs(leadMs) / 60_000);
  const side = leadMs < 0 ? "behind" : "ahead of";
  throw new Fault("node", `the node's latest block is ${minutes} minutes ${side} our clock`);
}

/**
 * The records in the result of the Universal Resolver. A resolver on chain that reverts with `Error(string)` has no such
 * record; after an off-chain look-up the same bytes are a failed gateway.
 */
function readResolved(returned: Hex, { isOffchain }: { isOffchain: boolean }): Resolution {
  const [result, resolver] = decode("resolveWithGateways", returned) ?? [];
  const items = decode("multicall", result, RECORDS);
  if (items === undefined) return problem("resolver", "its resolver returned no records");
  const isCut = isOffchain && items.some((item) => GATEWAY_ERRORS.includes(item.slice(0, 10)));
  return {
    ...known({ resolver, address: decode("addr", items[0]) }),
    records: readRecords(items.slice(1)),
    ...(isCut && problem("gateway", "its offchain gateway could not be queried")),
  };
}

/** The records in the answers for the contenthash and the texts; "" where there is none. */
function readRecords([contenthash, ...texts]: readonly Hex[]): EnsRecords {
  const textOf = (place: number) => harmlessText(decode("text", texts[place]) ?? "");
  const entries = TEXTS.map((name, place) => [name, textOf(place)]);
  const uri = contenthashText(decode("contenthash", contenthash) ?? "0x");
  return { ...Object.fromEntries(entries), contenthash: uri };
}

function problem(kind: RecordsProblem["kind"], why: string): { problem: RecordsProblem } {
  return { problem: { kind, why } };
}

/** Why a call that runs the resolver failed. */
function problemOf({ kind, why }: Fault): { problem: RecordsProblem } {
  if (kind === "resolver") return problem(kind, "its resolver exceeded the gas or size limit");
  return problem(kind, kind === "node" ? `no Ethereum node ran its resolver: ${why}` : why);
}

function offchainProblem(error: unknown): { problem: RecordsProblem } {
  const fault = faultIn(error);
  if (fault?.data) return problem("gateway", "its resolver refused the offchain gateway's answer");
  if (fault) return problemOf(fault);
  return problem("resolver", "its resolver asked for an invalid off-chain look-up");
}

/** The values without those that are absent: undefined, and the zero address, which contracts return for "none". */
function known<T extends object>(found: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const isKnown = ([, value]: [string, unknown]) => value !== undefined && value !== zeroAddress;
  return Object.fromEntries(Object.entries(found).filter(isKnown)) as never;
}
