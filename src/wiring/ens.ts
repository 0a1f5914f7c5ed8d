/** Composes the .eth look-ups. Imported at the first .eth question: a start must not load viem. */
import { createEnsQuestions } from "../chain/ens_questions.ts";
import { createNodes } from "../chain/nodes.ts";
import type { Config } from "../config.ts";
import { createMemoryCache } from "../flow/cache/memory.ts";
import type { UpstreamHosts } from "../flow/upstream_host.ts";
import { createEnsLookups, type EnsFinding } from "../lookup/ens_lookups.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { type GuardedPost, throughHosts } from "../sources/http.ts";
import { createEnsAnswers } from "../store/ens_answers.ts";
import type { GuardedKv } from "../store/guarded_kv.ts";
import type { Platform } from "./platform.ts";

/** Generous: contracts decide how long a look-up takes there, and one must not make the others wait. */
const GATEWAY_PACE = { concurrency: 64, burst: 64, everyMs: 0 };
/** About 5 MB at 1 KB a profile, which few exceed. */
const MEMORY_NAMES = 5_000;

/** Composes the look-ups over nodes, contracts and the cache in KV; `isFailing`: whether the last call failed. */
export function createEns(
  { config, platform, kv, hosts, post, metrics }: {
    config: Config;
    platform: Platform;
    kv: GuardedKv;
    hosts: UpstreamHosts;
    post: GuardedPost;
    metrics: Pick<Metrics, "ensAnswers">;
  },
) {
  const { now, monotonic, timeouts } = platform;
  const nodes = createNodes({
    post,
    urls: config.ETH_RPC_URLS,
    hosts,
    now,
    monotonic,
    deadlineMs: timeouts?.rpcMs,
  });
  const contracts = {
    registry: config.ENS_REGISTRY,
    registrar: config.ENS_REGISTRAR,
    controller: config.ENS_CONTROLLER,
    nameWrapper: config.ENS_NAME_WRAPPER,
    universalResolver: config.ENS_UNIVERSAL_RESOLVER,
    multicall3: config.ENS_MULTICALL3,
    ...(config.ENS_GRAVEYARD && { graveyard: config.ENS_GRAVEYARD }),
  };
  function cacheOf<V extends { checkedAt: string }>(kind: "check" | "metadata") {
    const store = createEnsAnswers<V>(kv, { kind, now });
    return createMemoryCache({ store, max: MEMORY_NAMES, now });
  }

  const lookups = createEnsLookups({
    ask: createEnsQuestions({
      nodes,
      post: throughHosts(post, hosts.ofKind("gateway", { paceOf: () => GATEWAY_PACE })),
      contracts,
      gateway: config.ENS_CCIP_GATEWAY,
      now,
      offchainMs: timeouts?.offchainMs,
    }),
    contracts,
    checkCache: cacheOf<EnsFinding>("check"),
    profileCache: cacheOf("metadata"),
    onAnswer: (answer) => metrics.ensAnswers.add(1, answer),
    now,
  });
  return { ...lookups, isFailing: nodes.isFailing };
}
