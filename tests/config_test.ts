import { assertEquals, assertThrows } from "@std/assert";
import { type Config, ConfigError, ignoredVariables, readConfig } from "../src/config.ts";
import { MAINNET_CONTRACTS } from "../src/rules/ens.ts";
import { BUILT_IN_TLDS } from "../src/rules/tables/tlds.ts";

Deno.test("readConfig() returns the defaults without variables", () => {
  const config = readConfig({});
  const lists = { TLDS: config.TLDS.length, ETH_RPC_URLS: config.ETH_RPC_URLS.length };
  assertEquals({ ...config, ...lists }, {
    PORT: 8_000,
    HOST: "0.0.0.0",
    RDAP_BOOTSTRAP_URL: "https://data.iana.org/rdap/dns.json",
    PRICES_URL: "https://api.porkbun.com/api/json/v3/pricing/get",
    WHOIS: "on",
    ETH_RPC_URLS: 5,
    ENS_REGISTRY: MAINNET_CONTRACTS.registry,
    ENS_REGISTRAR: MAINNET_CONTRACTS.registrar,
    ENS_CONTROLLER: MAINNET_CONTRACTS.controller,
    ENS_NAME_WRAPPER: MAINNET_CONTRACTS.nameWrapper,
    ENS_UNIVERSAL_RESOLVER: MAINNET_CONTRACTS.universalResolver,
    ENS_MULTICALL3: MAINNET_CONTRACTS.multicall3,
    ENS_CCIP_GATEWAY: "https://ccip-v3.ens.xyz",
    PORKBUN_API_URL: "https://api.porkbun.com/api/json/v3",
    NAMECOM_API_URL: "https://api.name.com",
    RATE_LIMIT: 60,
    RATE_LIMIT_KEY: 600,
    TRUSTED_PROXIES: 0,
    TLDS: BUILT_IN_TLDS.length,
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
  [{ DNS_SERVER: "192.0.2.1" }, { DNS_SERVER: { ipAddr: "192.0.2.1", port: 53 } }],
  [{ DNS_SERVER: "192.0.2.1:5353" }, { DNS_SERVER: { ipAddr: "192.0.2.1", port: 5_353 } }],
  [{ DNS_SERVER: "2001:db8::1" }, { DNS_SERVER: { ipAddr: "2001:db8::1", port: 53 } }],
  [{ DNS_SERVER: "[2001:db8::1]:5353" }, { DNS_SERVER: { ipAddr: "2001:db8::1", port: 5_353 } }],
  [{ TLDS: " com,.NET,com,xn--p1ai" }, { TLDS: ["com", "net", "xn--p1ai"], ANY_TLD: "off" }],
  [{ TLDS: "com", ANY_TLD: "on" }, { ANY_TLD: "on" }],
  [{ RDAP_EXTRA: "de=https://rdap.example/, .CO.ZA = https://a.example/rdap" }, {
    RDAP_EXTRA: new Map([["de", "https://rdap.example/"], ["co.za", "https://a.example/rdap/"]]),
  }],
  [{ ETH_RPC_URLS: URLS.join(" , ") }, { ETH_RPC_URLS: URLS }],
  [{ RDAP_BOOTSTRAP_URL: LAB, ...INSECURE }, {
    RDAP_BOOTSTRAP_URL: LAB,
    ALLOW_INSECURE_UPSTREAMS: true,
  }],
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
  return Array.from(
    { length: count },
    (_, n) => [n / 400, n / 20, n].map((digit) => letters[Math.floor(digit) % 20]).join(""),
  ).join();
}

Deno.test("readConfig() accepts 200 TLDs without counting duplicates", () => {
  assertEquals(readConfig({ TLDS: `${manyTlds(200)},${manyTlds(200)}` }).TLDS.length, 200);
});

const INVALID: [string, string, string][] = [
  ["PORT", "http", "a port from 0 to 65535"],
  ["PORT", "65536", "a port from 0 to 65535"],
  ["PORT", "80.5", "a port from 0 to 65535"],
  ["PORT", "-1", "a port from 0 to 65535"],
  ["DNS_SERVER", "dns.example", "an IP address"],
  ["DNS_SERVER", "1.2.3", "an IP address"],
  ["DNS_SERVER", "999.1.1.1", "an IP address"],
  ["DNS_SERVER", "192.0.2.1:99999", "an IP address"],
  ["DNS_SERVER", "2001:db8::zz", "an IP address"],
  ["DNS_SERVER", "192.0.2.1:0", "an IP address"],
  ["RDAP_BOOTSTRAP_URL", "iana", "an https URL"],
  ["RDAP_BOOTSTRAP_URL", "ftp://iana.example/", "an https URL"],
  ["RDAP_BOOTSTRAP_URL", "https://127.0.0.1/", "an https URL"],
  ["RDAP_BOOTSTRAP_URL", LAB, "an https URL"],
  ["PRICES_URL", LAB, "an https URL"],
  ["RDAP_EXTRA", "de", "RDAP servers by TLD"],
  ["RDAP_EXTRA", "de=", "RDAP servers by TLD"],
  ["RDAP_EXTRA", "=https://a.example/", "RDAP servers by TLD"],
  ["RDAP_EXTRA", "de=http://a.example/", "RDAP servers by TLD"],
  ["RDAP_EXTRA", "d e=https://a.example/", "RDAP servers by TLD"],
  ["RDAP_EXTRA", "de=https://10.0.0.1/", "RDAP servers by TLD"],
  ["WHOIS", "sampled", "on or off"],
  ["WHOIS_SERVER", "192.0.2.1", "an IP address and a port"],
  ["WHOIS_SERVER", "whois.example:43", "an IP address and a port"],
  ["WHOIS_SERVER", "192.0.2.1:43", "ALLOW_INSECURE_UPSTREAMS=1"],
  ["ETH_RPC_URLS", "https://a.example/,http://b.example/", "an https URL"],
  ["ETH_RPC_URLS", "https://a.example/,", "an https URL"],
  ["ENS_CCIP_GATEWAY", "https://10.0.0.1/", "an https URL"],
  ["ENS_CCIP_GATEWAY", "https://ccip.example/{sender}/{data}.json", "without { }"],
  ["ENS_REGISTRY", "0x1234", "a contract's address"],
  ["ENS_CONTROLLER", "vitalik.eth", "a contract's address"],
  ["ENS_GRAVEYARD", "graveyard", "a contract's address"],
  ["AFFILIATE_PORKBUN", "https://go.example/", "{domain} or {url}"],
  ["AFFILIATE_NAMECHEAP", "javascript:alert({domain})", "an http(s) link"],
  ["AFFILIATE_GODADDY", "{domain}", "an http(s) link"],
  ["OPERATOR_NAME", "Ada\nand Sons", "characters on one line"],
  ["OPERATOR_CONTACT", "a".repeat(201), "up to 200 characters"],
  ["PRIVACY_URL", "javascript:alert(1)", "an http or https URL"],
  ["RATE_LIMIT", "0", "a number of requests"],
  ["RATE_LIMIT_KEY", "many", "a number of requests"],
  ["TRUSTED_PROXIES", "-1", "a number of proxies"],
  ["TLDS", "com,,net", "TLDs separated by commas"],
  ["TLDS", manyTlds(201), "up to 200 TLDs"],
  ["TLDS", "co.uk", "TLDs separated by commas"],
  // Lower-casing the Kelvin sign would give kr.
  ["TLDS", "\u212Ar", "TLDs separated by commas"],
  ["LOG_LEVEL", "loud", "one of debug, info, warn, error, silent"],
  ["ALLOW_INSECURE_UPSTREAMS", "yes", "1, or nothing"],
  ["PORKBUN_API_URL", "http://127.0.0.1/", "an https URL"],
];

for (const [name, value, takes] of INVALID) {
  Deno.test(`readConfig() throws one line with what ${name} takes when it is ${value.slice(0, 40)}`, () => {
    const error = assertThrows(() => readConfig({ [name]: value }), ConfigError, takes);
    assertEquals(
      error.message.startsWith(`${name} is invalid: got ${JSON.stringify(value)}, expected `),
      true,
    );
    assertEquals(error.message.includes("\n"), false);
  });
}

const SECRETS = [
  ["PORKBUN_API_KEY", "PORKBUN_SECRET_KEY"],
  ["NAMECOM_USERNAME", "NAMECOM_TOKEN"],
] as const;

const KEY = "0123456789abcdef0123456789abcdef";

Deno.test("readConfig() shows no part of a key in an error", () => {
  for (const name of [...SECRETS.flat(), "API_KEY"]) {
    for (const value of ["hush hush", "hush\nhush", "hush\u00e9", `hush${"h".repeat(500)}`]) {
      const invalid = `${name} is invalid: got a value that is not shown`;
      const { message } = assertThrows(() => readConfig({ [name]: value }), ConfigError, invalid);
      assertEquals([message.includes("hush"), message.includes("\n")], [false, false], message);
    }
  }
});

Deno.test("readConfig() needs both parts of a registrar's key", () => {
  for (const [one, other] of SECRETS) {
    for (const [set, missing] of [[one, other], [other, one]] as const) {
      const error = assertThrows(() => readConfig({ [set]: KEY }), ConfigError);
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
