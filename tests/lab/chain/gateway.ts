import { type Address, decodeFunctionData } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { answerLookup, type GatewayKnowledge, type Lookup } from "./answer_lookup.ts";
import { CCIP_ABI } from "./ccip_abi.ts";
import type { ChainName } from "./chain_name.ts";
import { type ServerRequest, startManneredServer } from "./mannered_server.ts";
import type { ServerManner } from "./server_manner.ts";

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
  setManner(manner: ServerManner): Promise<void>;
}

const IN_PATH = /^\/(?<sender>0x[0-9a-f]{40})\/(?<data>0x[0-9a-f]*)\.json$/i;

/** Starts a gateway of EIP-3668 that takes the batches of ENSIP-21 too and has the records of these names. */
export async function startGateway(names: readonly ChainName[]): Promise<Gateway> {
  const requests: RecordedLookup[] = [];
  const server = await startManneredServer(async (request) => {
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
