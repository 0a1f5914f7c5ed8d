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
  zeroAddress,
} from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { CCIP_ABI, RECORD_ABI } from "./abis.ts";
import type { ChainName, NameRecords } from "./chain_name.ts";
import { type ServerBehaviour, type ServerRequest, startFaultyServer } from "./faulty_server.ts";

/** A request to the gateway. */
export interface RecordedLookup {
  method: string;
  /** How many questions were in it, and the URLs that resolvers wanted them to be asked at. */
  questions: number;
  urls: string[];
  /** When it had arrived, on the clock of `performance.now()`. */
  at: number;
}

/** The gateway that the service trusts. */
export interface Gateway extends AsyncDisposable {
  url: string;
  /** Whose signatures it gives. */
  signer: Address;
  requests: RecordedLookup[];
  setBehaviour(behaviour: ServerBehaviour): Promise<void>;
}

const IN_PATH = /^\/(?<sender>0x[0-9a-f]{40})\/(?<data>0x[0-9a-f]*)\.json$/i;

/** Starts a gateway of EIP-3668 that takes the batches of ENSIP-21 too and has the records of these names. */
export async function startGateway(names: readonly ChainName[]): Promise<Gateway> {
  const requests: RecordedLookup[] = [];
  const server = await startFaultyServer(async (request) => {
    const lookup = readLookup(request);
    requests.push({ method: request.method, ...wantedBy(lookup), at: performance.now() });
    return JSON.stringify({ data: await answerLookup(lookup, knowledge) });
  });
  const knowledge: GatewayKnowledge = {
    names,
    signer: privateKeyToAccount(generatePrivateKey()),
    isOwn: (url) => url.startsWith(`${server.url}/`),
  };
  return { ...server, url: `${server.url}/`, signer: knowledge.signer.address, requests };
}

/** In the path of a GET, or in the body of a POST. */
function readLookup({ path, body }: ServerRequest): Lookup {
  const { sender, data } = IN_PATH.exec(path)?.groups ?? JSON.parse(body);
  return { sender, data };
}

function wantedBy({ data }: Lookup): { questions: number; urls: string[] } {
  const { functionName, args } = decodeFunctionData({ abi: CCIP_ABI, data });
  if (functionName === "resolve") return { questions: 1, urls: [] };
  return { questions: args[0].length, urls: args[0].flatMap(({ urls }) => [...urls]) };
}

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
      answers.map((answer, place) => answer ?? refusalOf(args[0][place]?.urls ?? [])),
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

/** ENSIP-21: a status as `HttpError`; a failure without one, such as a refused connection, as `Error(string)`. */
function refusalOf(urls: readonly string[]): Hex {
  return urls.every((url) => url.startsWith("http"))
    ? encodeErrorResult({
      abi: CCIP_ABI,
      errorName: "HttpError",
      args: [403, "The gateway does not go there"],
    })
    : encodeErrorResult({ abi: CCIP_ABI, errorName: "Error", args: ["The request failed"] });
}

function firstLabel(dnsName: Hex): string {
  const [length = 0, ...rest] = hexToBytes(dnsName);
  return bytesToString(Uint8Array.from(rest.slice(0, length)));
}

/** What a resolver with these records returns; throws for a question that it does not know. */
export function answerRecords(records: NameRecords, data: Hex): Hex {
  const { functionName, args } = decodeFunctionData({ abi: RECORD_ABI, data });
  switch (functionName) {
    case "addr":
      return encodeFunctionResult({
        abi: RECORD_ABI,
        functionName,
        result: records.address ?? zeroAddress,
      });
    case "text":
      return encodeFunctionResult({
        abi: RECORD_ABI,
        functionName,
        result: records.texts?.[args[1]] ?? "",
      });
    case "contenthash":
      return encodeFunctionResult({
        abi: RECORD_ABI,
        functionName,
        result: records.contenthash ?? "0x",
      });
    case "multicall":
      return encodeFunctionResult({
        abi: RECORD_ABI,
        functionName,
        result: args[0].map((call) => answerRecords(records, call)),
      });
  }
}

/** The ways in which the trusted gateway can fail; its redirect to `trapUrl` must not be followed. */
export function gatewayFaults(trapUrl: string) {
  return {
    refused: { kind: "refused" },
    hang: { kind: "hang" },
    drip: { kind: "drip" },
    cut: { kind: "cut" },
    oversized: { kind: "oversized", bytes: 16 * 1024 * 1024 },
    unavailable: { kind: "reply", status: 503, body: "" },
    page: { kind: "reply", status: 200, body: "<h1>Welcome</h1>" },
    empty: { kind: "reply", status: 200, body: `{"data":"0x"}` },
    redirect: { kind: "reply", status: 307, body: "", headers: { location: trapUrl } },
  } as const satisfies Record<string, ServerBehaviour>;
}
