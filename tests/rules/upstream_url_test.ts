import { assertEquals } from "@std/assert";
import { isRegistryBase, isUpstreamUrl } from "../../src/rules/ip_address.ts";

// deno-fmt-ignore -- a table
const ROWS: [string, boolean, boolean][] = [
  // URL, allowed, allowed in the lab
  ["https://rdap.example/com/v1/", true, true],
  ["https://8.8.8.8/", true, true],
  ["https://172.15.0.1/", true, true],
  ["http://rdap.example/", false, true],
  ["https://localhost/", false, true],
  ["https://a.localhost:8443/", false, true],
  ["https://localhost./", false, true],
  ["https://a.localhost./", false, true],
  ["https://127.0.0.1/", false, true],
  ["https://2130706433/", false, true],
  ["https://0x7f.1/", false, true],
  ["https://10.1.2.3/", false, true],
  ["https://172.31.0.1/", false, true],
  ["https://192.168.0.1/", false, true],
  ["https://169.254.169.254/latest/", false, true],
  ["https://100.64.0.1/", false, true],
  ["https://100.127.255.1/", false, true],
  ["https://[::1]/", false, true],
  ["https://[::ffff:127.0.0.1]/", false, true],
  ["https://0.0.0.0/", false, true],
  ["https://0.1.2.3/", false, true],
  ["https://192.0.0.1/", false, true],
  ["https://192.0.2.1/", false, true],
  ["https://198.18.0.1/", false, true],
  ["https://198.19.255.255/", false, true],
  ["https://198.51.100.1/", false, true],
  ["https://203.0.113.1/", false, true],
  ["https://224.0.0.1/", false, true],
  ["https://239.255.255.255/", false, true],
  ["https://240.0.0.1/", false, true],
  ["https://255.255.255.255/", false, true],
  ["https://0xc0.0xa8.1/", false, true],
  ["https://127.0.0.1./", false, true],
  ["https://[2606:4700::1111]/", true, true],
  ["https://[::ffff:8.8.8.8]/", true, true],
  ["https://[::ffff:c0a8:1]/", false, true],
  ["https://[::]/", false, true],
  ["https://[::2]/", false, true],
  ["https://[::7f00:1]/", false, true],
  ["https://[::ffff:0:7f00:1]/", false, true],
  ["https://[64:ff9b::7f00:1]/", false, true],
  ["https://[100::1]/", false, true],
  ["https://[100:0:0:1::1]/", false, true],
  ["https://[2001::1]/", false, true],
  ["https://[2001:db8::1]/", false, true],
  ["https://[2002:7f00:1::]/", false, true],
  ["https://[3fff::1]/", false, true],
  ["https://[5f00::1]/", false, true],
  ["https://[fc00::1]/", false, true],
  ["https://[fe80::1]/", false, true],
  ["https://[fec0::1]/", false, true],
  ["https://[ff02::1]/", false, true],
  ["https://[4000::1]/", false, true],
  ["https://intranet/", false, true],
  ["https://intranet./", false, true],
  ["https://ip6-localhost/", false, true],
  ["https://metadata.google.internal/", false, true],
  ["https://METADATA.google.INTERNAL./", false, true],
  ["https://printer.local/", false, true],
  ["https://router.home.arpa/", false, true],
  ["https://rdap.test/", false, true],
  ["https://rdap.invalid/", false, true],
  ["https://rdap.onion/", false, true],
  ["https://rdap.alt/", false, true],
  ["https://internal.example/", true, true],
  ["https://rdap.example:8443/", true, true],
  ["https://user:password@rdap.example/", false, false],
  ["https://:password@rdap.example/", false, false],
  ["https://user@rdap.example/", false, false],
  ["ftp://rdap.example/", false, false],
  ["file:///etc/passwd", false, false],
  ["rdap.example", false, false],
  ["", false, false],
];

for (const [url, allowed, inLab] of ROWS) {
  Deno.test(`isUpstreamUrl() ${allowed ? "allows" : inLab ? "allows in the lab only" : "refuses"} ${url || "an empty text"}`, () => {
    assertEquals([isUpstreamUrl(url, false), isUpstreamUrl(url, true)], [allowed, inLab]);
  });
}

// deno-fmt-ignore -- a table
const BASES: [string, boolean, boolean][] = [
  // URL, allowed as a registry's, allowed in the lab
  ["https://rdap.example/com/v1/", true, true],
  ["https://rdap.example:443/com/v1/", true, true],
  ["https://rdap.example:8443/com/v1/", false, true],
  ["https://rdap.example:22/com/v1/", false, true],
  ["https://10.0.0.1/com/v1/", false, true],
  ["http://rdap.example/", false, true],
  [`https://rdap.example/${"a".repeat(235)}`, true, true],
  [`https://rdap.example/${"a".repeat(236)}`, false, false],
];

for (const [url, allowed, inLab] of BASES) {
  Deno.test(`isRegistryBase() ${allowed ? "allows" : inLab ? "allows in the lab only" : "refuses"} ${url.slice(0, 40)} of ${url.length} characters`, () => {
    assertEquals([isRegistryBase(url, false), isRegistryBase(url, true)], [allowed, inLab]);
  });
}
