import { assert, assertEquals } from "@std/assert";
import { createEnsQuestions } from "../../src/chain/ens_questions.ts";
import type { RecordsProblem, Registration } from "../../src/rules/ens.ts";
import { MAINNET_CONTRACTS } from "../../src/rules/tables/ens_contracts.ts";
import type { CallChain, CallReply } from "../../src/sources/rpc.ts";

const HELD: Registration = { expires: 2n, now: 1n, isOpen: true, holders: {} };

/** The outcome of the call with the resolver, while the call without it succeeds, and the resulting problem. */
const REPLIES: [CallReply<never>, RecordsProblem][] = [
  [{ kind: "reverted", error: { code: 3 } }, {
    kind: "resolver",
    why: "its resolver exceeded the gas or size limit",
  }],
  [{ kind: "failed", fault: "unclear", why: "timeout" }, {
    kind: "resolver",
    why: "its resolver exceeded the gas or size limit",
  }],
  [{ kind: "failed", fault: "node", why: "HTTP 503 without JSON-RPC" }, {
    kind: "node",
    why: "no Ethereum node ran its resolver: HTTP 503 without JSON-RPC",
  }],
];

for (const [reply, problem] of REPLIES) {
  const cause = reply.kind === "failed" ? `${reply.kind} (${reply.fault})` : reply.kind;
  Deno.test(`profile() reports a ${problem.kind} problem when only the call with the resolver is ${cause}`, async () => {
    const call: CallChain = <T>({ runsThirdPartyCode }: { runsThirdPartyCode: boolean }) =>
      Promise.resolve<CallReply<T>>(
        runsThirdPartyCode ? reply : { kind: "read", value: { registrations: [HELD] } as T },
      );
    const questions = createEnsQuestions({
      call,
      post: () => Promise.reject(new Error("The gateway is not asked")),
      contracts: MAINNET_CONTRACTS,
      gateway: "https://gateway.example/",
      now: Date.now,
    });
    const answer = await questions.profile("alice");
    assert(answer.kind === "profile");
    assertEquals(answer.problem, problem);
  });
}
