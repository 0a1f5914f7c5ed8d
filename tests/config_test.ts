import { assertEquals, assertThrows } from "@std/assert";
import { ConfigError, ignoredVariables, readConfig } from "../src/config.ts";
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

Deno.test("readConfig() reads a name server with or without a port", () => {
  const server = (text: string) => readConfig({ DNS_SERVER: text }).DNS_SERVER;
  assertEquals(server("192.0.2.1"), { ipAddr: "192.0.2.1", port: 53 });
  assertEquals(server("192.0.2.1:5353"), { ipAddr: "192.0.2.1", port: 5_353 });
  assertEquals(server("2001:db8::1"), { ipAddr: "2001:db8::1", port: 53 });
  assertEquals(server("[2001:db8::1]:5353"), { ipAddr: "2001:db8::1", port: 5_353 });
});

Deno.test("readConfig() normalises TLDS and removes duplicates", () => {
  assertEquals(readConfig({ TLDS: " com,.NET,com,xn--p1ai" }).TLDS, ["com", "net", "xn--p1ai"]);
});

Deno.test("readConfig() reads RDAP servers by TLD or suffix, with their last slash", () => {
  const text = "de=https://rdap.example/, .CO.ZA = https://a.example/rdap";
  assertEquals([...readConfig({ RDAP_EXTRA: text }).RDAP_EXTRA ?? []], [
    ["de", "https://rdap.example/"],
    ["co.za", "https://a.example/rdap/"],
  ]);
  for (
    const wrong of [
      "de",
      "de=",
      "=https://a.example/",
      "de=http://a.example/",
      "d e=https://a.example/",
      "de=https://10.0.0.1/",
    ]
  ) {
    assertThrows(() => readConfig({ RDAP_EXTRA: wrong }), ConfigError, "RDAP_EXTRA is invalid");
  }
});

Deno.test("readConfig() supports any TLD unless TLDS is set", () => {
  const anyTld = (env: Record<string, string>) => readConfig(env).ANY_TLD;
  assertEquals([anyTld({}), anyTld({ TLDS: "com" }), anyTld({ TLDS: "com", ANY_TLD: "on" })], [
    "on",
    "off",
    "on",
  ]);
});

Deno.test("readConfig() keeps the order of ETH_RPC_URLS", () => {
  const urls = ["https://a.example/key", "https://b.example/"];
  assertEquals(readConfig({ ETH_RPC_URLS: urls.join(" , ") }).ETH_RPC_URLS, urls);
});

Deno.test("readConfig() accepts the lab's upstreams only with ALLOW_INSECURE_UPSTREAMS", () => {
  const lab = "http://127.0.0.1:8080/dns.json";
  assertThrows(() => readConfig({ RDAP_BOOTSTRAP_URL: lab }), ConfigError, "RDAP_BOOTSTRAP_URL");
  assertThrows(() => readConfig({ PRICES_URL: lab }), ConfigError, "PRICES_URL");
  const config = readConfig({ RDAP_BOOTSTRAP_URL: lab, ALLOW_INSECURE_UPSTREAMS: "1" });
  assertEquals([config.RDAP_BOOTSTRAP_URL, config.ALLOW_INSECURE_UPSTREAMS], [lab, true]);
});

Deno.test("readConfig() accepts a WHOIS server only with ALLOW_INSECURE_UPSTREAMS", () => {
  const env = { WHOIS: "off", WHOIS_SERVER: "127.0.0.1:4343" };
  assertThrows(() => readConfig(env), ConfigError, "WHOIS_SERVER is invalid");
  const config = readConfig({ ...env, ALLOW_INSECURE_UPSTREAMS: "1" });
  assertEquals([config.WHOIS, config.WHOIS_SERVER], ["off", {
    hostname: "127.0.0.1",
    port: 4_343,
  }]);
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
  ["WHOIS", "sampled", "on or off"],
  ["WHOIS_SERVER", "192.0.2.1", "an IP address and a port"],
  ["WHOIS_SERVER", "whois.example:43", "an IP address and a port"],
  ["WHOIS_SERVER", "192.0.2.1:43", "ALLOW_INSECURE_UPSTREAMS=1"],
  ["ETH_RPC_URLS", "https://a.example/,http://b.example/", "an https URL"],
  ["ETH_RPC_URLS", "https://a.example/,", "an https URL"],
  ["ENS_CCIP_GATEWAY", "https://10.0.0.1/", "an https URL"],
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
