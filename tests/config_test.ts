import { assertEquals, assertThrows } from "@std/assert";
import { isAddress } from "viem";
import { type Config, ignoredVariables, readConfig } from "../src/config.ts";
import { BUILT_IN_TLDS } from "../src/rules/tables/tlds.ts";

Deno.test("readConfig() returns the defaults without variables, and contracts with valid checksums (EIP-55)", () => {
  const { TLDS, ETH_RPC_URLS, ...config } = readConfig({});
  assertEquals([TLDS.length, ETH_RPC_URLS.length], [BUILT_IN_TLDS.length, 5]);
  const { yes: contracts = [], no: others = [] } = Object.groupBy(
    Object.entries(config),
    ([name]) => /^ENS_(?!CCIP)/.test(name) ? "yes" : "no",
  );
  const addresses = new Set(contracts.map(([, address]) => `${address}`));
  assertEquals([addresses.size, [...addresses].filter((one) => !isAddress(one))], [6, []]);
  assertEquals(Object.fromEntries(others), {
    PORT: 8_000,
    HOST: "0.0.0.0",
    RDAP_BOOTSTRAP_URL: "https://data.iana.org/rdap/dns.json",
    PRICES_URL: "https://api.porkbun.com/api/json/v3/pricing/get",
    WHOIS: "on",
    ENS_CCIP_GATEWAY: "https://ccip-v3.ens.xyz",
    PORKBUN_API_URL: "https://api.porkbun.com/api/json/v3",
    NAMECOM_API_URL: "https://api.name.com",
    RATE_LIMIT: 60,
    RATE_LIMIT_KEY: 600,
    TRUSTED_PROXIES: 0,
    ANY_TLD: "on",
    LOG_LEVEL: "info",
    ALLOW_INSECURE_UPSTREAMS: false,
  });
});

Deno.test("readConfig() treats an empty variable as unset and ignores unknown ones", () => {
  assertEquals(readConfig({ PORT: "", TLDS: "", PATH: "/bin", __proto__: "x" }), readConfig({}));
});

const LAB = "http://127.0.0.1:8080/dns.json";
const INSECURE = { ALLOW_INSECURE_UPSTREAMS: "1" };
const URLS = ["https://a.example/key", "https://b.example/"];

const VALID: [env: Record<string, string>, read: Partial<Config>][] = [
  [{ DNS_SERVER: "192.0.2.1" }, { DNS_SERVER: { hostname: "192.0.2.1", port: 53 } }],
  [{ DNS_SERVER: "192.0.2.1:5353" }, { DNS_SERVER: { hostname: "192.0.2.1", port: 5_353 } }],
  [{ DNS_SERVER: "2001:db8::1" }, { DNS_SERVER: { hostname: "2001:db8::1", port: 53 } }],
  [{ DNS_SERVER: "[2001:db8::1]:5353" }, { DNS_SERVER: { hostname: "2001:db8::1", port: 5_353 } }],
  [{ TLDS: " com,.NET,com,xn--p1ai" }, { TLDS: ["com", "net", "xn--p1ai"], ANY_TLD: "off" }],
  [{ TLDS: "com", ANY_TLD: "on" }, { ANY_TLD: "on" }],
  [{ TLDS: `${manyTlds(200)},${manyTlds(200)}` }, { TLDS: manyTlds(200).split(",") }],
  [{ RDAP_EXTRA: "de=https://rdap.example/, .CO.ZA = https://a.example/rdap" }, {
    RDAP_EXTRA: new Map([["de", "https://rdap.example/"], ["co.za", "https://a.example/rdap/"]]),
  }],
  [{ ETH_RPC_URLS: URLS.join(" , ") }, { ETH_RPC_URLS: URLS }],
  [{ RDAP_BOOTSTRAP_URL: LAB, ...INSECURE }, { RDAP_BOOTSTRAP_URL: LAB }],
  [INSECURE, { ALLOW_INSECURE_UPSTREAMS: true }],
  [{ WHOIS: "off", WHOIS_SERVER: "127.0.0.1:4343", ...INSECURE }, {
    WHOIS: "off",
    WHOIS_SERVER: { hostname: "127.0.0.1", port: 4_343 },
  }],
];

Deno.test("readConfig() reads addresses with and without ports, lists in their order, and upstreams of the lab where allowed", () => {
  for (const [env, expected] of VALID) {
    const config = readConfig(env);
    for (const [name, value] of Object.entries(expected)) {
      assertEquals(config[name as keyof Config], value, name);
    }
  }
});

/** `count` different TLDs. */
function manyTlds(count: number): string {
  const letters = "abcdefghijklmnopqrst";
  const nth = (n: number) => [n / 400, n / 20, n].map((digit) => letters[Math.floor(digit) % 20]);
  return Array.from({ length: count }, (_, n) => nth(n).join("")).join();
}

/** What variables take, and values that they do not. */
const INVALID: [name: string, takes: string, ...values: string[]][] = [
  ["PORT", "a port from 0 to 65535", "http", "65536", "80.5", "-1", "0080"],
  ["DNS_SERVER", "an IP address", "dns.example", "1.2.3", "999.1.1.1", "2001:db8::zz"],
  ["DNS_SERVER", "an IP address", "192.0.2.1:99999", "192.0.2.1:0"],
  ["RDAP_BOOTSTRAP_URL", "an https URL", "iana", "ftp://iana.example/", "https://127.0.0.1/", LAB],
  ["PRICES_URL", "an https URL", LAB],
  ["RDAP_EXTRA", "RDAP servers by TLD", "de", "de=", "=https://a.example/"],
  ["RDAP_EXTRA", "RDAP servers by TLD", "de=http://a.example/", "d e=https://a.example/"],
  ["RDAP_EXTRA", "RDAP servers by TLD", "de=https://10.0.0.1/", "de=https://a.example/?key=1"],
  ["RDAP_EXTRA", "RDAP servers by TLD", "de=https://a.example/,DE=https://b.example/"],
  ["WHOIS", "on or off", "sampled"],
  ["WHOIS_SERVER", "an IP address and a port", "192.0.2.1", "whois.example:43"],
  ["WHOIS_SERVER", "ALLOW_INSECURE_UPSTREAMS=1", "192.0.2.1:43"],
  ["ETH_RPC_URLS", "an https URL", "https://a.example/,http://b.example/", "https://a.example/,"],
  ["ENS_CCIP_GATEWAY", "an https URL", "https://10.0.0.1/"],
  ["ENS_CCIP_GATEWAY", "without { }", "https://ccip.example/{sender}/{data}.json"],
  ["ENS_REGISTRY", "a contract's address", "0x1234"],
  ["ENS_CONTROLLER", "a contract's address", "vitalik.eth"],
  ["ENS_GRAVEYARD", "a contract's address", "graveyard"],
  ["AFFILIATE_PORKBUN", "{domain} or {url}", "https://go.example/"],
  ["AFFILIATE_NAMECHEAP", "an http(s) link", "javascript:alert({domain})"],
  ["AFFILIATE_GODADDY", "an http(s) link", "{domain}"],
  ["OPERATOR_NAME", "characters on one line", "Ada\nand Sons"],
  ["OPERATOR_CONTACT", "up to 200 characters", "a".repeat(201)],
  ["PRIVACY_URL", "an http or https URL", "javascript:alert(1)"],
  ["RATE_LIMIT", "a number of requests", "0", "060"],
  ["RATE_LIMIT_KEY", "a number of requests", "many"],
  ["TRUSTED_PROXIES", "a number of proxies", "-1"],
  // Lower-casing the Kelvin sign would give kr.
  ["TLDS", "TLDs separated by commas", "com,,net", "co.uk", "com,eth", "\u212Ar"],
  ["TLDS", "up to 200 TLDs", manyTlds(201)],
  ["LOG_LEVEL", "one of debug, info, warn, error, silent", "loud"],
  ["ALLOW_INSECURE_UPSTREAMS", "1, or nothing", "yes"],
  ["PORKBUN_API_URL", "an https URL", "http://127.0.0.1/"],
];

Deno.test("readConfig() throws one line with what a variable takes when its value is invalid", () => {
  for (const [name, takes, ...values] of INVALID) {
    for (const value of values) {
      const { message } = assertThrows(() => readConfig({ [name]: value }), TypeError, takes);
      const start = `${name} is invalid: got ${JSON.stringify(value)}, expected `;
      assertEquals([message.slice(0, start.length), message.includes("\n")], [start, false]);
    }
  }
});

const SECRETS = [
  ["PORKBUN_API_KEY", "PORKBUN_SECRET_KEY"],
  ["NAMECOM_USERNAME", "NAMECOM_TOKEN"],
] as const;

const KEY = "0123456789abcdef0123456789abcdef";

Deno.test("readConfig() shows no part of a key in an error", () => {
  for (const name of [...SECRETS.flat(), "API_KEY"]) {
    for (const value of ["hush hush", "hush\nhush", "hush\u00e9", `hush${"h".repeat(500)}`]) {
      const invalid = `${name} is invalid: got a value that is not shown`;
      const { message } = assertThrows(() => readConfig({ [name]: value }), TypeError, invalid);
      assertEquals([message.includes("hush"), message.includes("\n")], [false, false], message);
    }
  }
});

Deno.test("readConfig() needs both parts of a registrar's key", () => {
  for (const [one, other] of SECRETS) {
    for (const [set, missing] of [[one, other], [other, one]] as const) {
      const error = assertThrows(() => readConfig({ [set]: KEY }), TypeError);
      assertEquals(error.message, `${missing} is missing: ${one} and ${other} are needed together`);
    }
    const config = readConfig({ [one]: KEY, [other]: KEY });
    assertEquals([config[one], config[other]], [KEY, KEY]);
  }
});

Deno.test("ignoredVariables() has those of registrars and resolvers that are gone, which readConfig() ignores", () => {
  const gone = { ASK_VERCEL: "1", CLOUDFLARE_API_TOKEN: "hush", DNS_FALLBACK_SERVER: "x" };
  const env = { ...gone, GODADDY_API_KEY: "", PORT: "0" };
  assertEquals(ignoredVariables(env), Object.keys(gone));
  assertEquals(readConfig(env), readConfig({ PORT: "0" }));
});
