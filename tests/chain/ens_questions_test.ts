import { assert, assertEquals } from "@std/assert";
import {
  concat,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  parseAbiParameters,
} from "viem";
import { createEnsQuestions } from "../../src/chain/ens_questions.ts";
import { Fault, type NodesAnswer, type Question, type Request } from "../../src/chain/nodes.ts";
import type { Reply } from "../../src/sources/http.ts";
import { aliasedArray, ENS_ABI, wordOf } from "../lab/chain/ens_abi.ts";
import { CONTRACTS, createContracts } from "../lab/chain/contracts.ts";

const RESOLVER = CONTRACTS.universalResolver;
const STRANGER: Hex = `0x${"22".repeat(20)}`;
const GATEWAY = "https://gateway.example/";
const OWN_URL = "https://resolver.example/{sender}/{data}";

const QUERY = { abi: ENS_ABI, functionName: "query" } as const;

function lookup({ sender = RESOLVER as Hex, urls = [GATEWAY], question = "0x1234" as Hex } = {}) {
  return encodeErrorResult({
    abi: ENS_ABI,
    errorName: "OffchainLookup",
    args: [sender, urls, question, "0xca11bacc", "0xe0e0"],
  });
}

/** A batch of `count` questions to the URLs of resolvers. */
function batch(count: number): Hex {
  const one = { sender: RESOLVER, urls: [OWN_URL], data: "0x5678" } as const;
  return encodeFunctionData({ ...QUERY, args: [Array(count).fill(one)] });
}

function batchAnswer(failures: boolean[], responses: Hex[]): Hex {
  return encodeFunctionResult({ ...QUERY, result: [failures, responses] });
}

type Answered = Reply & { kind: "reply" };

const OK: Answered = { kind: "reply", status: 200, headers: new Headers(), body: "", url: GATEWAY };

const answering = (data: unknown): Answered => ({ ...OK, body: JSON.stringify({ data }) });

/**
 * Asks for the profile of a name whose resolver reverts with this data, with a gateway and callbacks that answer so; returns
 * the problem with the records and the requests to the gateway and of callbacks.
 */
async function profileOf(
  revert: Hex,
  { reply = answering("0xa5a5"), called = "0xf1f1" }: { reply?: Reply; called?: Hex | Fault } = {},
) {
  const posted: { data: Hex; sender: Hex }[] = [];
  const calls: Hex[] = [];
  const urls = { gatewayUrl: GATEWAY, trapUrl: "https://trap.example/" };
  const present = Math.floor(Date.now() / 1_000);
  const execute = createContracts({ present, chainId: 1, isOpen: true, ...urls });
  const request: Request = ({ params }) => {
    const [{ to, data }] = params as [{ to: Hex; data: Hex }];
    if (to !== CONTRACTS.multicall3) {
      assertEquals(to, RESOLVER);
      calls.push(data);
      return called instanceof Fault ? Promise.reject(called) : Promise.resolve(called);
    }
    const aggregate = { abi: ENS_ABI, functionName: "aggregate3" } as const;
    const results = decodeFunctionResult({
      ...aggregate,
      data: execute(to, data, BigInt(present)),
    });
    const result = [...results.slice(0, -1), { success: false, returnData: revert }];
    return Promise.resolve(encodeFunctionResult({ ...aggregate, result }));
  };
  const questions = createEnsQuestions({
    nodes: {
      ask: <T>(question: Question<T>): Promise<NodesAnswer<T>> =>
        question(request).then(
          (value) => ({ kind: "value", value }),
          (fault) => ({ kind: "failed", fault }),
        ),
    },
    post(url, { json }) {
      assertEquals(url, GATEWAY);
      posted.push(json as typeof posted[number]);
      return Promise.resolve(reply);
    },
    contracts: CONTRACTS,
    gateway: GATEWAY,
    now: Date.now,
  });
  const answer = await questions.profile("alice", {});
  assert(answer.kind === "profile");
  return { problem: answer.problem, posted, calls };
}

Deno.test("profile() posts an off-chain question to the gateway and passes its answer to the callback", async () => {
  const { posted, calls } = await profileOf(lookup());
  assertEquals(posted, [{ data: "0x1234", sender: RESOLVER }]);
  const args = encodeAbiParameters(parseAbiParameters("bytes, bytes"), ["0xa5a5", "0xe0e0"]);
  assertEquals(calls, [concat(["0xca11bacc", args])]);
});

Deno.test("profile() sends a batch for any batch gateway to the trusted one, in one request", async () => {
  const question = batch(8);
  const { posted } = await profileOf(lookup({ urls: [OWN_URL, "x-batch-gateway:true"], question }));
  assertEquals(posted, [{ data: question, sender: RESOLVER }]);
});

/** A look-up whose URLs are many offsets to one string of 40 KB. */
function sharedUrls(urls: number): Hex {
  const sender = RESOLVER.slice(2).padStart(64, "0");
  const callback = "ca11bacc".padEnd(64, "0");
  // Question and extra data are empty and come before the URLs.
  const words = [sender, wordOf(224), wordOf(160), callback, wordOf(192), wordOf(0), wordOf(0)];
  return concat([SELECTOR, `0x${words.join("")}`, arrayWithoutOffset(aliasedArray(urls, 40_000))]);
}

/** After the word with the offset of the array. */
const arrayWithoutOffset = (encoded: Hex): Hex => `0x${encoded.slice(2 + 64)}`;

const SELECTOR = lookup().slice(0, 10) as Hex;

const INVALID: [string, Hex][] = [
  ["is empty", SELECTOR],
  ["is cut", lookup().slice(0, -64) as Hex],
  ["has eight offsets to one URL of 40 KB", sharedUrls(8)],
  ["has 8,000 offsets to one URL of 40 KB", sharedUrls(8_000)],
  ["has nine URLs", lookup({ urls: Array(9).fill(OWN_URL) })],
  ["has no URL", lookup({ urls: [] })],
  ["is of another contract", lookup({ sender: STRANGER })],
  ["has a batch of nine", lookup({ question: batch(9) })],
  ["has a batch of none", lookup({ question: batch(0) })],
  ["has a batch of nothing but its selector", lookup({ question: batch(1).slice(0, 10) as Hex })],
  [
    "has a batch of 8,000 offsets to one question",
    lookup({ question: concat([batch(1).slice(0, 10) as Hex, aliasedArray(8_000, 400)]) }),
  ],
  ["has URLs of more than 64 KiB", lookup({ urls: ["https://a.example/".padEnd(66_000, "a")] })],
  ["asks more than 64 KiB", lookup({ question: `0x${"00".repeat(64 * 1_024 + 1)}` })],
];

for (const [does, revert] of INVALID) {
  Deno.test(`profile() asks no gateway and reports a resolver problem when the off-chain look-up ${does}`, async () => {
    const { problem, posted, calls } = await profileOf(revert);
    assertEquals([problem?.kind, posted, calls], ["resolver", [], []]);
  });
}

const DEEP = `${"[".repeat(300_000)}${"]".repeat(300_000)}`;

const GATEWAY_REPLIES: [string, Reply][] = [
  ["does not answer", { kind: "failed", fault: "timeout" }],
  ["answers 503", { ...answering("0xa5a5"), status: 503 }],
  ["answers no JSON", { ...OK, body: "<html>" }],
  ["answers null", { ...OK, body: "null" }],
  ["answers JSON 300,000 deep", { ...OK, body: `{"data":"0xa5a5","deep":${DEEP}}` }],
  ["answers data 300,000 deep", { ...OK, body: `{"data":${DEEP}}` }],
  ["answers no hexadecimal", answering("none")],
  ["answers half a byte", answering("0xa")],
  ["answers nothing", answering("0x")],
  ["answers a failure", answering(batchAnswer([true], ["0x01800152"]))],
  ["answers no failures", answering(batchAnswer([], ["0xb6b6"]))],
  ["answers two for one", answering(batchAnswer([false, false], ["0xb6b6", "0xb6b6"]))],
  ["answers with 8,000 offsets alone", answering(aliasedArray(8_000, 40_000))],
  [
    "answers with 8,000 offsets to 40 KB",
    answering(
      concat([
        `0x${wordOf(64)}${wordOf(96)}${wordOf(0)}`,
        arrayWithoutOffset(aliasedArray(8_000, 40_000)),
      ]),
    ),
  ],
];

for (const [does, reply] of GATEWAY_REPLIES) {
  Deno.test(`profile() makes no callback and reports a gateway problem when the gateway ${does}`, async () => {
    const { problem, calls } = await profileOf(lookup({ urls: [OWN_URL] }), { reply });
    assertEquals([problem?.kind, calls], ["gateway", []]);
  });
}

const CALLBACKS: [string, Hex | Fault, string][] = [
  ["returns no records", "0xf1f1", "resolver"],
  ["returns too much", new Fault("resolver", "oversized"), "resolver"],
  ["refuses the answer", new Fault("resolver", "", "0x08c379a0"), "gateway"],
  ["refuses the answer without a word", new Fault("resolver", "", "0x"), "gateway"],
  ["is run by no node", new Fault("node", "HTTP 503"), "node"],
];

for (const [does, called, blamed] of CALLBACKS) {
  Deno.test(`profile() reports a ${blamed} problem when the callback ${does}`, async () => {
    const { problem, posted, calls } = await profileOf(lookup(), { called });
    assertEquals([problem?.kind, posted.length, calls.length], [blamed, 1, 1], problem?.why);
  });
}

Deno.test("profile() gives up when the callback asks for a fifth look-up", async () => {
  const called = new Fault("resolver", "", lookup());
  const { problem, posted, calls } = await profileOf(lookup(), { called });
  assertEquals([problem?.kind, posted.length, calls.length], ["resolver", 4, 4]);
});
