/** All that can be set from outside: every variable, its default and its form. */
import { z } from "zod";
import { LOG_LEVELS } from "./log.ts";
import { isTld } from "./rules/name.ts";
import { BUILT_IN_TLDS } from "./rules/tlds.ts";
import { isUpstreamUrl } from "./rules/upstream_url.ts";

/** A variable that holds what it cannot hold; the message is one line for a person. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** The configuration, read once. */
export type Config = z.infer<typeof schema>;

const ADDRESS =
  /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<v4>\d{1,3}(?:\.\d{1,3}){3}))(?::(?<port>\d{1,5}))?$/;
const BARE_V6 = /^[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*$/i;

const port = z.coerce.number().int().min(0).max(65_535);

const affiliate = z.string().refine(
  (template) =>
    /\{domain\}|\{url\}/.test(template) && /^https?:$/.test(URL.parse(template)?.protocol ?? ""),
).optional();

const schema = z.object({
  PORT: port.default(8_000),
  HOST: z.string().min(1).default("0.0.0.0"),
  /** Unset: Deno Deploy's KV, or Deno's own local file. */
  KV_PATH: z.string().min(1).optional(),
  /** Unset: the system's resolver. */
  DNS_SERVER: z.string().transform(readServer).optional(),
  RDAP_BOOTSTRAP_URL: z.url({ protocol: /^https?$/ }).default(
    "https://data.iana.org/rdap/dns.json",
  ),
  AFFILIATE_PORKBUN: affiliate,
  AFFILIATE_NAMECHEAP: affiliate,
  AFFILIATE_GODADDY: affiliate,
  TLDS: z.string().transform(readTlds).default(() => BUILT_IN_TLDS.map(({ tld }) => tld)),
  LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
  /** Only for the lab and tests: upstreams may be http, loopback or private. */
  ALLOW_INSECURE_UPSTREAMS: z.literal("1").transform(() => true).or(z.literal(false)).default(
    false,
  ),
}).superRefine(({ RDAP_BOOTSTRAP_URL, ALLOW_INSECURE_UPSTREAMS }, context) => {
  if (isUpstreamUrl(RDAP_BOOTSTRAP_URL, ALLOW_INSECURE_UPSTREAMS)) return;
  context.addIssue({ code: "custom", path: ["RDAP_BOOTSTRAP_URL"] });
});

/** What each variable takes, for the one line that a wrong value earns. */
const TAKES: Readonly<Record<keyof Config, string>> = {
  PORT: "a port from 0 to 65535",
  HOST: "a host name or an address to listen on",
  KV_PATH: 'a file path, ":memory:" or the URL of a KV Connect server',
  DNS_SERVER: "an IP address, with or without a port (192.0.2.1, 192.0.2.1:53, [2001:db8::1]:53)",
  RDAP_BOOTSTRAP_URL:
    "an https URL of a public host (http and loopback: ALLOW_INSECURE_UPSTREAMS=1)",
  AFFILIATE_PORKBUN: "an http(s) link with {domain} or {url} in it",
  AFFILIATE_NAMECHEAP: "an http(s) link with {domain} or {url} in it",
  AFFILIATE_GODADDY: "an http(s) link with {domain} or {url} in it",
  TLDS: "TLDs separated by commas, such as com,net,org",
  LOG_LEVEL: `one of ${LOG_LEVELS.join(", ")}`,
  ALLOW_INSECURE_UPSTREAMS: "1, or nothing",
};

/** Reads the configuration from environment variables; an empty one counts as unset. Throws `ConfigError`. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.keys(TAKES).flatMap((name) => env[name] ? [[name, env[name]]] : []);
  const reading = schema.safeParse(Object.fromEntries(set));
  if (reading.success) return reading.data;
  const name = reading.error.issues[0]?.path[0] as keyof Config;
  const held = JSON.stringify(env[name]);
  throw new ConfigError(`${name} holds ${held}, but it takes ${TAKES[name]}`);
}

function readServer(text: string, context: z.RefinementCtx): { ipAddr: string; port: number } {
  const found = ADDRESS.exec(BARE_V6.test(text) ? `[${text}]` : text)?.groups;
  const server = { ipAddr: found?.v6 ?? found?.v4 ?? "", port: Number(found?.port ?? 53) };
  const isAddress = URL.canParse(`http://${found?.v6 ? `[${found.v6}]` : server.ipAddr}/`);
  if (!isAddress || server.port > 65_535) context.addIssue({ code: "custom" });
  return server;
}

function readTlds(text: string, context: z.RefinementCtx): string[] {
  const tlds = text.split(",").map((tld) => tld.trim().toLowerCase().replace(/^\./, ""));
  if (!tlds.every(isTld)) context.addIssue({ code: "custom" });
  return [...new Set(tlds)];
}
