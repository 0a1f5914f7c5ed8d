import { assertEquals } from "@std/assert";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import {
  clientOfAddress,
  clientOfRequest,
  isLoopback,
  isPublicAddress,
  isRegistryBase,
  isUpstreamUrl,
  parseEndpoint,
  parseIpAddress,
} from "../../src/rules/ip_address.ts";

Deno.test("isLoopback() is true for loopback in every form that a socket shows", () => {
  const loopback = ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1", "::FFFF:127.0.0.1"];
  const others = ["192.0.2.127", "10.0.0.1", "::", "::2", "127.0.0.1.example", "1127.0.0.1", ""];
  assertEquals([...loopback, ...others].filter(isLoopback), loopback);
});

/** Texts that are an IPv6 address, or nearly. */
const SIX = fc.oneof(
  fc.ipV6(),
  fc.ipV6().map((address) => address.toUpperCase()),
  fc.string({ unit: fc.constantFrom(..."0123456789abcdefF:::::..") }),
  fc.tuple(fc.ipV6(), fc.ipV4()).map(([six, four]) => six.replace(/[^:]*$/, four)),
  fc.tuple(fc.constantFrom("::", "::ffff:", "1:2:3:4:5:6:"), fc.ipV4Extended())
    .map((parts) => parts.join("")),
).filter((text) => text.includes(":"));

Deno.test("parseIpAddress() accepts the same IPv6 addresses as the URL parser, in the same form, with the bits that a package reads", () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), SIX), (text) => {
      const address = parseIpAddress(text);
      if (text.includes(":")) {
        const host = URL.parse(`http://[${text}]/`)?.hostname;
        assertEquals(address !== undefined, host !== undefined, text);
        const written = address?.version === 4 ? `::ffff:${address.text}` : address?.text;
        assertEquals(URL.parse(`http://[${written}]/`)?.hostname, host, text);
      }
      if (address === undefined) return;
      // In canonical form: the package takes a dotted tail for that of an IPv4-mapped address.
      const bytes = ipaddr.parse(address.text).toByteArray();
      assertEquals(address.bits, bytes.reduce((bits, byte) => bits << 8n | BigInt(byte), 0n));
    }),
    { numRuns: 6_000 },
  );
});

/** Addresses of all ranges: some bits are those of an address near the edge of one. */
const NEAR_AN_EDGE = fc.oneof(
  fc.tuple(fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 240), fc.ipV4())
    .map(([first, address]) => address.replace(/^\d+/, `${first}`)),
  fc.tuple(fc.constantFrom("192.0", "192.168", "192.88", "198.51", "203.0", "172.31"), fc.ipV4())
    .map(([first, address]) => address.replace(/^\d+\.\d+/, first)),
  fc.ipV4(),
  fc.tuple(fc.constantFrom("2001", "2002", "2620", "3fff", "2a00", "fe80", "64", "::"), fc.ipV6())
    .map(([first, address]) => address.replace(/^[^:]*/, first)),
  fc.constantFrom("2001:0:", "2001:1ff:", "2001:200:", "2001:db8:", "2001:db7:", "3fff:fff:")
    .map((start) => `${start}:1`),
  fc.constantFrom("2620:4f:8000::1", "2620:4f:8001::1", "192.31.196.255", "192.175.48.1"),
);

Deno.test("isPublicAddress() agrees with a package about the ranges of IANA's registries", () => {
  const global = ipaddr.IPv6.parseCIDR("2000::/3");
  const protocols = ipaddr.IPv6.parseCIDR("2001::/23");
  fc.assert(
    fc.property(NEAR_AN_EDGE, (text) => {
      const address = parseIpAddress(text);
      if (address === undefined) return;
      const known = ipaddr.parse(address.text);
      const isUnicast = known.range() === "unicast";
      // The package calls addresses outside of global unicast, and free protocol assignments, unicast too.
      const isPublic = known instanceof ipaddr.IPv6
        ? isUnicast && known.match(global) && !known.match(protocols)
        : isUnicast;
      assertEquals(isPublicAddress(address), isPublic, text);
    }),
    { numRuns: 10_000 },
  );
});

Deno.test("parseIpAddress() accepts IPv4 only as four decimal parts", () => {
  for (const text of ["192.0.2.1", "0.0.0.0", "255.255.255.255"]) {
    assertEquals(parseIpAddress(text)?.text, text);
  }
  const others = ["0x7f.1", "127.1", "2130706433", "192.0.2.01", "192.0.2.256", "192.0.2", ""];
  others.push(" 1.2.3.4", "1.2.3.4.", "1.2.3.4.5", "1.2.3.4%eth0", "fe80::1%eth0", "00001::1");
  others.push("::1.2.3.4:5");
  for (const text of others) assertEquals(parseIpAddress(text), undefined, text);
  const longest = "2001:0db8:0000:0000:0000:ffff:192.168.100.200";
  assertEquals(parseIpAddress(longest)?.version, 6);
  assertEquals(parseIpAddress(`${longest}0`), undefined);
});

Deno.test("parseEndpoint() reads an address with or without a port, IPv6 in brackets or bare", () => {
  const read = (text: string) => {
    const endpoint = parseEndpoint(text);
    return endpoint && [endpoint.address.text, endpoint.port];
  };
  for (const text of ["192.0.2.1", "::ffff:192.0.2.1"]) {
    assertEquals(read(text), ["192.0.2.1", undefined]);
  }
  for (const text of ["2001:db8::1", "[2001:db8::1]"]) {
    assertEquals(read(text), ["2001:db8::1", undefined]);
  }
  assertEquals(read("192.0.2.1:53"), ["192.0.2.1", 53]);
  assertEquals(read("[2001:db8::1]:65535"), ["2001:db8::1", 65_535]);
  const others = ["192.0.2.1:65536", "192.0.2.1:", "[::1]x", "[::1", "::1]", "[]", ":53", ""];
  for (const text of [...others, "[192.0.2.1]:53", "dns.example:53", "[::1]:99999"]) {
    assertEquals(read(text), undefined, text);
  }
});

/** Those that are allowed at all are so in the lab, too. */
// deno-fmt-ignore -- lists
const URLS: Readonly<Record<"allowed" | "allowed in the lab only" | "refused", readonly string[]>> = {
  "allowed": [
    "https://rdap.example/com/v1/", "https://rdap.example:8443/", "https://internal.example/", "https://8.8.8.8/",
    "https://[2606:4700::1111]/", "https://[::ffff:8.8.8.8]/",
  ],
  // The ranges of special addresses are compared with a package's above.
  "allowed in the lab only": [
    "http://rdap.example/", "https://localhost/", "https://a.localhost:8443/", "https://a.localhost./",
    "https://127.0.0.1/", "https://2130706433/", "https://0x7f.1/", "https://0xc0.0xa8.1/", "https://127.0.0.1./",
    "https://169.254.169.254/latest/", "https://[::1]/", "https://[::ffff:c0a8:1]/", "https://[::ffff:0:7f00:1]/",
    "https://intranet/", "https://intranet./", "https://metadata.google.internal/",
    "https://METADATA.google.INTERNAL./", "https://printer.local/", "https://router.home.arpa/", "https://rdap.test/",
    "https://rdap.invalid/", "https://rdap.onion/", "https://rdap.alt/",
  ],
  "refused": [
    "https://user:password@rdap.example/", "https://:password@rdap.example/", "https://user@rdap.example/",
    "ftp://rdap.example/", "file:///etc/passwd", "rdap.example", "",
  ],
};

Deno.test("isUpstreamUrl() allows public https URLs without credentials, and in the lab others, too", () => {
  for (const [how, urls] of Object.entries(URLS)) {
    for (const url of urls) {
      const found = [isUpstreamUrl(url, false), isUpstreamUrl(url, true)];
      assertEquals(found, [how === "allowed", how !== "refused"], url);
    }
  }
});

Deno.test("isRegistryBase() takes an upstream's URL on the port of https alone, of 128 characters at most", () => {
  const lab = ["https://rdap.example:8443/com/v1/", "https://10.0.0.1/com/v1/"];
  lab.push("http://rdap.example/");
  const bases = ["https://rdap.example/com/v1/", "https://rdap.example:443/com/v1/"];
  bases.push(`https://rdap.example/${"a".repeat(107)}`);
  const all = [...bases, ...lab, `https://rdap.example/${"a".repeat(108)}`];
  assertEquals(all.filter((url) => isRegistryBase(url, false)), bases);
  assertEquals(all.filter((url) => isRegistryBase(url, true)), [...bases, ...lab]);
});

const KEYS: Readonly<Record<string, readonly string[]>> = {
  "192.0.2.1": [
    ...["192.0.2.1", "192.0.2.1:443", "::ffff:192.0.2.1", "::FFFF:C000:201"],
    ...["0:0:0:0:0:ffff:192.0.2.1", "[::ffff:192.0.2.1]:80"],
    // NAT64.
    ...["64:ff9b::192.0.2.1", "[64:ff9b::c000:201]:443"],
  ],
  "2001:db8:1:2::/64": [
    ...["2001:db8:1:2:3:4:5:6", "2001:0DB8:0001:0002::", "[2001:db8:1:2::9]"],
    "[2001:db8:1:2::9]:8080",
  ],
  "2001:db8:0:0::/64": ["2001:db8::1"],
  "fe80:0:0:0::/64": ["fe80::1%eth0", "fe80::1%lo", "[fe80::1%25en0]:1"],
  "0:0:0:0::/64": ["::1", "::", "::192.0.2.1"],
  "64:ff9b:1:0::/64": ["64:ff9b:1::192.0.2.1"],
};

const SOCKET = "198.51.100.7";
const CLIENTS: [forwardedFor: string, trustedProxies: number, client: string][] = [
  ["203.0.113.5", 0, SOCKET],
  ["203.0.113.5", 1, "203.0.113.5"],
  ["6.6.6.6,203.0.113.5 , 10.0.0.1", 2, "203.0.113.5"],
  ["2001:db8::5", 1, "2001:db8::5"],
  ["[2001:db8::5]:4711", 1, "[2001:db8::5]:4711"],
  // Fewer entries than trusted proxies: the request bypassed them.
  ["203.0.113.5", 2, SOCKET],
  ["", 1, SOCKET],
  ["203.0.113.5,", 1, SOCKET],
  ["unknown", 1, SOCKET],
  ["203.0.113.999", 1, SOCKET],
];

Deno.test("clientOfRequest() returns the client of the address that the outermost trusted proxy saw, else the socket's", () => {
  for (const [forwardedFor, trustedProxies, client] of CLIENTS) {
    const found = clientOfRequest({ socket: SOCKET, forwardedFor, trustedProxies });
    assertEquals(found, clientOfAddress(client), `${trustedProxies} of ${forwardedFor}`);
  }
});

const nonsense = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef:.,[]% ") }),
  fc.ipV4().map((address) => `${address}.`),
  fc.ipV6().map((address) => `${address}:`),
);

Deno.test("clientOfRequest() never throws or returns the client of a malformed address, and ignores all that a client puts in front", () => {
  fc.assert(
    fc.property(nonsense, fc.integer({ min: 0, max: 4 }), (forwardedFor, trustedProxies) => {
      const { key } = clientOfRequest({ socket: SOCKET, forwardedFor, trustedProxies });
      assertEquals(/^[\d.]+$|^[\da-f]+:.*\/64$/.test(key), true);
    }),
    { numRuns: 2_000 },
  );
  const address = fc.oneof(fc.ipV4(), fc.ipV6());
  fc.assert(fc.property(nonsense, address, address, (forged, client, proxy) => {
    const forwardedFor = `${forged}, ${client}, ${proxy}`;
    const found = clientOfRequest({ socket: SOCKET, forwardedFor, trustedProxies: 2 });
    assertEquals(found, clientOfAddress(client));
  }));
});

Deno.test("clientOfAddress() has the site of an address, the IPv6 networks around its client, and as its key the address for IPv4 in any form, the /64 for IPv6, and any other text as it is", () => {
  const four = { key: "198.51.100.77", site: "198.51.100.0/24", prefixes: [], isAddress: true };
  assertEquals(clientOfAddress("198.51.100.77:1"), four);
  assertEquals(clientOfAddress("2001:db8:1:23ff::1"), {
    key: "2001:db8:1:23ff::/64",
    site: "2001:db8:1:0::/48",
    prefixes: [{ key: "2001:db8:1:2300::/56", times: 4 }, { key: "2001:db8:1:0::/48", times: 64 }],
    isAddress: true,
  });
  assertEquals(clientOfAddress("64:ff9b::198.51.100.77"), four);
  const socket = "/run/a.sock";
  const none = { key: socket, site: socket, prefixes: [], isAddress: false };
  assertEquals(clientOfAddress(socket), none);
  for (const [key, addresses] of Object.entries(KEYS)) {
    for (const address of addresses) assertEquals(clientOfAddress(address).key, key, address);
  }
  for (const text of ["192.0.2.256", "192.0.2.01", "1:2:3", "1::2::3", "::1]@[::2", ""]) {
    assertEquals(clientOfAddress(text).key, text);
  }
});
