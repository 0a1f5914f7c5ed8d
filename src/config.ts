/** All that can be set from outside: every variable, its default and its form. */
import * as z from "zod/mini";
import { LOG_LEVELS } from "./log.ts";
import { MAINNET_CONTRACTS } from "./rules/ens_contracts.ts";
import { parseEndpoint } from "./rules/ip_address.ts";
import { readTld } from "./rules/name.ts";
import { BUILT_IN_TLDS, MAX_TLDS } from "./rules/tlds.ts";
import { isUpstreamUrl } from "./rules/upstream_url.ts";

/** A variable that holds what it cannot hold; the message is one line for a person. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** The configuration, read once. */
export type Config = z.infer<typeof schema>;

const DNS_PORT = 53;

const text = z.string();

/** A variable that `read` understands; undefined is what it does not. */
function variable<T>(read: (text: string) => T | undefined) {
  return z.transform((text: string, context) => {
    const value = read(text);
    if (value !== undefined) return value;
    context.issues.push({ code: "custom", input: text });
    return z.NEVER;
  });
}

const address = variable((text) => /^0x[0-9a-f]{40}$/i.test(text) ? text : undefined);
const affiliateLink = z.optional(variable(readAffiliateLink));

const schema = z.object({
  PORT: variable(readPort),
  HOST: text,
  /** Unset: Deno Deploy's KV, or Deno's own local file. */
  KV_PATH: z.optional(text),
  /** Unset: the system's resolver. */
  DNS_SERVER: z.optional(variable(readServer)),
  RDAP_BOOTSTRAP_URL: text,
  PRICES_URL: text,
  /** Ethereum nodes, the favourite first. */
  ETH_RPC_URLS: variable((text) => text.split(",").map((url) => url.trim())),
  ENS_REGISTRY: address,
  ENS_REGISTRAR: address,
  ENS_CONTROLLER: address,
  ENS_NAME_WRAPPER: address,
  ENS_UNIVERSAL_RESOLVER: address,
  ENS_MULTICALL3: address,
  /** The one gateway that is asked for names kept off chain. */
  ENS_CCIP_GATEWAY: text,
  /** Requests in 60 s for an address. */
  RATE_LIMIT: variable(readLimit),
  /** The same for an API key that has no limit of its own. */
  RATE_LIMIT_KEY: variable(readLimit),
  /** How many proxies in front add to X-Forwarded-For. */
  TRUSTED_PROXIES: variable((text) => /^\d$/.test(text) ? Number(text) : undefined),
  AFFILIATE_PORKBUN: affiliateLink,
  AFFILIATE_NAMECHEAP: affiliateLink,
  AFFILIATE_GODADDY: affiliateLink,
  TLDS: variable(readTlds),
  /** Set by Deno Deploy, as to "production" or "git-branch/x"; jobs run in production only. */
  DENO_TIMELINE: z.optional(text),
  /** Set by Deno Deploy. */
  DENO_DEPLOY: z.optional(text),
  /** "true" makes Deno export logs, traces and metrics by OpenTelemetry. */
  OTEL_DENO: z.optional(text),
  /** Only for the command line: the key for the service that it asks. */
  API_KEY: z.optional(text),
  LOG_LEVEL: variable((text) => LOG_LEVELS.find((level) => level === text)),
  /** Only for the lab and tests: upstreams may be http, loopback or private. */
  ALLOW_INSECURE_UPSTREAMS: variable((text) => ["", "1"].includes(text) ? text === "1" : undefined),
});

const DEFAULTS: Readonly<Partial<Record<keyof Config, string>>> = {
  PORT: "8000",
  HOST: "0.0.0.0",
  RDAP_BOOTSTRAP_URL: "https://data.iana.org/rdap/dns.json",
  PRICES_URL: "https://api.porkbun.com/api/json/v3/pricing/get",
  // Without keys, and with the fewest reports of failures; operators with more traffic bring their own.
  ETH_RPC_URLS: [
    "https://ethereum-rpc.publicnode.com",
    "https://eth.drpc.org",
    "https://ethereum.reth.rs/rpc",
    "https://mainnet.gateway.tenderly.co",
    "https://rpc.mevblocker.io",
  ].join(","),
  ENS_REGISTRY: MAINNET_CONTRACTS.registry,
  ENS_REGISTRAR: MAINNET_CONTRACTS.registrar,
  ENS_CONTROLLER: MAINNET_CONTRACTS.controller,
  ENS_NAME_WRAPPER: MAINNET_CONTRACTS.nameWrapper,
  ENS_UNIVERSAL_RESOLVER: MAINNET_CONTRACTS.universalResolver,
  ENS_MULTICALL3: MAINNET_CONTRACTS.multicall3,
  ENS_CCIP_GATEWAY: "https://ccip-v3.ens.xyz",
  RATE_LIMIT: "60",
  RATE_LIMIT_KEY: "600",
  TRUSTED_PROXIES: "0",
  TLDS: BUILT_IN_TLDS.map(({ tld }) => tld).join(","),
  LOG_LEVEL: "info",
  ALLOW_INSECURE_UPSTREAMS: "",
};

const UPSTREAM_URL =
  "an https URL of a public host (http and loopback: ALLOW_INSECURE_UPSTREAMS=1)";
const CONTRACT = "a contract's address, 0x and 40 hexadecimal digits";

/** What each variable takes, for the one line that a wrong value earns. */
const TAKES: Readonly<Record<keyof Config, string>> = {
  PORT: "a port from 0 to 65535",
  HOST: "a host name or an address to listen on",
  KV_PATH: 'a file path, ":memory:" or the URL of a KV Connect server',
  DNS_SERVER: "an IP address, with or without a port (192.0.2.1, 192.0.2.1:53, [2001:db8::1]:53)",
  RDAP_BOOTSTRAP_URL: UPSTREAM_URL,
  PRICES_URL: UPSTREAM_URL,
  ETH_RPC_URLS: `${UPSTREAM_URL}, or several separated by commas`,
  ENS_REGISTRY: CONTRACT,
  ENS_REGISTRAR: CONTRACT,
  ENS_CONTROLLER: CONTRACT,
  ENS_NAME_WRAPPER: CONTRACT,
  ENS_UNIVERSAL_RESOLVER: CONTRACT,
  ENS_MULTICALL3: CONTRACT,
  ENS_CCIP_GATEWAY: UPSTREAM_URL,
  RATE_LIMIT: "a number of requests from 1 to 1000000000",
  RATE_LIMIT_KEY: "a number of requests from 1 to 1000000000",
  TRUSTED_PROXIES: "a number of proxies from 0 to 9",
  AFFILIATE_PORKBUN: "an http(s) link with {domain} or {url} in it",
  AFFILIATE_NAMECHEAP: "an http(s) link with {domain} or {url} in it",
  AFFILIATE_GODADDY: "an http(s) link with {domain} or {url} in it",
  TLDS: `up to ${MAX_TLDS} TLDs separated by commas, such as com,net,org`,
  DENO_TIMELINE: "a name of a timeline",
  DENO_DEPLOY: "anything, as Deno Deploy sets it",
  OTEL_DENO: "true, or nothing",
  API_KEY: "an API key, as deno task keys shows it once",
  LOG_LEVEL: `one of ${LOG_LEVELS.join(", ")}`,
  ALLOW_INSECURE_UPSTREAMS: "1, or nothing",
};

/** What is asked over the network, so that it must be public unless this is a lab. */
const UPSTREAMS = ["RDAP_BOOTSTRAP_URL", "PRICES_URL", "ETH_RPC_URLS", "ENS_CCIP_GATEWAY"] as const;

/** Reads the configuration from environment variables; an empty one counts as unset. Throws `ConfigError`. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.keys(TAKES).flatMap((name) => env[name] ? [[name, env[name]]] : []);
  // It is read once: to have it compiled first would take longer.
  const reading = schema.safeParse({ ...DEFAULTS, ...Object.fromEntries(set) }, { jitless: true });
  if (!reading.success) throw wrong(reading.error.issues[0]?.path[0] as keyof Config, env);
  const config = reading.data;
  for (const name of UPSTREAMS) {
    const isAllowed = (url: string) => isUpstreamUrl(url, config.ALLOW_INSECURE_UPSTREAMS);
    if (![config[name]].flat().every(isAllowed)) throw wrong(name, env);
  }
  return config;
}

function wrong(name: keyof Config, env: Readonly<Record<string, string | undefined>>): ConfigError {
  return new ConfigError(`${name} holds ${JSON.stringify(env[name])}, but it takes ${TAKES[name]}`);
}

function readPort(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

function readLimit(text: string): number | undefined {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 1e9 ? Number(text) : undefined;
}

function readAffiliateLink(template: string): string | undefined {
  const isLink = /^https?:$/.test(URL.parse(template)?.protocol ?? "");
  return isLink && /\{domain\}|\{url\}/.test(template) ? template : undefined;
}

function readServer(text: string): { ipAddr: string; port: number } | undefined {
  const endpoint = parseEndpoint(text);
  return endpoint && { ipAddr: endpoint.address.toString(), port: endpoint.port ?? DNS_PORT };
}

function readTlds(text: string): string[] | undefined {
  const tlds = text.split(",").map((tld) => readTld(tld.trim()));
  if (!tlds.every((tld) => tld !== undefined)) return undefined;
  const different = [...new Set(tlds)];
  return different.length <= MAX_TLDS ? different : undefined;
}
