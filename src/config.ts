/** Every setting: one row for each environment variable, with its parser, its default and what it takes. */
import { LOG_LEVELS } from "./log.ts";
import { isUpstreamUrl, parseEndpoint } from "./rules/ip_address.ts";
import { isTld, readSuffix } from "./rules/name.ts";
import { BUILT_IN_TLDS, MAX_TLDS } from "./rules/tables/tlds.ts";

/** A setting that an environment variable holds. */
interface Variable<T> {
  /** The value of a text; undefined if the text is invalid. In the lab more upstreams are valid. */
  readonly parse: (text: string, isLab: boolean) => T | undefined;
  /** The text of an unset variable; absent if the setting is optional. */
  readonly default?: string;
  /** What it takes, for the error message. */
  readonly takes: string;
  /** Whether no error message may show it. */
  readonly isSecret?: true;
}

const DNS_PORT = 53;

const REQUESTS = { from: 1, to: 1e9 };

/** Never invalid. */
const ANY_TEXT = { parse: (text: string) => text, takes: "any text" };

const UPSTREAM =
  "an https URL, public, without { } (http and loopback: ALLOW_INSECURE_UPSTREAMS=1)";

const VARIABLES = {
  /** Only for the lab and tests: upstreams may be http, loopback or private. */
  ALLOW_INSECURE_UPSTREAMS: {
    parse: (text: string) => ["", "1"].includes(text) ? text === "1" : undefined,
    default: "",
    takes: "1, or nothing",
  },
  PORT: wholeNumber("a port", { from: 0, to: 65_535, default: "8000" }),
  /** A host name or an IP address. */
  HOST: { ...ANY_TEXT, default: "0.0.0.0" },
  /** A file path, ":memory:" or the URL of a KV Connect server; unset: Deno Deploy's KV, or Deno's own local file. */
  KV_PATH: ANY_TEXT,
  /** Unset: the system's resolver. */
  DNS_SERVER: {
    parse: (text: string) => parseServer(text, DNS_PORT),
    takes: "an IP address, with or without a port (192.0.2.1, 192.0.2.1:53, [2001:db8::1]:53)",
  },
  RDAP_BOOTSTRAP_URL: upstream("https://data.iana.org/rdap/dns.json"),
  PRICES_URL: upstream("https://api.porkbun.com/api/json/v3/pricing/get"),
  /** Whether registries' WHOIS servers are asked: where their word is needed, and where RDAP has no usable answer. */
  WHOIS: { ...oneOf(["on", "off"], "on or off"), default: "on" },
  /** Asked in place of every TLD's own. */
  WHOIS_SERVER: {
    parse: (text: string, isLab: boolean) => isLab ? parseServer(text) : undefined,
    takes: "an IP address and a port (127.0.0.1:4343), and ALLOW_INSECURE_UPSTREAMS=1",
  },
  /** Ethereum nodes, the preferred one first. */
  ETH_RPC_URLS: {
    parse(text: string, isLab: boolean) {
      const urls = text.split(",").map((url) => url.trim());
      return urls.every((url) => isUpstreamUrl(url, isLab)) ? urls : undefined;
    },
    // Without keys, and with the fewest reports of failures; operators with more traffic set their own.
    default: [
      "https://ethereum-rpc.publicnode.com",
      "https://eth.drpc.org",
      "https://ethereum.reth.rs/rpc",
      "https://mainnet.gateway.tenderly.co",
      "https://rpc.mevblocker.io",
    ].join(","),
    takes: `${UPSTREAM}, or several separated by commas`,
  },
  /** Mainnet's contracts (docs.ens.domains, ensjs; read in June 2026). */
  ENS_REGISTRY: contract("0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e"),
  ENS_REGISTRAR: contract("0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85"),
  ENS_CONTROLLER: contract("0x59E16fcCd424Cc24e280Be16E11Bcd56fb0CE547"),
  ENS_NAME_WRAPPER: contract("0xD4416b13d2b3a9aBae7AcD5D6C2BbDBE25686401"),
  /** The DAO's upgradeable proxy, so its address is stable. */
  ENS_UNIVERSAL_RESOLVER: contract("0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe"),
  ENS_MULTICALL3: contract("0xcA11bde05977b3631167028862bE2a173976CA11"),
  /** Owns the registrations that have moved to ENSv2. */
  ENS_GRAVEYARD: address(),
  /** The only gateway that is queried for names stored off chain. */
  ENS_CCIP_GATEWAY: upstream("https://ccip-v3.ens.xyz"),
  /** Requests in 60 s for an address. */
  RATE_LIMIT: wholeNumber("a number of requests", { ...REQUESTS, default: "60" }),
  /** The same for an API key without its own limit. */
  RATE_LIMIT_KEY: wholeNumber("a number of requests", { ...REQUESTS, default: "600" }),
  /** How many proxies in front add to X-Forwarded-For. */
  TRUSTED_PROXIES: wholeNumber("a number of proxies", { from: 0, to: 9, default: "0" }),
  /** Link templates, one for each row of `REGISTRARS`. */
  AFFILIATE_PORKBUN: affiliateLink(),
  AFFILIATE_NAMECHEAP: affiliateLink(),
  AFFILIATE_GODADDY: affiliateLink(),
  /** Who runs the service, where to reach them and what they keep: on the page and in /docs. */
  OPERATOR_NAME: words(),
  OPERATOR_CONTACT: words(),
  PRIVACY_URL: { parse: parseWebUrl, takes: "an http or https URL" },
  /** Keys of registrars: those that have one are asked whether they sell what the registry denies. */
  PORKBUN_API_KEY: secret(),
  PORKBUN_SECRET_KEY: secret(),
  PORKBUN_API_URL: upstream("https://api.porkbun.com/api/json/v3"),
  NAMECOM_USERNAME: secret(),
  NAMECOM_TOKEN: secret(),
  NAMECOM_API_URL: upstream("https://api.name.com"),
  TLDS: {
    parse: parseTlds,
    default: BUILT_IN_TLDS.map(({ tld }) => tld).join(","),
    takes: `up to ${MAX_TLDS} TLDs separated by commas, such as com,net,org; not eth`,
  },
  /** Whether names under any other TLD can be checked, too. Unset: on, unless TLDS is set. */
  ANY_TLD: oneOf(["on", "off"], "on or off"),
  /** RDAP servers of TLDs or public suffixes, in place of those that are known. */
  RDAP_EXTRA: {
    parse: parseRdapExtra,
    takes: "RDAP servers by TLD, separated by commas, such as de=https://rdap.example/",
  },
  /** Set by Deno Deploy, as to "production" or "git-branch/x"; jobs run in production only. */
  DENO_TIMELINE: ANY_TEXT,
  /** Set by Deno Deploy. */
  DENO_DEPLOY: ANY_TEXT,
  /** "true" makes Deno export logs, traces and metrics by OpenTelemetry. */
  OTEL_DENO: ANY_TEXT,
  /** Only for the command line: the API key that it sends with `--url`. */
  API_KEY: { ...secret(), takes: "an API key, as deno task keys shows it once" },
  LOG_LEVEL: { ...oneOf(LOG_LEVELS, `one of ${LOG_LEVELS.join(", ")}`), default: "info" },
} as const satisfies Readonly<Record<string, Variable<unknown>>>;

type Variables = typeof VARIABLES;
type Name = keyof Variables;
type Value<N extends Name> = NonNullable<ReturnType<Variables[N]["parse"]>>;
type HasDefault<N extends Name> = Variables[N] extends { default: string } ? true : false;

/** The settings by their variables; an optional one that is unset is absent. */
export type Config =
  & { readonly [N in Name as HasDefault<N> extends true ? N : never]: Value<N> }
  & { readonly [N in Name as HasDefault<N> extends true ? never : N]?: Value<N> };

/** Variables of which both are needed, or neither. */
const PAIRS = [
  ["PORKBUN_API_KEY", "PORKBUN_SECRET_KEY"],
  ["NAMECOM_USERNAME", "NAMECOM_TOKEN"],
] as const satisfies readonly (readonly [Name, Name])[];

/** Variables of registrars and of a second resolver, which are asked no longer. */
const REMOVED = [
  "ASK_GODADDY",
  "ASK_VERCEL",
  "CLOUDFLARE_ACCOUNT_ID",
  "CLOUDFLARE_API_TOKEN",
  "CLOUDFLARE_API_URL",
  "DNS_FALLBACK_SERVER",
  "GODADDY_API_KEY",
  "GODADDY_API_SECRET",
  "GODADDY_API_URL",
  "VERCEL_API_URL",
];

/** The variables that are set and no longer read. */
export function ignoredVariables(env: Environment): readonly string[] {
  return REMOVED.filter((name) => env[name]);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings from environment variables; an empty variable counts as unset. The message of what it throws is one line. */
export function readConfig(env: Environment): Config {
  const isLab = env.ALLOW_INSECURE_UPSTREAMS === "1";
  const rows: [string, Variable<unknown>][] = Object.entries(VARIABLES);
  const values = rows.flatMap(([name, row]) => {
    const text = env[name] || row.default;
    if (text === undefined) return [];
    const value = row.parse(text, isLab);
    if (value === undefined) {
      const got = row.isSecret ? "a value that is not shown" : JSON.stringify(text);
      throw new TypeError(`${name} is invalid: got ${got}, expected ${row.takes}`);
    }
    return [[name, value]];
  });
  const config: Config = { ANY_TLD: env.TLDS ? "off" : "on", ...Object.fromEntries(values) };
  for (const pair of PAIRS) {
    const [missing, ...others] = pair.filter((name) => config[name] === undefined);
    if (missing === undefined || others.length > 0) continue;
    throw new TypeError(`${missing} is missing: ${pair.join(" and ")} are needed together`);
  }
  return config;
}

function oneOf<const Word extends string>(words: readonly Word[], takes: string) {
  return { parse: (text: string) => words.find((word) => word === text), takes };
}

function matching(pattern: RegExp, takes: string) {
  return { parse: (text: string) => pattern.test(text) ? text : undefined, takes };
}

/** A key that is sent in a header, which takes no other characters. */
function secret() {
  const takes = "1 to 500 printable ASCII characters without a space";
  return { ...matching(/^[\x21-\x7e]{1,500}$/, takes), isSecret: true } as const;
}

function upstream(url: string) {
  return {
    parse: (text: string, isLab: boolean) =>
      /^[^{}]*$/.test(text) && isUpstreamUrl(text, isLab) ? text : undefined,
    default: url,
    takes: UPSTREAM,
  };
}

function address() {
  return matching(/^0x[0-9a-f]{40}$/i, "a contract's address, 0x and 40 hexadecimal digits");
}

function contract(mainnet: string) {
  return { ...address(), default: mainnet };
}

function wholeNumber(
  what: string,
  { from, to, default: text }: { from: number; to: number; default: string },
) {
  return {
    parse(text: string) {
      const number = /^(?:0|[1-9]\d{0,9})$/.test(text) ? Number(text) : NaN;
      return number >= from && number <= to ? number : undefined;
    },
    default: text,
    takes: `${what} from ${from} to ${to}`,
  };
}

function affiliateLink() {
  return {
    parse: (text: string) => /\{domain\}|\{url\}/.test(text) ? parseWebUrl(text) : undefined,
    takes: "an http(s) link with {domain} or {url} in it",
  };
}

/** Shown to people on one line. */
function words() {
  return matching(/^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u, "up to 200 characters on one line");
}

function parseWebUrl(text: string): string | undefined {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "") ? text : undefined;
}

function parseServer(text: string, usualPort?: number) {
  const { address, port = usualPort } = parseEndpoint(text) ?? {};
  return address && port ? { hostname: address.text, port } : undefined;
}

function parseRdapExtra(text: string, isLab: boolean): ReadonlyMap<string, string> | undefined {
  const rows = text.split(",").map((row): [string, string] => {
    const [suffix = "", base = ""] = row.split("=", 2).map((part) => part.trim());
    return [readSuffix(suffix) ?? "", base.endsWith("/") ? base : `${base}/`];
  });
  const bases = new Map(rows);
  const isValid = ([suffix, base]: [string, string]) =>
    suffix !== "" && isUpstreamUrl(base, isLab) && !/[?#]/.test(base);
  return rows.every(isValid) && bases.size === rows.length ? bases : undefined;
}

function parseTlds(text: string): string[] | undefined {
  const tlds = text.split(",").map((tld) => readSuffix(tld.trim()) ?? "");
  // .eth has paths of its own.
  if (!tlds.every(isTld) || tlds.includes("eth")) return undefined;
  const different = [...new Set(tlds)];
  return different.length <= MAX_TLDS ? different : undefined;
}
