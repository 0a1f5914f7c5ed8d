import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { isLoopback, parseEndpoint, parseIpAddress } from "../../src/rules/ip_address.ts";

Deno.test("isLoopback() is true for loopback in every form that a socket shows", () => {
  for (const address of ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1", "::FFFF:127.0.0.1"]) {
    assertEquals(isLoopback(address), true, address);
  }
  for (
    const address of ["192.0.2.127", "10.0.0.1", "::", "::2", "127.0.0.1.example", "1127.0.0.1", ""]
  ) {
    assertEquals(isLoopback(address), false, address);
  }
});

Deno.test("parseIpAddress() accepts the same IPv6 addresses as the URL parser, in the same form", () => {
  const text = fc.oneof(
    fc.ipV6(),
    fc.ipV6().map((address) => address.toUpperCase()),
    fc.string({ unit: fc.constantFrom(..."0123456789abcdefF:::::..") }),
    fc.tuple(fc.ipV6(), fc.ipV4()).map(([six, four]) => six.replace(/[^:]*$/, four)),
    fc.tuple(fc.constantFrom("::", "::ffff:", "1:2:3:4:5:6:"), fc.ipV4Extended())
      .map((parts) => parts.join("")),
  ).filter((text) => text.includes(":"));
  fc.assert(
    fc.property(text, (text) => {
      const host = URL.parse(`http://[${text}]/`)?.hostname;
      const address = parseIpAddress(text);
      assertEquals(address !== undefined, host !== undefined, text);
      if (address === undefined) return;
      const written = "octets" in address ? `::ffff:${address}` : `${address}`;
      assertEquals(URL.parse(`http://[${written}]/`)?.hostname, host, text);
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("parseIpAddress() accepts IPv4 only as four decimal parts", () => {
  for (const text of ["192.0.2.1", "0.0.0.0", "255.255.255.255"]) {
    assertEquals(`${parseIpAddress(text)}`, text);
  }
  const longest = "0000:0000:0000:0000:0000:ffff:255.255.255.255";
  assertEquals(`${parseIpAddress(longest)}`, "255.255.255.255");
  const others = [
    "0x7f.1",
    "127.1",
    "2130706433",
    "192.0.2.01",
    "192.0.2.256",
    "192.0.2",
    " 1.2.3.4",
  ];
  for (
    const text of [
      ...others,
      "1.2.3.4.",
      "1.2.3.4.5",
      "1.2.3.4%eth0",
      "fe80::1%eth0",
      "00001::1",
      "::1.2.3.4:5",
      "",
    ]
  ) {
    assertEquals(parseIpAddress(text), undefined, text);
  }
});

Deno.test("parseEndpoint() reads an address with or without a port, IPv6 in brackets or bare", () => {
  const read = (text: string) => {
    const endpoint = parseEndpoint(text);
    return endpoint && [`${endpoint.address}`, endpoint.port];
  };
  assertEquals(read("192.0.2.1"), ["192.0.2.1", undefined]);
  assertEquals(read("192.0.2.1:53"), ["192.0.2.1", 53]);
  assertEquals(read("2001:db8::1"), ["2001:db8::1", undefined]);
  assertEquals(read("[2001:db8::1]"), ["2001:db8::1", undefined]);
  assertEquals(read("[2001:db8::1]:65535"), ["2001:db8::1", 65_535]);
  assertEquals(read("::ffff:192.0.2.1"), ["192.0.2.1", undefined]);
  const others = [
    "[192.0.2.1]:53",
    "192.0.2.1:65536",
    "192.0.2.1:",
    "[::1]x",
    "[::1",
    "::1]",
    "[]",
  ];
  for (const text of [...others, "dns.example:53", "[::1]:99999", ":53", ""]) {
    assertEquals(read(text), undefined, text);
  }
});

Deno.test("parseIpAddress() accepts the longest address, and refuses longer texts unparsed", () => {
  const longest = "2001:0db8:0000:0000:0000:ffff:192.168.100.200";
  assertEquals(longest.length, 45);
  assertEquals(parseIpAddress(longest) === undefined, false);
  assertEquals(parseIpAddress("2".repeat(46)), undefined);
  assertEquals(parseIpAddress(`${longest}0`), undefined);
});
