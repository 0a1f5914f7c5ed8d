import {
  type Address,
  bytesToString,
  decodeFunctionData,
  encodeErrorResult,
  encodeFunctionResult,
  encodePacked,
  type Hex,
  hexToBytes,
  keccak256,
} from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { answerRecords } from "./answer_records.ts";
import { CCIP_ABI } from "./ccip_abi.ts";
import type { ChainName } from "./chain_name.ts";

/** A question of EIP-3668: which contract asks, and what. */
export interface Lookup {
  sender: Address;
  data: Hex;
}

/** What a gateway has to know. */
export interface GatewayKnowledge {
  names: readonly ChainName[];
  signer: PrivateKeyAccount;
  /** Whether a URL is the gateway's own: it answers for itself and fetches nothing. */
  isOwn(url: string): boolean;
}

const LIFETIME_SECONDS = 300;

/** Answers one question or a batch of them; throws for what is neither. */
export async function answerLookup(lookup: Lookup, knowledge: GatewayKnowledge): Promise<Hex> {
  const { functionName, args } = decodeFunctionData({ abi: CCIP_ABI, data: lookup.data });
  if (functionName === "resolve") return resolve(lookup, args, knowledge);
  const answers = await Promise.all(
    args[0].map(async ({ sender, urls, data }) =>
      urls.some(knowledge.isOwn) ? await answerLookup({ sender, data }, knowledge) : undefined
    ),
  );
  return encodeFunctionResult({
    abi: CCIP_ABI,
    functionName,
    result: [
      answers.map((answer) => answer === undefined),
      answers.map((answer) => answer ?? refusal()),
    ],
  });
}

/** Signed as the offchain resolver verifies it: for that contract, that question, and not for long. */
async function resolve(
  { sender, data }: Lookup,
  [dnsName, question]: readonly [Hex, Hex],
  { names, signer }: GatewayKnowledge,
): Promise<Hex> {
  const label = firstLabel(dnsName);
  const records = names.find((name) => name.label === label)?.records ?? {};
  const result = answerRecords(records, question);
  const expires = BigInt(Math.floor(Date.now() / 1000) + LIFETIME_SECONDS);
  const hash = keccak256(encodePacked(
    ["bytes2", "address", "uint64", "bytes32", "bytes32"],
    ["0x1900", sender, expires, keccak256(data), keccak256(result)],
  ));
  const signature = await signer.sign({ hash });
  return encodeFunctionResult({
    abi: CCIP_ABI,
    functionName: "resolve",
    result: [result, expires, signature],
  });
}

function refusal(): Hex {
  return encodeErrorResult({
    abi: CCIP_ABI,
    errorName: "HttpError",
    args: [403, "The gateway does not go there"],
  });
}

function firstLabel(dnsName: Hex): string {
  const [length = 0, ...rest] = hexToBytes(dnsName);
  return bytesToString(Uint8Array.from(rest.slice(0, length)));
}
