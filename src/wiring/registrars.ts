/** Composes the registrars with which the operator has an account. */
import type { Config } from "../config.ts";
import { createGate } from "../flow/queue/gate.ts";
import type { UpstreamHosts } from "../flow/upstream_host.ts";
import type { AskRegistrars } from "../lookup/judge.ts";
import { createRegistrarWitness } from "../lookup/registrar_witness.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { observedRequests } from "../metrics/observed.ts";
import { createGuardedPost } from "../sources/http.ts";
import {
  cloudflareApi,
  createQuoteQuestion,
  namecomApi,
  porkbunApi,
  type RegistrarApi,
  vercelApi,
} from "../sources/registrars.ts";
import type { Platform } from "./platform.ts";

/** A client gives up before a longer wait in a queue. */
const MAX_QUEUE_MS = 1_000;

/** Composes them; undefined without an account: then no request is sent to any registrar. */
export function createRegistrars(
  config: Config,
  { fetch, now, monotonic, timeouts }: Platform,
  { hosts, metrics, stop }: { hosts: UpstreamHosts; metrics: Metrics; stop: AbortSignal },
): AskRegistrars | undefined {
  const apis = apisOf(config);
  if (apis.length === 0) return undefined;
  const allowInsecure = config.ALLOW_INSECURE_UPSTREAMS;
  const barePost = createGuardedPost({ fetch, allowInsecure, stop });
  const post = observedRequests(barePost, metrics, monotonic);
  const paces = new Map(apis.map(({ name, pace }) => [name, pace]));
  const gate = createGate({
    paceOf: (name) => paces.get(name) ?? { concurrency: 1, burst: 1, everyMs: 1_000 },
    maxWaitMs: MAX_QUEUE_MS,
    monotonic,
  });
  if (stop.aborted) gate.close();
  else stop.addEventListener("abort", gate.close, { once: true });
  const registrars = apis.map((api) => ({
    ...api,
    host: new URL(api.url).host,
    ask: createQuoteQuestion(post, api, now),
  }));
  return createRegistrarWitness(registrars, {
    gate,
    hosts,
    now,
    monotonic,
    ...timeouts?.registrars,
  });
}

/** In the order in which their offers are preferred. */
function apisOf(config: Config): readonly RegistrarApi[] {
  const {
    PORKBUN_API_KEY: apiKey,
    PORKBUN_SECRET_KEY: secretKey,
    NAMECOM_USERNAME: username,
    NAMECOM_TOKEN: namecomToken,
    CLOUDFLARE_ACCOUNT_ID: accountId,
    CLOUDFLARE_API_TOKEN: cloudflareToken,
  } = config;
  const apis: RegistrarApi[] = [];
  if (apiKey !== undefined && secretKey !== undefined) {
    apis.push(porkbunApi({ base: config.PORKBUN_API_URL, apiKey, secretKey }));
  }
  if (username !== undefined && namecomToken !== undefined) {
    apis.push(namecomApi({ base: config.NAMECOM_API_URL, username, token: namecomToken }));
  }
  if (accountId !== undefined && cloudflareToken !== undefined) {
    apis.push(cloudflareApi({
      base: config.CLOUDFLARE_API_URL,
      accountId,
      token: cloudflareToken,
    }));
  }
  if (config.ASK_VERCEL) apis.push(vercelApi({ base: config.VERCEL_API_URL }));
  return apis;
}
