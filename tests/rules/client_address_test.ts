import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { clientAddress, clientOfAddress } from "../../src/rules/client_address.ts";

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
const CLIENTS: [forwardedFor: string | null, trustedProxies: number, client: string][] = [
  [null, 1, SOCKET],
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

Deno.test("clientAddress() returns the address that the outermost trusted proxy saw, else the socket's", () => {
  for (const [forwardedFor, trustedProxies, client] of CLIENTS) {
    const found = clientAddress({ socket: SOCKET, forwardedFor, trustedProxies });
    assertEquals(found, client, `${trustedProxies} of ${forwardedFor}`);
  }
});

const nonsense = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef:.,[]% ") }),
  fc.ipV4().map((address) => `${address}.`),
  fc.ipV6().map((address) => `${address}:`),
);

Deno.test("clientAddress() never throws or returns a malformed address, and ignores all that a client puts in front", () => {
  fc.assert(
    fc.property(nonsense, fc.integer({ min: 0, max: 4 }), (forwardedFor, trustedProxies) => {
      const client = clientAddress({ socket: SOCKET, forwardedFor, trustedProxies });
      if (client !== SOCKET) {
        assertEquals(/^[\d.]+$|^[\da-f]+:.*\/64$/.test(clientOfAddress(client).key), true);
      }
    }),
    { numRuns: 2_000 },
  );
  const address = fc.oneof(fc.ipV4(), fc.ipV6());
  fc.assert(fc.property(nonsense, address, address, (forged, client, proxy) => {
    const forwardedFor = `${forged}, ${client}, ${proxy}`;
    assertEquals(clientAddress({ socket: SOCKET, forwardedFor, trustedProxies: 2 }), client);
  }));
});

Deno.test("clientOfAddress() has the site of an address, the IPv6 networks around its client, and as its key the address for IPv4 in any form, the /64 for IPv6, and any other text as it is", () => {
  const four = { key: "198.51.100.77", site: "198.51.100.0/24", prefixes: [] };
  assertEquals(clientOfAddress("198.51.100.77:1"), four);
  assertEquals(clientOfAddress("2001:db8:1:23ff::1"), {
    key: "2001:db8:1:23ff::/64",
    site: "2001:db8:1:0::/48",
    prefixes: [
      { key: "2001:db8:1:2300::/56", times: 4 },
      { key: "2001:db8:1:0::/48", times: 64 },
    ],
  });
  assertEquals(clientOfAddress("64:ff9b::198.51.100.77"), four);
  const socket = "/run/a.sock";
  assertEquals(clientOfAddress(socket), { key: socket, site: socket, prefixes: [] });
  for (const [key, addresses] of Object.entries(KEYS)) {
    for (const address of addresses) assertEquals(clientOfAddress(address).key, key, address);
  }
  for (const text of ["192.0.2.256", "192.0.2.01", "1:2:3", "1::2::3", "::1]@[::2", ""]) {
    assertEquals(clientOfAddress(text).key, text);
  }
});
