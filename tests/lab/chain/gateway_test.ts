import { assertEquals, assertRejects } from "@std/assert";
import {
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  namehash,
  toHex,
} from "viem";
import { packetToBytes } from "viem/ens";
import { ACCOUNTS } from "./chain_name.ts";
import { CCIP_ABI, RECORD_ABI } from "./abis.ts";
import { type Gateway, gatewayFaults, startGateway } from "./gateway.ts";
import { RESOLVER_NAMES } from "./resolver_names.ts";

const SENDER = "0x00000000000000000000000000000000000000aa" as const;
const TRAP = "http://127.0.0.1:9/";

const QUESTION = encodeFunctionData({
  abi: CCIP_ABI,
  functionName: "resolve",
  args: [
    toHex(packetToBytes("offchain.eth")),
    encodeFunctionData({
      abi: RECORD_ABI,
      functionName: "addr",
      args: [namehash("offchain.eth")],
    }),
  ],
});

Deno.test("startGateway() answers one question, in the path or in the body", async () => {
  await using gateway = await startGateway(RESOLVER_NAMES);
  const inPath = await fetch(`${gateway.url}${SENDER}/${QUESTION}.json`);
  assertEquals(addressIn((await inPath.json()).data), ACCOUNTS.carol);
  assertEquals(addressIn((await (await post(gateway, QUESTION)).json()).data), ACCOUNTS.carol);
  assertEquals(
    gateway.requests.map(({ method, questions }) => [method, questions]),
    [["GET", 1], ["POST", 1]],
  );
});

Deno.test("startGateway() answers a batch, and refuses what is to be asked elsewhere", async () => {
  await using gateway = await startGateway(RESOLVER_NAMES);
  const batch = encodeFunctionData({
    abi: CCIP_ABI,
    functionName: "query",
    args: [
      [gateway.url, TRAP, "file:///etc/hosts"].map((url) => ({
        sender: SENDER,
        urls: [url],
        data: QUESTION,
      })),
    ],
  });
  const { data } = await (await post(gateway, batch)).json();
  const [failures, [first, ...errors]] = decodeFunctionResult({
    abi: CCIP_ABI,
    functionName: "query",
    data,
  });
  assertEquals(failures, [false, true, true]);
  assertEquals(
    errors.map((data) => decodeErrorResult({ abi: CCIP_ABI, data }).errorName),
    ["HttpError", "Error"],
  );
  assertEquals(addressIn(first!), ACCOUNTS.carol);
  assertEquals(gateway.requests.map(({ questions, urls }) => ({ questions, urls })), [
    { questions: 3, urls: [gateway.url, TRAP, "file:///etc/hosts"] },
  ]);
});

Deno.test("startGateway() fails in its own ways", async () => {
  await using gateway = await startGateway(RESOLVER_NAMES);
  const { unavailable, page, empty, redirect, refused } = gatewayFaults(TRAP);
  const seen = [];
  for (const behaviour of [unavailable, page, empty, redirect]) {
    await gateway.setBehaviour(behaviour);
    const response = await post(gateway, QUESTION);
    seen.push([response.status, response.headers.get("location"), await response.text()]);
  }
  assertEquals(seen, [
    [503, null, ""],
    [200, null, "<h1>Welcome</h1>"],
    [200, null, `{"data":"0x"}`],
    [307, TRAP, ""],
  ]);
  await gateway.setBehaviour(refused);
  await assertRejects(() => post(gateway, QUESTION), TypeError);
});

Deno.test("startGateway() answers 400 to an invalid question", async () => {
  await using gateway = await startGateway(RESOLVER_NAMES);
  const response = await post(gateway, "0xdeadbeef");
  assertEquals(response.status, 400);
  await response.body?.cancel();
});

function post({ url }: Gateway, data: Hex): Promise<Response> {
  return fetch(url, {
    method: "POST",
    body: JSON.stringify({ sender: SENDER, data }),
    redirect: "manual",
  });
}

/** The address in an answer to one question; only the resolver verifies its signature. */
function addressIn(data: Hex) {
  const [result] = decodeFunctionResult({ abi: CCIP_ABI, functionName: "resolve", data });
  return decodeFunctionResult({ abi: RECORD_ABI, functionName: "addr", data: result });
}
