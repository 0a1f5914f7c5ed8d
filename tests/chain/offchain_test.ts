import { assertEquals } from "@std/assert";
import {
  type Address,
  concat,
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  parseAbiParameters,
} from "viem";
import { BATCH_GATEWAY, OFFCHAIN_LOOKUP } from "../../src/chain/abi.ts";
import { createFollowOffchain, type Followed } from "../../src/chain/offchain.ts";
import type { Reply } from "../../src/sources/http.ts";
import type { CallReply, Hex as Returned } from "../../src/sources/rpc.ts";
import { aliasedArray, wordOf } from "../lab/chain/aliased_array.ts";

const RESOLVER: Hex = `0x${"11".repeat(20)}`;
const STRANGER: Hex = `0x${"22".repeat(20)}`;
const GATEWAY = "https://gateway.example/";
const OWN_URL = "https://resolver.example/{sender}/{data}";
const ANY_BATCH_GATEWAY = "x-batch-gateway:true";

interface LookupOptions {
  sender?: Address;
  urls?: readonly string[];
  question?: Hex;
}

function lookup({ sender = RESOLVER, urls = [GATEWAY], question = "0x1234" }: LookupOptions = {}) {
  return encodeErrorResult({
    abi: [OFFCHAIN_LOOKUP],
    args: [sender, urls, question, "0xca11bacc", "0xe0e0"],
  });
}

/** A batch of `count` questions to the URLs of resolvers. */
function batch(count: number): Hex {
  const one = { sender: RESOLVER, urls: [OWN_URL], data: "0x5678" } as const;
  return encodeFunctionData({
    abi: BATCH_GATEWAY,
    args: [Array.from({ length: count }, () => one)],
  });
}

function batchAnswer(failures: boolean[], responses: Hex[]): Hex {
  return encodeFunctionResult({ abi: BATCH_GATEWAY, result: [failures, responses] });
}

type Answered = Reply & { kind: "reply" };

const OK: Answered = { kind: "reply", status: 200, headers: new Headers(), body: "", url: GATEWAY };

function answering(data: unknown): Answered {
  return { ...OK, body: JSON.stringify({ data }) };
}

/** Follows a revert with a gateway and a chain that give these answers; returns the outcome and their requests. */
async function follow(
  revert: Hex,
  { reply = answering("0xa5a5"), called = { kind: "read", value: "0xf1f1" } }: {
    reply?: Reply;
    called?: CallReply<Returned>;
  } = {},
) {
  const posted: { data: Hex; sender: Hex }[] = [];
  const calls: Hex[] = [];
  const followOffchain = createFollowOffchain({
    deadlineMs: 3_000,
    gateway: GATEWAY,
    post(url, { json }) {
      assertEquals(url, GATEWAY);
      posted.push(json as typeof posted[number]);
      return Promise.resolve(reply);
    },
    call(asked, read) {
      assertEquals([asked.to, asked.runsThirdPartyCode], [RESOLVER, true]);
      calls.push(asked.data);
      if (called.kind !== "read") return Promise.resolve(called);
      const reading = read(called.value);
      if (reading.kind !== "read") throw new Error(reading.why);
      return Promise.resolve(reading);
    },
  });
  return { followed: await followOffchain(revert, RESOLVER), posted, calls };
}

function kindOf(followed: Followed): string {
  return followed.kind === "failed" ? followed.problem.kind : followed.kind;
}

Deno.test("followOffchain() posts the question to the gateway and passes its answer to the callback", async () => {
  const { followed, posted, calls } = await follow(lookup());
  assertEquals(posted, [{ data: "0x1234", sender: RESOLVER }]);
  const args = encodeAbiParameters(parseAbiParameters("bytes, bytes"), ["0xa5a5", "0xe0e0"]);
  assertEquals(calls, [concat(["0xca11bacc", args])]);
  assertEquals(followed, { kind: "returned", data: "0xf1f1" });
});

Deno.test("followOffchain() accepts the look-up from which the bombs are made", async () => {
  assertEquals(kindOf((await follow(sharedUrls(1))).followed), "gateway");
});

Deno.test("followOffchain() leaves a resolver's own URL to the gateway", async () => {
  const reply = answering(batchAnswer([false], ["0xb6b6"]));
  const { followed, posted, calls } = await follow(lookup({ urls: [OWN_URL] }), { reply });
  const { args } = decodeFunctionData({ abi: BATCH_GATEWAY, data: posted[0]!.data });
  assertEquals(args, [[{ sender: RESOLVER, urls: [OWN_URL], data: "0x1234" }]]);
  assertEquals([posted.length, calls[0]?.includes("b6b6"), kindOf(followed)], [
    1,
    true,
    "returned",
  ]);
});

Deno.test("followOffchain() sends a batch for any batch gateway to the trusted one, in one request", async () => {
  const question = batch(8);
  const { posted } = await follow(lookup({ urls: [OWN_URL, ANY_BATCH_GATEWAY], question }));
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
function arrayWithoutOffset(encoded: Hex): Hex {
  return `0x${encoded.slice(2 + 64)}`;
}

const SELECTOR = lookup().slice(0, 10) as Hex;

const INVALID: [string, Hex][] = [
  ["is empty", SELECTOR],
  ["is cut", lookup().slice(0, -64) as Hex],
  ["has eight offsets to one URL of 40 KB", sharedUrls(8)],
  ["has 8,000 offsets to one URL of 40 KB", sharedUrls(8_000)],
  ["has nine URLs", lookup({ urls: Array.from({ length: 9 }, () => OWN_URL) })],
  ["has no URL", lookup({ urls: [] })],
  ["is of another contract", lookup({ sender: STRANGER })],
  ["has a batch of nine", lookup({ question: batch(9) })],
  ["has a batch that is cut", lookup({ question: batch(1).slice(0, -64) as Hex })],
  ["has a batch of nothing but its selector", lookup({ question: batch(1).slice(0, 10) as Hex })],
  [
    "has a batch of 8,000 offsets to one question",
    lookup({ question: concat([batch(1).slice(0, 10) as Hex, aliasedArray(8_000, 400)]) }),
  ],
  ["has URLs of more than 64 KiB", lookup({ urls: ["https://a.example/".padEnd(66_000, "a")] })],
  ["asks more than 64 KiB", lookup({ question: `0x${"00".repeat(64 * 1_024 + 1)}` })],
];

for (const [does, revert] of INVALID) {
  Deno.test(`followOffchain() sends no request and reports a resolver problem when its look-up ${does}`, async () => {
    const { followed, posted, calls } = await follow(revert);
    assertEquals([kindOf(followed), posted, calls], ["resolver", [], []]);
  });
}

const DEEP = `${"[".repeat(300_000)}${"]".repeat(300_000)}`;

const GATEWAY_REPLIES: [string, Reply][] = [
  ["does not answer", { kind: "failed", fault: "timeout" }],
  ["answers 503", { ...answering("0xa5a5"), status: 503 }],
  ["answers no JSON", { ...OK, body: "<html>" }],
  ["answers null", { ...OK, body: "null" }],
  ["answers JSON 300,000 deep", { ...OK, body: `{"data":"0xa5a5","deep":${DEEP}}` }],
  ["answers no hexadecimal", answering("none")],
  ["answers half a byte", answering("0xa")],
  ["answers nothing", answering("0x")],
  ["answers a failure", answering(batchAnswer([true], ["0x01800152"]))],
  ["answers no failures", answering(batchAnswer([], ["0xb6b6"]))],
  ["answers two for one", answering(batchAnswer([false, false], ["0xb6b6", "0xb6b6"]))],
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
  Deno.test(`followOffchain() makes no callback and reports a gateway problem when it ${does}`, async () => {
    const { followed, calls } = await follow(lookup({ urls: [OWN_URL] }), { reply });
    assertEquals([kindOf(followed), calls], ["gateway", []]);
  });
}

const CALLBACKS: [string, CallReply<Returned>, string][] = [
  [
    "returns too much",
    { kind: "reverted", error: { code: 0 } },
    "resolver",
  ],
  ["refuses the answer", { kind: "reverted", error: { code: 3, data: "0x08c379a0" } }, "gateway"],
  [
    "refuses the answer without a word",
    { kind: "reverted", error: { code: 3, data: "0x" } },
    "gateway",
  ],
  ["is run by no node", { kind: "failed", fault: "node", why: "HTTP 503" }, "node"],
  ["is not done in time", { kind: "failed", fault: "unclear", why: "timeout" }, "node"],
];

for (const [does, called, blamed] of CALLBACKS) {
  Deno.test(`followOffchain() reports a ${blamed} problem when the callback ${does}`, async () => {
    const { followed, posted, calls } = await follow(lookup(), { called });
    assertEquals([kindOf(followed), posted.length, calls.length], [blamed, 1, 1]);
  });
}

Deno.test("followOffchain() gives up when the callback asks for a fifth look-up", async () => {
  const called: CallReply<Returned> = { kind: "reverted", error: { code: 3, data: lookup() } };
  const { followed, posted, calls } = await follow(lookup(), { called });
  assertEquals([kindOf(followed), posted.length, calls.length], ["resolver", 4, 4]);
});
