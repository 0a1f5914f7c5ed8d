/** Ethereum as the look-ups see it: the contracts, behind the nodes. */
import type { EnsQuestions } from "./chain/ens.ts";
import type { Config } from "./config.ts";
import type { Report } from "./flow/report.ts";
import type { EnsContracts } from "./rules/ens_contracts.ts";
import { createGuardedPost, type Fetching } from "./sources/http.ts";
import { createNodes } from "./sources/rpc.ts";

/** What can be asked, and of which contracts. */
export interface Ethereum extends EnsQuestions {
  contracts: EnsContracts;
  /** Whether the last call came to nothing; undefined before. */
  isFailing(): boolean | undefined;
}

/** Creates it. The code that speaks to contracts is read at the first question: a start does not pay for viem. */
export function createEthereum(
  config: Config,
  fetching: Fetching,
  { report, now }: { report: Report; now: () => number },
): Ethereum {
  const post = createGuardedPost(fetching);
  const nodes = createNodes({ post, urls: config.ETH_RPC_URLS, report, now });
  const contracts = contractsOf(config);
  let opening: Promise<EnsQuestions> | undefined;

  async function open(): Promise<EnsQuestions> {
    const { createEnsQuestions } = await import("./chain/ens.ts");
    return createEnsQuestions({
      call: nodes.call,
      post,
      contracts,
      gateway: config.ENS_CCIP_GATEWAY,
    });
  }

  return {
    registration: async (label) => await (await (opening ??= open())).registration(label),
    profile: async (label) => await (await (opening ??= open())).profile(label),
    contracts,
    isFailing: nodes.isFailing,
  };
}

function contractsOf(config: Config): EnsContracts {
  return {
    registry: config.ENS_REGISTRY,
    registrar: config.ENS_REGISTRAR,
    controller: config.ENS_CONTROLLER,
    nameWrapper: config.ENS_NAME_WRAPPER,
    universalResolver: config.ENS_UNIVERSAL_RESOLVER,
    multicall3: config.ENS_MULTICALL3,
  };
}
