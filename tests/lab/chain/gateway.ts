import { decodeFunctionData, encodeErrorResult, encodeFunctionResult, type Hex } from "viem";
import { CHAIN_NAMES } from "./chain_names.ts";
import { answerRecords, ENS_ABI, firstLabel } from "./ens_abi.ts";
import { startFaultyServer } from "./faulty_server.ts";

/** Starts the gateway that the service trusts (EIP-3668) which takes batches (ENSIP-21) and requests no URL but its own, from itself. */
export async function startGateway() {
  /** The questions in each request. */
  const requests: number[] = [];
  const server = await startFaultyServer((body) => {
    const { data } = JSON.parse(body);
    const { functionName, args } = decodeFunctionData({ abi: ENS_ABI, data });
    requests.push(functionName === "query" ? args[0].length : 1);
    return JSON.stringify({ data: answer(data) });
  });
  const url = `${server.url}/`;

  function answer(data: Hex): Hex {
    const { functionName, args } = decodeFunctionData({ abi: ENS_ABI, data });
    if (functionName === "resolve") {
      const records = CHAIN_NAMES.find(({ label }) => label === firstLabel(args[0]))?.records ?? {};
      const result = answerRecords(records, args[1]);
      return encodeFunctionResult({ abi: ENS_ABI, functionName, result });
    }
    if (functionName !== "query") throw new Error(`Cannot answer ${functionName}`);
    const isOwn = args[0].map(({ urls }) => urls.includes(url));
    const responses = args[0].map(({ data, urls }, place) =>
      isOwn[place] ? answer(data) : refusalOf(urls)
    );
    const result = [isOwn.map((own) => !own), responses] as const;
    return encodeFunctionResult({ abi: ENS_ABI, functionName, result });
  }

  return { ...server, url, requests };
}

/** `HttpError` for an HTTP status; `Error(string)` for a failure without one, such as a refused connection. */
function refusalOf(urls: readonly string[]): Hex {
  return urls.every((url) => url.startsWith("http"))
    ? encodeErrorResult({ abi: ENS_ABI, errorName: "HttpError", args: [403, "Forbidden"] })
    : encodeErrorResult({ abi: ENS_ABI, errorName: "Error", args: ["The request failed"] });
}
